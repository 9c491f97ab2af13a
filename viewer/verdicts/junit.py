"""A run as JUnit's XML, which most CI servers read: a suite for each scene, a case for each promise."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from viewer.verdicts.results import PromiseResult, Run, SceneResult
from viewer.verdicts.text import details, place, summary

#: What no XML may hold, in whatever form.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(run: Run) -> str:
    """Return a run as XML: a suite for each scene, a case for each promise.

    A scene that cannot be read has one case, which is an error; what is accepted is skipped, as is what states nothing.
    """
    root = Element("testsuites", name="collision-viewer test")
    sums = [_suite(root, scene) for scene in run.scenes]
    for note in run.untested:
        suite = SubElement(root, "testsuite", name=_text(note.partition(":")[0]))
        sums.append(_count(suite, [_case(suite, "a scene", note, error=note)], 0.0))
    totals = [sum(column) for column in zip(*sums, strict=True)] or [0, 0, 0, 0]
    for name, count in zip(("tests", "failures", "errors", "skipped"), totals, strict=True):
        root.set(name, str(count))
    root.set("time", f"{sum(scene.seconds for scene in run.scenes):.6f}")
    indent(root)
    text: str = tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {summary(run).replace("--", "- -")} -->\n{text}\n'


def _suite(root: Element, scene: SceneResult) -> tuple[int, ...]:
    """Add the suite of a scene, and return how many tests, failures, errors and skipped ones are in it."""
    suite = SubElement(root, "testsuite", name=_text(scene.path))
    properties = SubElement(suite, "properties")
    for name in ("shapes", "pairs", "ignored", "hidden"):
        SubElement(properties, "property", name=name, value=str(getattr(scene, name)))
    SubElement(properties, "property", name="left out", value=str(len(scene.left_out)))
    kinds = [_promise(suite, scene, promise) for promise in scene.promises]
    if scene.state in ("mistake", "bug"):
        kinds.append(_case(suite, "the scene can be tested", scene.path, error=scene.message))
    elif not kinds:
        kinds.append(_case(suite, "states something", scene.path, skipped=scene.message))
    return _count(suite, kinds, scene.seconds)


def _count(suite: Element, kinds: list[str], seconds: float) -> tuple[int, ...]:
    sums = (len(kinds), kinds.count("failure"), kinds.count("error"), kinds.count("skipped"))
    for name, count in zip(("tests", "failures", "errors", "skipped"), sums, strict=True):
        suite.set(name, str(count))
    suite.set("time", f"{seconds:.6f}")  # no case has a time of its own: the promises of a scene are judged together
    return sums


def _promise(suite: Element, scene: SceneResult, promise: PromiseResult) -> str:
    # What the message of a failure says is not said again.
    said_before = ("expected", "actual") if promise.state == "broken" else ()
    text = "\n".join(f"{name}: {said}" for name, said in details(promise) if name not in said_before)
    more = {"out": text}
    if promise.state == "broken":
        more |= {"failure": f"{place(scene, promise)}: {promise.actual}; expected: {promise.expected}"}
    elif promise.state == "accepted":
        more |= {"skipped": f"accepted: {promise.clashes[0].accepted}; {promise.actual}"}
    line = {} if promise.line is None else {"line": str(promise.line)}
    return _case(suite, promise.id, scene.path, attributes={"file": scene.path, **line}, **more)


def _case(
    suite: Element,
    name: str,
    place: str,
    *,
    failure: str = "",
    error: str = "",
    skipped: str = "",
    out: str = "",
    attributes: dict[str, str] | None = None,
) -> str:
    """Add a case, and return which kind of result it has: nothing for one that has passed."""
    case = SubElement(suite, "testcase", name=_text(name), classname=_text(place))
    for key, value in (attributes or {}).items():
        case.set(key, _text(value))
    kind, message = next(
        (pair for pair in (("failure", failure), ("error", error), ("skipped", skipped)) if pair[1]), ("", "")
    )
    if kind:
        result = SubElement(case, kind, message=_text(message.partition("\n")[0]))
        result.text = _text(out or message.partition("\n")[2])
        if kind != "skipped":
            result.set("type", "broken" if failure else "error")
    elif out:
        SubElement(case, "system-out").text = _text(out)
    return kind


def _text(text: str) -> str:
    """Leave out what no XML may hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
