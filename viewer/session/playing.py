"""Motions: time passes, and shapes move along their keyframes.

What a session changes, remembers and saves is the scene at rest; what is seen is that scene at the time. So an edit at
any time, by key or from Python, changes how the scene rests, and all that moves follows. Handles are only on what
stands where it rests: of a shape that is elsewhere just now they would be in the wrong place.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Iterator

import numpy as np

from collision import AABB, Scene, TouchingIntervals, touching_intervals
from collision.inner import read_number
from viewer.picture.drawables import Timeline, TimelineRow
from viewer.picture.timeline import Strip, row_count, timeline_rows
from viewer.session.ends import Ends
from viewer.view.sizes import unit_of

#: Frames a second that steps go by, and how much slower or faster it can go.
FPS = 24.0
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)

#: A picture that took long is followed by the last of at most so many scenes that were due.
MOST_AT_ONCE = 4

#: So many places of a motion are looked at for the box that the ground lies under.
PLACES = 48


class Playing(Ends):
    """The layer of a session that plays motions."""

    def __init__(self, scene: Scene, size: tuple[int, int], view: str | None, extent: AABB | None) -> None:
        self._time = scene.span[0] if scene.span else 0.0
        self._posed: tuple[Scene, float, Scene] | None = None
        self._touching: tuple[Scene, TouchingIntervals] | None = None
        self._playing = False
        self._loop = True
        self._speed = 1.0
        self._scrubbing = False
        self._coming: Iterator[Scene] | None = None
        self._pace, self._waited = 0.0, 0.0
        super().__init__(scene, size, view, whole_extent(scene) if extent is None else extent)

    # -- what there is to see -----------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is seen: at the time, if it has a motion; also in the middle of a drag."""
        rest = self._scene
        if not rest.motion:
            return rest
        if self._posed is None or self._posed[0] is not rest or self._posed[1] != self.time:
            self._posed = (rest, self.time, rest.at(self.time))
        return self._posed[2]

    @property
    def resting(self) -> Scene:
        """The scene at rest, with its motion: what edits change, and what is saved."""
        return self._scene

    @property
    def time(self) -> float:
        """The time that is seen, in seconds; it stays within the motion."""
        span = self._scene.span
        return self._time if span is None else min(max(self._time, span[0]), span[1])

    @property
    def has_motion(self) -> bool:
        """Whether there is a time to go through: a motion, or scenes that come."""
        return self._scene.span is not None or self._coming is not None

    @property
    def playing(self) -> bool:
        """Whether time passes."""
        return self._playing and (self._scene.span is not None or self._coming is not None)

    @property
    def speed(self) -> float:
        """How many seconds of the motion pass in a second."""
        return self._speed

    @property
    def loop(self) -> bool:
        """Whether the motion begins anew when it is over."""
        return self._loop

    @property
    def touching(self) -> TouchingIntervals | None:
        """When pairs touch; None without a motion. While something is in hand, when they did before."""
        scene = self._scene
        if scene.span is None:
            return None
        if self._touching is None or (self._touching[0] is not scene and not self.pending):
            self._touching = (scene, touching_intervals(scene))
        return self._touching[1]

    @property
    def timeline(self) -> Timeline | None:
        """The strip of the time; None without a motion, or where its toggle hides it.

        For as long as an edit is in hand, it has no touches: they were those of the scene before.
        """
        found, span = self.touching, self._scene.span
        if found is None or span is None or span[0] == span[1] or not self.toggles.hud:
            return None
        rows, more = timeline_rows(self._scene, found, row_count(self._viewport.size))
        state = (self.time, self.playing, self.speed, self.loop)
        if self._touching is not None and self._touching[0] is not self._scene:
            # As high as before: panels do not jump when it is let go.
            return Timeline(*span, *state, kept=len(rows) + (more > 0))
        return Timeline(*span, *state, tuple(map(tuple, found.merged().tolist())), rows, more)

    # -- time ---------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Have time pass; at the end, from the start."""
        span = self._scene.span
        if span is not None and self.time >= span[1]:
            self._time = span[0]
        self._playing = span is not None or self._coming is not None
        self._moved_on()

    def follow(self, scenes: Iterable[Scene], fps: float = 30.0) -> None:
        """Show scenes that come one after another while it plays, and play: those of a simulation that runs.

        Each takes the place of the one before; edits last until the next comes, and the history does not know of them.

        Parameters
        ----------
        scenes : iterable of Scene
            They may come for ever; when there is none left, it pauses.
        fps : float
            Scenes a second.

        Raises
        ------
        ValueError
            If the scenes a second are not above 0 and at most 1000.
        """
        if not 0.0 < fps <= 1000.0:
            raise ValueError(f"fps must be above 0 and at most 1000, got {fps}")
        self._coming, self._pace, self._waited = iter(scenes), 1.0 / fps, 0.0
        self.play()

    def pause(self) -> None:
        """Have time stand still."""
        self._playing = False
        self._moved_on()

    def play_or_pause(self) -> None:
        """Play, or pause."""
        if not self._ask_motion():
            return
        (self.pause if self.playing else self.play)()

    def scrub(self, time: float) -> None:
        """Go to a time, the nearest within the motion.

        Raises
        ------
        ValueError
            If it is not finite.
        """
        self._time = read_number(time, "scrub: time")
        self._time = self.time
        self._moved_on()

    def step(self, frames: float) -> None:
        """Pause, and go some 24ths of a second on, or back; of scenes that come, take the next."""
        if not self._ask_motion():
            return
        self._playing = False
        if self._coming is not None:
            self._take(int(frames))
            return
        self.scrub(self.time + frames / FPS)

    def to_change(self, direction: int) -> None:
        """Pause, and go to where the next pair begins or ceases to touch, or back to where the last did."""
        found, span = self.touching, self._scene.span
        if not self._ask_motion() or found is None or span is None:
            return
        self._playing = False
        times = sorted({span[0], *found.begin.tolist(), *found.end.tolist(), span[1]})
        place = bisect.bisect_right(times, self.time) if direction > 0 else bisect.bisect_left(times, self.time) - 1
        self.scrub(times[min(max(place, 0), len(times) - 1)])

    def to_start(self) -> None:
        """Go to the start of the motion; without one, look at everything."""
        span = self._scene.span
        if span is None:
            self.frame_all()
        else:
            self.scrub(span[0])

    def to_end(self) -> None:
        """Go to the end of the motion."""
        span = self._scene.span
        if self._ask_motion() and span is not None:
            self.scrub(span[1])

    def change_speed(self, steps: int) -> None:
        """Go faster, or slower, by some steps."""
        place = SPEEDS.index(self._speed) + steps
        self._speed = SPEEDS[min(max(place, 0), len(SPEEDS) - 1)]
        self._touch()

    def switch_loop(self) -> None:
        """Begin anew when the motion is over, or stop there."""
        self._loop = not self._loop
        self._touch()

    def tick(self, seconds: float) -> bool:
        """Let some real time pass; True when another time is seen. Nothing moves while something is in hand.

        Raises
        ------
        ValueError
            If it is negative or not finite.
        """
        if not 0.0 <= seconds < math.inf:
            raise ValueError(f"tick: seconds must be zero or more and finite, got {seconds!r}")
        span, before = self._scene.span, self.time
        if self._coming is not None and self.playing and not self.pending:
            self._waited += seconds
            due = int(self._waited / self._pace + 1e-9)
            self._waited -= due * self._pace
            return self._take(min(due, MOST_AT_ONCE))
        if span is None or not self.playing or self.pending or self._scrubbing:
            return False
        time, length = before + seconds * self._speed, span[1] - span[0]
        if time > span[1]:
            self._playing = self._loop and length > 0.0
            time = span[0] + (time - span[0]) % length if self._playing else span[1]
        self._time = time
        self._moved_on()
        return self.time != before

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def press(self, x: float, y: float, *, ctrl: bool = False) -> bool:  # noqa: D102 (on the strip: scrub, or what a name there says)
        timeline = self.timeline
        if timeline is not None and not self.pending and (strip := self._strip(timeline)).plate.covers(x, y):
            row = strip.row_at(x, y)
            if row == 0:
                self.play_or_pause()
            elif row is not None:
                self._show_touch(timeline.rows[row - 1])
            elif x >= strip.track.x:
                self._scrubbing = True
                self.scrub(strip.time_at(x))
            return True
        return super().press(x, y, ctrl=ctrl)

    def move(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:  # noqa: D102
        timeline = self.timeline if self._scrubbing else None
        if timeline is not None:
            self.scrub(self._strip(timeline).time_at(x))
            return True
        return super().move(x, y, shift=shift, ctrl=ctrl)

    def release(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:  # noqa: D102
        if self._scrubbing:
            self._scrubbing = False
            return True
        return super().release(x, y, shift=shift, ctrl=ctrl)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _whole_extent(self, scene: Scene) -> AABB | None:
        return whole_extent(scene)

    def _ask_motion(self) -> bool:
        """Tell whether there is a time to go through, and say so where there is none."""
        if not self.has_motion:
            self.say("this scene has no motion")
        return self.has_motion

    def _take(self, count: int) -> bool:
        """Show the last of some scenes that come; False where there is none."""
        found = None
        for _ in range(count):
            latest = next(self._coming, None) if self._coming is not None else None
            if latest is None:
                self._playing, self._coming = False, None
                self._touch()
                break
            found = latest
        if found is not None:
            self._show(found, self._selected)
        return found is not None

    def _show_touch(self, row: TimelineRow) -> None:
        """Show a pair while it touches: now, or else the next time that it does, or the first."""
        if not any(begin <= self.time <= end for begin, end in row.spells):
            begins = [begin for begin, _ in row.spells]
            self.scrub(next((begin for begin in begins if begin > self.time), begins[0]))
        self.show_pair(*row.pair)

    def _strip(self, timeline: Timeline) -> Strip:
        size = self._viewport.size
        return Strip.of(timeline, size, unit_of(size), self.theme.font_size)

    def _moved_on(self) -> None:
        self._made = None  # the handles
        self._touch()

    def _obstacle(self, scene: Scene) -> tuple[str, ...]:
        found = super()._obstacle(scene)
        if found or not self._elsewhere(scene, self.time):
            return found
        ends = zip(("Home", "End"), scene.span or (), strict=False)
        key = next((key for key, time in ends if not self._elsewhere(scene, time)), None)
        where = f"moving just now; {key} goes to where it rests" if key else "moving, and at neither end where it rests"
        return where, "no handles here: keys change how it rests"

    def _elsewhere(self, scene: Scene, time: float) -> bool:
        """Say whether something that is selected is not where it rests, at a time."""
        if not scene.motion or not self.selected:
            return False
        there = self.scene if scene is self._scene and time == self.time else scene.at(time)
        return any(name in scene and scene[name] != there[name] for name in self.selected)


def whole_extent(scene: Scene) -> AABB | None:
    """Return the box around a scene at all times of its motion, as far as some of them tell."""
    if scene.span is None:
        return scene.bounds()
    times = [np.linspace(*scene.span, PLACES), *(motion.times for motion in scene.motion)]
    boxes = [scene.at(time).bounds() for time in np.unique(np.concatenate(times)[: 4 * PLACES]).tolist()]
    found = [box for box in boxes if box is not None]
    return AABB.union(*found) if found else None
