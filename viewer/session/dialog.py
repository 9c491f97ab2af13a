"""What a session asks, and what becomes of the answers: lines to type, choices, and menus of all commands.

One question waits at a time, and the mouse and the keys go there meanwhile. A menu is a question with choices: a letter
of each is its key there, arrow keys go through them, and a click on its row is as good. What only a window can do, such
as to write a picture, is kept as a request until the window has done it.
"""

from __future__ import annotations

import math
import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from collision.inner import KIND_NAMES
from viewer.files.paths import in_words, target_of
from viewer.records.commands import Command
from viewer.records.events import Key, Pointer
from viewer.records.keys import printed
from viewer.session.commands import BINDINGS, MENUS, ROBOT, Binding, find_commands
from viewer.session.document import NEW, Document
from viewer.session.file import OVERWRITE, READ_AGAIN, SAVE_AS, SAVED, Conflict, File
from viewer.session.inspector import read_numbers, written
from viewer.session.joints import OPENED, ZERO
from viewer.session.manipulation import Manipulation
from viewer.session.prompt import JOINTS, PAIRS, Prompt
from viewer.session.requests import CopyText, Request, SavePicture, SharePage
from viewer.session.selection import Selection
from viewer.session.sliders import Sliders
from viewer.session.view import View

#: How many steps the page keys go.
PAGE = 10

#: The keys that step, and how far.
_STEPS = MappingProxyType({"tab": 1, "down": 1, "shift+tab": -1, "up": -1, "page down": PAGE, "page up": -PAGE})

#: The keys of bookmarks.
BOOKMARKS = "123456789"

#: What is asked for a picture.
PICTURE_TITLE = "Save a picture as"

#: The endings of pictures and of pages.
PICTURE, SHARED = ".png", ".html"

#: What can be ticked for a picture, by the keys that do it with Alt.
_PICTURE_OPTIONS = MappingProxyType({"t": "transparent background", "p": "without panels", "d": "double size"})

#: What stands beside that which opens another menu, and the commands that do.
LEADS_ON, _MENUS = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}", ("dialog.ask_menu", "dialog.ask_menus")

#: The commands in the menu of what is selected, by their keys.
_OF_SHAPES = ("g", "r", "s", "return", "ctrl+d", "f2", "ctrl+h", "shift+h", "f", "shift+e", "delete")

#: The class of a shape, before one of its fields.
_CLASS = re.compile(rf"\b({'|'.join(kind.__name__ for kind in KIND_NAMES)})\.")

#: So many names stand in the title of a menu at most.
_FEW = 2

#: So many choices all have a key of their own, a digit at least; of more one types a part.
_LETTERED = 9

#: Where a menu is opened, in pixels.
Place: TypeAlias = tuple[float, float] | None


