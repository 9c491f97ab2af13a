"""The command that decides which links of a robot can collide at all, and keeps an SRDF file true."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    MAX_PAIRS,
    FileOption,
    Flag,
    FormatOption,
    ModelFlags,
    PackageOption,
    QuietFlag,
    WholeNumber,
    package_of,
    read_by,
    read_scene,
    read_word,
    skipped_lines,
)
from viewer.cli.output import JSON_VERSION, Table, print_rich, to_json
from viewer.cli.testing import check_page, illustrated_report
from viewer.cli.window import show_window
from viewer.records.words import counted

if TYPE_CHECKING:
    from collision.importers import DecidedPair, DisabledPair, Model, PairVerdict, Srdf
    from viewer.verdicts.results import Run, SceneResult

#: The verdicts in the order in which they are listed.
_ORDER: tuple[PairVerdict, ...] = ("always", "sometimes", "touching", "open", "never")

_Robot = Annotated[
    Path, read_by(lambda text: Path(read_word(text)), help="A robot model: a URDF file, or an .xml file of MuJoCo.")
]


def pairs(
    robot: _Robot,
    /,
    *,
    srdf: FileOption = None,
    write: Flag = False,
    package: PackageOption = (),
    most_poses: WholeNumber = 200_000,
    max_pairs: WholeNumber = MAX_PAIRS,
    open: Flag = False,
    html: FileOption = None,
    static: Flag = False,
    format: FormatOption = "text",
    quiet: QuietFlag = False,
) -> ExitCode:
    """Decide for each two links of a robot whether they never, always or sometimes collide, whatever its joints do.

    Nothing is sampled: "never" and "always" are proved for all values within the limits of the joints, "sometimes" is
    shown by a pose of each sort; of "touching" rounding decides. With an SRDF file, the exit code is 10 if one of its
    pairs with the reason "Never" collides in a pose, which is told. Ctrl-C ends the work, and what is decided until
    then is told and written.

    Parameters
    ----------
    srdf
        The SRDF file of the robot: its pairs with the reason "Never" are looked at.
    write
        Add to the SRDF file the pairs that never collide, and take out those that it calls "Never" and that do. Other
        lines stay as they are.
    most_poses
        Leave a pair open that needs more poses than this.
    open
        Open a window on the first of the poses in which a pair collides that the SRDF file calls "Never". All of them
        are among the robot's poses (Shift+J), named after their links.
    html
        Write also a page with a picture of each pair that the SRDF file calls "Never" and that collides, which a click
        makes live: one file, if it ends in .html, and else a folder with the page and the pictures.
    static
        Write this page without scripts: pictures stay pictures.
    max_pairs
        List no more pairs than this, and say how many there are.
    """
    if write and srdf is None:
        raise MistakeError("--write needs --srdf FILE: the file to be written")
    if open and srdf is None:
        raise MistakeError("--open needs --srdf FILE: the poses are those in which a pair collides that it calls Never")
    if html is not None and srdf is None:
        raise MistakeError("--html needs --srdf FILE: the page is about what that says")
    if most_poses < 1:
        raise MistakeError(f"--most-poses must be 1 or more, got {most_poses}")
    check_page(html, static)
    from collision.importers import ImporterError, load_model, read_srdf
    from collision.inner import shown_path

    try:
        model = load_model(robot, packages=dict(map(package_of, package)))
        known = None if srdf is None else read_srdf(srdf, model)
    except ImporterError as error:
        raise MistakeError(str(error)) from error
    if not quiet:
        for line in (*skipped_lines(model.skipped), *(skipped_lines(known.skipped) if known else ())):
            print(f"{robot.name}: {line}", file=sys.stderr)
    decided, ended = _decided(model, most_poses, shown_path(robot), show=not quiet)
    false = _refuted(decided, known)
    if format == "json":
        print(to_json({"version": JSON_VERSION, "robot": str(robot), "whole": not ended,
                       "pairs": [_as_json(pair, (pair.link1, pair.link2) in false) for pair in decided]}))  # fmt: skip
    elif not quiet:
        _print(decided, false, robot, max_pairs)
    if write and srdf is not None and known is not None:
        with mistakes(f"{srdf}: "):
            changed = _write(srdf, known, decided, set(false))
        print(f"{srdf}: {changed}", file=sys.stderr)
    code = ExitCode.INTERRUPTED if ended else ExitCode.BROKEN if false else ExitCode.FINE
    if html is not None and srdf is not None and known is not None:
        from viewer.verdicts.writing import named, picture_folder

        run = _run(robot, model, decided, srdf, known, code, package)
        code = illustrated_report(code, named(run, picture_folder(html)), html, static)
        print(f"{shown_path(html)} is written", file=sys.stderr)
    if open and not false:
        print(f"{srdf}: no pair that it calls Never collides, so no window is opened", file=sys.stderr)
    elif open:
        _show(robot, {f"{pair.link1} and {pair.link2}": _pose(pair) for pair in decided
                      if (pair.link1, pair.link2) in false}, package)  # fmt: skip
    return code


def _show(robot: Path, poses: Mapping[str, Mapping[str, float]], package: tuple[str, ...]) -> None:
    """Open a window on the first of some poses of a robot; the others are among its poses there."""
    first = next(iter(poses.values()))
    flags = ModelFlags(joint=tuple(f"{name}={value!r}" for name, value in first.items()), package=package)
    loaded = read_scene(robot, flags, quiet=True)
    if loaded.model is not None:
        loaded = loaded._replace(model=replace(loaded.model, poses=poses))
    show_window(loaded)


def _run(
    robot: Path,
    model: Model,
    decided: list[DecidedPair],
    file: Path,
    srdf: Srdf,
    code: ExitCode,
    package: tuple[str, ...],
) -> Run:
    """Return what is decided of the pairs that an SRDF file calls "Never", as a run whose promises they are."""
    from viewer.verdicts.results import PromiseResult, Run, SceneResult, counts_of

    false = _refuted(decided, srdf)
    named = {frozenset(pair[:2]): pair for pair in srdf.disabled if pair.reason == "Never"}
    held = tuple(
        PromiseResult(id=f"{pair.link1} {pair.link2}", kind="apart", line=named[links].line, state="held",
                      expected=f"{pair.link1} and {pair.link2} never collide", actual="proved for all poses")
        for pair in decided
        if pair.verdict == "never" and (links := frozenset((pair.link1, pair.link2))) in named
    )  # fmt: skip
    scenes = [_refutation(robot, model, pair, file, false[pair.link1, pair.link2], package) for pair in decided
              if (pair.link1, pair.link2) in false]  # fmt: skip
    if held:
        scenes.append(SceneResult(path=str(file), state="held", promises=held))
    return Run(exit_code=int(code), counts=counts_of(scenes), scenes=tuple(scenes))


def _refutation(
    robot: Path, model: Model, pair: DecidedPair, file: Path, said: DisabledPair, package: tuple[str, ...]
) -> SceneResult:
    """Return the scene in which two links collide, of which an SRDF file says that they never do."""
    from collision import Expectation, judge
    from collision.scenefile import dump_scene
    from viewer.files.loading import ModelOptions
    from viewer.verdicts.results import SceneResult

    links = pair.link1, pair.link2
    others = [two for two in combinations(model.links, 2) if set(two) != set(links)]
    scene = model.at(dict(_pose(pair))).comparing_all_but(others).scene
    one, other = (f"link {link}" for link in links)
    bodies = {name: tuple(model.links[link]) for name, link in zip((one, other), links, strict=True)}
    never = Expectation(
        "apart", one, other, id=" ".join(links), reason=f'line {said.line} of the SRDF file says "Never"'
    )
    scene = scene.replaced(expectations=[never], name_groups=bodies)
    wanted = ModelOptions(tuple(_pose(pair).items()), packages=tuple(map(package_of, package)))
    return SceneResult.of(str(file), judge(scene, only=never.id), {never.id: said.line}).model_copy(
        update={"title": _pose_words(pair), "text": dump_scene(scene), "again": ("open", str(robot), *wanted.words())}
    )


def _pose_words(pair: DecidedPair) -> str:
    return ", ".join(f"{name} = {value:.4g}" for name, value in _pose(pair).items())


def _decided(model: Model, most_poses: int, name: str, *, show: bool) -> tuple[list[DecidedPair], bool]:
    """Return what is decided of all pairs, and whether somebody ended the work before all were."""
    from collision.importers import decide_pairs

    decided: list[DecidedPair] = []
    count = sum(1 for shapes in model.links.values() if shapes)
    with _progress(count * (count - 1) // 2, show=show) as told, mistakes(f"{name}: "):

        def note(pair: DecidedPair) -> None:
            decided.append(pair)
            told(pair)

        try:
            decide_pairs(model, most_poses=most_poses, workers=os.cpu_count() or 1, progress=note)
        except KeyboardInterrupt:
            return decided, True
    return decided, False


@contextmanager
def _progress(total: int, *, show: bool) -> Iterator[Callable[[DecidedPair], None]]:
    """Show on a terminal how many pairs are decided."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not (show and console.is_terminal)) as progress:
        task = progress.add_task("pairs of links", total=total)
        yield lambda pair: progress.advance(task)


def _refuted(decided: list[DecidedPair], srdf: Srdf | None) -> Mapping[tuple[str, str], DisabledPair]:
    """Return by the links the pairs that an SRDF file calls never colliding, and that do collide in some pose."""
    if srdf is None:
        return {}
    named = {frozenset(pair[:2]): pair for pair in srdf.disabled if pair.reason == "Never"}
    return {
        (pair.link1, pair.link2): named[links]
        for pair in decided
        if pair.colliding is not None
        and pair.verdict != "touching"
        and (links := frozenset((pair.link1, pair.link2))) in named
    }


def _print(
    decided: list[DecidedPair], false: Mapping[tuple[str, str], DisabledPair], robot: Path, max_pairs: int
) -> None:
    for pair in decided:
        wrong = false.get((pair.link1, pair.link2))
        if wrong is None:
            continue
        joints = " ".join(f"--joint {shlex.quote(f'{name}={value:.6g}')}" for name, value in _pose(pair).items())
        print(f'{pair.link1} and {pair.link2}: line {wrong.line} says "Never", and they collide in this pose:')
        print(f"  {PROGRAM} open {shlex.quote(str(robot))} {joints}".rstrip())
    listed = sorted(decided, key=lambda pair: (pair.adjacent, _ORDER.index(pair.verdict)))[:max_pairs]
    if listed:
        rows = [(pair.link1, pair.link2, pair.verdict, _least(pair), _note(pair)) for pair in listed]
        print_rich(Table(("link", "link", "collide", "least distance", "note"), rows, right=(3,)))
    if len(decided) > len(listed):
        print(f"{len(decided) - len(listed):,} more are not listed; --max-pairs N lists N of them")
    count = Counter(pair.verdict for pair in decided)
    tried = sum(pair.poses for pair in decided)
    each = ", ".join(f"{count[verdict]:,} {verdict}" for verdict in _ORDER)
    print(f"{counted(len(decided), 'pair')} of links: {each}; {tried:,} poses looked at")