class Dialog:
    """Asks one question at a time."""

    def __init__(
        self,
        document: Document,
        view: View,
        selection: Selection,
        manipulation: Manipulation,
        sliders: Sliders,
        file: File,
        *,
        do: Callable[[Command], None],
    ) -> None:
        self._document, self._view, self._selection, self._file = document, view, selection, file
        self._tool, self._inspector = manipulation.tool, manipulation.inspector
        self._sliders, self._joints = sliders, sliders.joints
        self._do = do
        #: The question that waits for an answer.
        self.prompt: Prompt | None = None
        self._requests: list[Request] = []
        #: Whether the session has ended.
        self.closed = False
        #: Whether there is a window that writes pictures and pages: whoever shows it says so, and looks for requests.
        self.takes_pictures = False
        #: Whether to ask about unsaved changes also where the scene comes from no file, as nobody else gets them.
        self.asks_always = False
        #: The options that were ticked for the last picture.
        self._ticked: frozenset[str] = frozenset()

    def ask(self, prompt: Prompt) -> None:
        """Ask a question in the place of any other; what is in hand is put back."""
        self._document.interrupt()
        self.prompt = prompt
        self._document.touch()

    def ask_line(self, title: str, answered: Callable[[str], object], text: str) -> None:
        """Ask for a line of text, and suggest one."""
        self.ask(Prompt.line(title, text, answered=answered))

    def ask_choice(self, title: str, choices: Mapping[str, str], **acts: Callable[[], object]) -> None:
        """Ask for a choice, by keys; those without an act leave everything as it is."""
        self.ask(Prompt(title, choices, answered=lambda key: acts.get(key, _nothing)()))

    def answer(self, text: str) -> None:
        """Answer the question: by the key of a choice, or by a line of text."""
        asked = self.prompt
        if asked is None:
            raise ValueError("nothing is asked")
        if asked.choices and text not in asked.choices:
            raise ValueError(f"an answer is one of {', '.join(asked.choices)}, got {text!r}")
        self.prompt = None
        if asked.options:
            self._ticked = asked.ticked
        command = asked.commands.get(text)
        self._try(asked, text, partial(asked.answered, text) if command is None else partial(self._do, command))
        if command is not None and command.name in _MENUS and self.prompt is not None:
            self.prompt = replace(self.prompt, before=replace(asked, hot=text))

    def leave_choice(self) -> None:
        """Light no choice: the arrow keys have come to one, but now the mouse has moved."""
        if self.prompt is not None and self.prompt.hot and not self.prompt.finds:
            self._show(replace(self.prompt, hot=""))

    def tick_option(self, option: str) -> None:
        """Tick one of the options of the question, or no longer."""
        asked = self.prompt
        if asked is None or option not in asked.options:
            raise ValueError(f"there is no option {option!r} to tick")
        self._show(replace(asked, ticked=asked.ticked ^ {option}))

    def step_choice(self, steps: int) -> None:
        """Go so many choices on, or back, as the arrow keys do."""
        if self.prompt is not None and self.prompt.choices:
            self._show(self.prompt.next_choice(steps))

    def dismiss(self) -> None:
        """Leave the question without an answer, and everything as it is."""
        asked, self.prompt = self.prompt, None
        if asked is not None:
            asked.dropped()
        self._document.touch()

    # -- what a window is to do ----------------------------------------------------------------------------------------

    def request(self, request: Request) -> None:
        """Ask the window to do something."""
        self._requests.append(request)
        self._document.touch()

    def take_requests(self) -> tuple[Request, ...]:
        """Return what a window is to do, once: whoever shows the session asks for it after each event."""
        requests, self._requests = tuple(self._requests), []
        return requests

    # -- shapes and pairs ----------------------------------------------------------------------------------------------

    def ask_add(self) -> None:
        """Ask what to add."""
        kinds = letters(NEW)
        names = kinds | {"a": "aabb, a box along the axes"}
        self.ask(Prompt("Add", names, answered=lambda key: self._document.add(kinds[key], self._view.viewport)))

    def ask_rename(self) -> None:
        """Ask for another name for the active one of the selected entries."""
        old = self._document.chosen()[-1]
        if old not in self._document.scene.shapes:
            self._document.rename(old, old=old)  # which says why not
        self.ask_line(f"Rename {old}", lambda new: self._document.rename(new.strip(), old=old), old)

    def ask_filter(self) -> None:
        """Ask which pairs the table is to list: those whose names have what is typed, as it is typed."""
        text = self._selection.pair_filter

        def stepped(_: str, steps: int) -> None:
            self._selection.scroll_pairs(steps)

        self.ask(
            Prompt.line(
                "Find pairs",
                text,
                place=PAIRS,
                answered=self._selection.filter_pairs,
                changed=self._selection.filter_pairs,
                stepped=stepped,
                dropped=lambda: self._selection.filter_pairs(""),
            )
        )

    # -- the joints of a robot -----------------------------------------------------------------------------------------

    def ask_joints(self) -> None:
        """Ask which joints the panel is to list: those whose names have what is typed, as it is typed."""
        self._sliders.show()
        self.ask(
            Prompt.line(
                "Find joints",
                self._sliders.filter,
                place=JOINTS,
                answered=self._sliders.filter_joints,
                changed=self._sliders.filter_joints,
                stepped=lambda _, steps: self._sliders.step(steps),
                dropped=lambda: self._sliders.filter_joints(""),
            )
        )

    def ask_joint(self, name: str, typed: str = "") -> None:
        """Ask for the value of a joint, in degrees or scene units: Enter takes it, and Tab goes on to the next."""
        self._sliders.choose(name)
        joint = self._joints.number(name)
        value = self._joints.values[name]
        shown = written(math.degrees(value) if joint.angle else value)

        def taken(text: str) -> None:
            if text.strip() != shown:
                (number,) = read_numbers(text, name)
                self._joints.set(name, math.radians(number) if joint.angle else number)

        def stepped(text: str, steps: int) -> None:
            taken(text)
            self._sliders.step(1 if steps > 0 else -1)
            self.ask_joint(self._sliders.chosen)

        if joint.follows:
            joint.checked(value)  # which says so
        asked = Prompt.line(name, shown, place=f"{JOINTS}: {name}", answered=taken, stepped=stepped)
        self.ask(replace(asked, text=typed, cursor=len(typed), whole=False) if typed else asked)

    def ask_pose(self) -> None:
        """Ask which of the poses of a robot to take."""
        names = self._joints.poses
        if not names:
            raise ValueError("this scene is no robot with joints")
        if len(names) <= _LETTERED:
            poses = letters(names)
            self.ask(Prompt("Take a pose", poses, answered=lambda key: self._joints.take_pose(poses[key])))
            return

        def find(text: str) -> None:
            found = {name: name for name in names if text.lower() in name.lower()}
            if self.prompt is not None:
                self.prompt = replace(self.prompt, choices=found, hot=next(iter(found), ""))

        self.ask(Prompt("Take a pose", finds=True, answered=self._joints.take_pose, changed=find))
        find("")

    def ask_save_pose(self) -> None:
        """Ask for a name for the pose of a robot, and write it into its SRDF file."""
        self._ask_save_pose(_nothing)

    def _ask_save_pose(self, after: Callable[[], object]) -> None:
        srdf, poses = self._file.srdf, self._joints.poses
        if srdf is None:
            raise ValueError("this scene comes from no file of a robot")

        def save(name: str) -> None:
            self._file.save_pose(name)
            self._joints.keep_pose(name)
            words = shlex.join(["--srdf", srdf.name, "--pose", name])
            self._document.say(f"saved the pose {name} in {srdf.name}: {words} opens it")
            after()

        def answered(text: str) -> None:
            name = text.strip()
            if name in (ZERO, OPENED):
                raise ValueError(f"every robot has a pose that is called {name!r}: give it another name")
            if name in poses:
                another = partial(self._ask_save_pose, after)
                title = f"there is a pose named {name!r} already"
                self.ask_choice(title, OVERWRITE | {"a": "give it another name"}, o=partial(save, name), a=another)
            else:
                save(name)

        fresh = next(name for name in map("pose{}".format, count(1)) if name not in poses)
        self.ask_line(f"Save this pose in {srdf.name} as", answered, fresh)

    # -- the file and the view -----------------------------------------------------------------------------------------

    def ask_save(self) -> None:
        """Save the scene; ask where, if it has no file that it can be saved in, and before anything is overwritten.

        What is in hand is let go first: what is saved is what is seen.
        """
        self._tool.accept()
        self._ask_save(_nothing)

    def ask_save_as(self) -> None:
        """Ask for the file to save the scene in; what is in hand is let go first."""
        self._tool.accept()
        self._ask_save_as("Save as", _nothing)

    def ask_remember(self) -> None:
        """Ask which bookmark is to remember the view."""
        taken = {key: "" if key not in self._view.bookmarks else "in place of another view" for key in BOOKMARKS}
        self.ask(Prompt("Remember this view as", taken, answered=self._view.remember))

    def ask_recall(self) -> None:
        """Ask which of the views that are remembered to return to."""
        kept = {key: "" for key in BOOKMARKS if key in self._view.bookmarks}
        if not kept:
            raise ValueError("no view is remembered; Ctrl+B remembers this one")
        self.ask(Prompt("Return to the view", kept, answered=self._view.recall))

    def ask_close(self) -> None:
        """End the session; ask what to do with unsaved changes to a file, if there are any."""
        self.ask_leave(self.close)

    def close(self) -> None:
        """End the session, whatever changed."""
        self.closed = True
        self._document.touch()

    def ask_leave(self, after: Callable[[], object]) -> None:
        """Do what follows when the scene is left; ask about unsaved changes first, as `ask_close` does."""
        self._tool.accept()
        self._document.interrupt()
        path = self._file.path
        if not self._file.asks or (path is None and not self.asks_always):
            after()
            return
        title = f"{'the new scene' if path is None else path.name} has unsaved changes"
        choices = {"s": "save them", "d": "discard them"}
        self.ask_choice(title, choices, s=lambda: self._ask_save(after), d=after)

    def look_at_file(self) -> None:
        """Take over a change of the file by another program; where something is not saved, ask first.

        To be called now and then; while something is in hand or asked, nothing happens.
        """
        if self._document.held or self.prompt is not None or not self._file.changed_outside():
            return
        if not self._file.dirty:
            self._read_again()
            return

        name = self._file.path.name if self._file.path else ""
        title = f"{name} was changed by another program, and here there are unsaved changes"
        choices = {"k": "keep those here"} | READ_AGAIN | SAVE_AS
        self.ask_choice(title, choices, r=self._file.revert, a=lambda: self._ask_save_as("Save as", _nothing))

    # -- the numbers of what is selected -------------------------------------------------------------------------------

    def ask_card(self) -> None:
        """Ask for the first number of what is selected."""
        self._document.chosen()
        fields = self._inspector.fields
        if not fields:
            raise ValueError("what is selected has no numbers to type")
        self.ask_number(fields[0].name)

    def ask_number(self, name: str, number: int = 0) -> None:
        """Ask for a number of the card: Enter takes it, and Tab goes on to the next."""
        places = [(field, at) for field in self._inspector.fields for at in range(len(field.numbers))]
        now = next((k for k, (field, at) in enumerate(places) if (field.name, at) == (name, number)), None)
        if now is None:
            raise ValueError(f"what is selected has no {name} {number}")
        field = places[now][0]
        value = field.numbers[number]
        shown = "" if value is None else written(value)

        def taken(text: str) -> None:
            if text.strip() != shown:
                self._inspector.set_number(name, *read_numbers(text, field.label), first=number)

        def stepped(text: str, steps: int) -> None:
            taken(text)
            following, at = places[(now + (1 if steps > 0 else -1)) % len(places)]
            self.ask_number(following.name, at)

        self.ask(
            Prompt.line(
                field.label,
                shown,
                place=field.place(number),
                answered=taken,
                stepped=stepped,
            )
        )

    def copy_card(self) -> None:
        """Ask for the text of what is selected to be copied."""
        self.request(CopyText(self._inspector.text))

    def copy_test(self) -> None:
        """Ask for a test of what is selected, or of all that collides, to be copied."""
        self.request(CopyText(self._inspector.test_text))

    # -- pictures of the window ----------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Ask for the file to save a picture in, and before anything is overwritten."""
        if not self.takes_pictures:
            raise ValueError("there is no window to take a picture of: viewer.snapshot makes one of a session")
        self._ask_picture(self._file.beside(PICTURE).name)

    def refuse_picture(self, request: SavePicture, why: str) -> None:
        """Ask for another file, as a picture could not be written."""
        self._ask_picture(str(request.path), why)

    def share_page(self) -> None:
        """Have the scene written as a page beside its file, and ask before anything is overwritten."""
        if not self.takes_pictures:
            raise ValueError("there is no window that writes pages: viewer.export_html writes one of a scene")
        target = self._file.beside(SHARED)
        if _exists(target):
            write = partial(self.request, SharePage(target))
            self.ask_choice(f"there is a file {target} already", OVERWRITE, o=write)
        else:
            self.request(SharePage(target))

    # -- menus ---------------------------------------------------------------------------------------------------------

    def ask_menu(self, title: str | None = None, at: tuple[float, float] | None = None) -> None:
        """Ask which command of a menu to give, or, without a title, which menu.

        At a pixel where a shape is seen, that is selected unless it is already, and the menu is that of what is
        selected.
        """
        if title is not None:
            if title not in MENUS:
                raise ValueError(f"a menu is one of {', '.join(MENUS)}, got {title!r}")
            self._ask_menu(title, map(_row, MENUS[title]), at)
        elif at is not None and self._selection.point_at(*at):
            self._ask_shapes(at)
        else:
            self.ask_menus(at)

    def ask_pair(self, a: str, b: str, at: tuple[float, float]) -> None:
        """Select two shapes, and ask at a pixel what to do with them."""
        self._selection.select_many([a, b])
        self._ask_shapes(at)

    def ask_menus(self, at: Place = None) -> None:
        """Ask which menu, at a pixel whatever is seen there."""
        shown = [title for title in MENUS if title != ROBOT or self._joints.model is not None]
        self._ask_menu("Menu", [(title, LEADS_ON, Command("dialog.ask_menu", title, at)) for title in shown], at)

    def ask_command(self) -> None:
        """Ask for a command by its name or its keys: as more is typed, fewer are listed."""
        self.ask(Prompt("Find a command", finds=True, answered=self._found, changed=self._find))
        self._find("")

    # -- what is heard of ----------------------------------------------------------------------------------------------

    def mouse(self, _: Pointer) -> bool:
        """Keep the mouse from everything else while something is asked."""
        return self.prompt is not None

    def key(self, key: Key) -> bool:
        """Take every key while something is asked."""
        asked = self.prompt
        if asked is None:
            return False
        character = "" if key.ctrl or key.alt else key.character
        if key.name == "escape":
            self.dismiss()
        elif asked.finds and key.chord in _STEPS:
            self.step_choice(_STEPS[key.chord])
        elif asked.finds and key.name in ("return", "enter"):
            if asked.hot:
                self.answer(asked.hot)
        elif asked.choices and not asked.finds:
            self._choose(asked, key.name, character.lower())
        elif key.name in ("return", "enter"):
            self.answer(asked.text)
        elif key.alt and key.name in asked.options:
            self.tick_option(key.name)
        elif asked.stepped is not None and key.chord in _STEPS:
            step, steps = asked.stepped, _STEPS[key.chord]
            self._try(asked, asked.text, lambda: step(asked.text, steps))
        else:
            after = asked.typed(key.name, character, ctrl=key.ctrl)
            if after != asked:
                self.prompt = after
                self._try(after, after.text, lambda: after.changed(after.text))
        return True

    # -- inside --------------------------------------------------------------------------------------------------------

    def _try(self, asked: Prompt, text: str, act: Callable[[], object]) -> None:
        """Do what a text is for; where it will not do, the question stays and says why."""
        try:
            act()
        except (ValueError, KeyError) as error:
            self.prompt = replace(asked, text=text, cursor=len(text), error=reason(error), whole=False)
        self._document.touch()

    def _find(self, text: str) -> None:
        """List the commands that have what is typed, the first of them lit."""
        found = find_commands(text)
        if self.prompt is not None:
            self.prompt = replace(
                self.prompt,
                choices={line.keys: f"{line.text}\t{line.keys}" for line in found},
                commands={line.keys: line.binding.command for line in found if line.binding is not None},
                hot=found[0].keys if found else "",
            )

    def _found(self, keys: str) -> None:
        """Say of what only the mouse does what that is."""
        (text,) = (line.text for line in find_commands("") if line.keys == keys)
        self._document.say(f"{keys}: {text}")

    def _choose(self, asked: Prompt, name: str, character: str) -> None:
        """Go through choices by the arrow keys, into menus and out of them; or choose by a letter."""
        command = asked.commands.get(asked.hot)
        leads_on = command is not None and command.name in _MENUS
        if name in ("up", "down"):
            self._show(asked.next_choice(1 if name == "down" else -1))
        elif asked.hot and (name in ("return", "enter") or (name == "right" and leads_on)):
            self.answer(asked.hot)
        elif name in ("left", "backspace") and asked.before is not None:
            self._show(asked.before)
        elif character in asked.choices:
            self.answer(character)

    def _show(self, prompt: Prompt) -> None:
        if prompt != self.prompt:
            self.prompt = prompt
            self._document.touch()

    def _read_again(self) -> None:
        try:
            self._file.revert()
        except ValueError as error:
            path = self._file.path
            why = reason(error).replace(str(path), path.name if path else "")
            self._document.say(f"the file has changed and cannot be read, the scene stays as it was: {why}")

    def _ask_save(self, after: Callable[[], object]) -> None:
        if not self._file.saves_over and self._file.path is not None and self._file.srdf is not None:
            title = f"{self._file.path.name} stays as it is"
            choices = {"p": f"save the pose in {self._file.srdf.name}", "s": "save the shapes as a scene"}
            as_scene = partial(self._ask_save_as, "Save as", after)
            self.ask_choice(title, choices, p=partial(self._ask_save_pose, after), s=as_scene)
            return
        if not self._file.saves_over:
            why = f"{self._file.path.name} cannot be saved over. " if self._file.path else ""
            self._ask_save_as(f"{why}Save as", after)
            return
        try:
            self._file.save()
        except Conflict as conflict:
            self._ask_overwrite(conflict, lambda: self._file.save(overwrite=True), after)
        else:
            self._saved(after)

    def _ask_save_as(self, title: str, after: Callable[[], object]) -> None:
        def answered(name: str) -> None:
            try:
                self._file.save_as(name)
            except Conflict as conflict:
                self._ask_overwrite(conflict, lambda: self._file.save_as(name, overwrite=True), after)
            else:
                self._saved(after)

        suggested = str(self._file.path.with_suffix(SAVED)) if self._file.path else f"scene{SAVED}"
        if self._file.path is not None and not (self._file.saves_over and os.path.isdir(self._file.path.parent)):
            suggested = Path(suggested).name  # where the user is, not in a folder of examples or of models
        self.ask_line(title, answered, suggested)

    def _ask_overwrite(self, conflict: Conflict, save: Callable[[], object], after: Callable[[], object]) -> None:
        def overwrite() -> None:
            save()
            self._saved(after)

        another = partial(self._ask_save_as, "Save as", after)
        self.ask_choice(str(conflict), conflict.ways, o=overwrite, r=self._file.revert, a=another)

    def _saved(self, after: Callable[[], object]) -> None:
        self._document.say(f"saved {self._file.path.name if self._file.path else ''}")
        after()

    def _ask_picture(self, name: str, error: str = "") -> None:
        named = self._picture_named
        prompt = Prompt.line(PICTURE_TITLE, name, options=_PICTURE_OPTIONS, ticked=self._ticked, answered=named)
        self.ask(replace(prompt, error=error, whole=not error))

    def _picture_named(self, name: str) -> None:
        if not name.strip():
            raise ValueError(f"a name of a {PICTURE} file is wanted, got nothing")
        target = target_of(name.strip(), PICTURE, "a picture")
        if not _exists(target):
            self._request_picture(target)
            return
        write, another = partial(self._request_picture, target), partial(self._ask_picture, name)
        self.ask_choice(f"there is a file {target.name} already", OVERWRITE | SAVE_AS, o=write, a=another)

    def _request_picture(self, target: Path) -> None:
        ticked = self._ticked
        self.request(SavePicture(target, "t" in ticked, "p" not in ticked, 2 if "d" in ticked else 1))

    def _ask_shapes(self, at: Place) -> None:
        """Ask what to do with what is selected."""
        names, pair = self._document.selected, self._selection.pair
        rows = [_row(BINDINGS[key]) for key in _OF_SHAPES]
        if pair is not None:
            frame = ("frame the pair", "", Command("selection.show_pair", *pair))
            rows[-1:-1] = [frame, _row(BINDINGS["shift+i"])]
        rows.append(("general menu", LEADS_ON, Command("dialog.ask_menus", at)))
        title = " and ".join(names) if len(names) <= _FEW else f"{len(names)} shapes"
        if len(names) == 1:
            title = f"{title}, {KIND_NAMES[type(self._document.scene[title])]}"
        self._ask_menu(title, rows, at)

    def _ask_menu(self, title: str, rows: Iterable[tuple[str, str, Command]], at: Place) -> None:
        """Ask for one of some commands, each with its name and what stands beside it."""
        rows = list(rows)
        of = dict(zip(letters(name for name, _, _ in rows), rows, strict=True))
        width, height = self._view.viewport.size
        prompt = Prompt(
            title,
            {key: f"{name}\t{beside}" if beside else name for key, (name, beside, _) in of.items()},
            at=None if at is None else (at[0] / width, at[1] / height),
            commands={key: command for key, (_, _, command) in of.items()},
        )
        self.ask(prompt)


def _nothing() -> None:
    """Leave everything as it is."""


def _exists(target: Path) -> bool:
    with in_words(target, "written"):
        return target.exists()


def _row(binding: Binding) -> tuple[str, str, Command]:
    """Return the name of a command, its key, and the command."""
    return binding.name, printed(binding.chords[0]), binding.command


def reason(error: Exception) -> str:
    """Return what an error says, without the quotes of a KeyError and the class that a constructor puts before a field.

    >>> reason(ValueError("Sphere.radius must be zero or more, got -1.0"))
    'radius must be zero or more, got -1.0'
    """
    text = str(error.args[0]) if isinstance(error, KeyError) else str(error)
    return _CLASS.sub("", text)


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a key for each of some names: the first of its letters that none before it has, or else a digit.

    >>> letters(["save", "save as", "revert"])
    {'s': 'save', 'a': 'save as', 'r': 'revert'}
    """
    keys: dict[str, str] = {}
    for name in names:
        characters = [*filter(str.isalpha, name.lower()), *"123456789"]
        keys[next(character for character in characters if character not in keys)] = name
    return keys