def _pose(pair: DecidedPair) -> Mapping[str, float]:
    return pair.colliding or {}


def _least(pair: DecidedPair) -> str:
    return f"{pair.least:.4g}"


def _note(pair: DecidedPair) -> str:
    notes = ["adjacent"] * pair.adjacent + ["touch as the file has them"] * pair.in_pose
    return "; ".join([*notes, *([pair.reason] if pair.reason else [])])


def _as_json(pair: DecidedPair, refuted: bool) -> dict[str, object]:
    return {
        "links": [pair.link1, pair.link2],
        "verdict": pair.verdict,
        "adjacent": pair.adjacent,
        "in_pose": pair.in_pose,
        "refutes_srdf": refuted,
        "joints": list(pair.joints),
        "colliding": None if pair.colliding is None else dict(pair.colliding),
        "free": None if pair.free is None else dict(pair.free),
        "least": pair.least,
        "poses": pair.poses,
        "reason": pair.reason,
    }


def _write(path: Path, srdf: Srdf, decided: list[DecidedPair], false: set[tuple[str, str]]) -> str:
    """Write what is decided into an SRDF file, and say how many lines that changed."""
    from collision.importers import changed_srdf
    from collision.inner import write_bytes

    named = {frozenset(pair[:2]) for pair in srdf.disabled}
    never = [(pair.link1, pair.link2) for pair in decided
             if pair.verdict == "never" and frozenset((pair.link1, pair.link2)) not in named]  # fmt: skip
    if never or false:
        write_bytes(path, changed_srdf(path, srdf, add=never, remove=false))
    return f"{counted(len(never), 'pair')} added, {counted(len(false), 'pair')} taken out"
