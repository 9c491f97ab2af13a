"""Time: shapes move along their keyframes, and scenes come one after another.

What a session changes, remembers and saves is the scene at rest; what is seen is that scene at the time. So an edit at
any time, by key or from Python, changes how the scene rests, and all that moves follows. Handles are only on what
stands where it rests: of a shape that is elsewhere just now they would be in the wrong place.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Iterator

from collision import Scene, TouchingIntervals, touching_intervals
from collision.inner import BoolArray, only_touching, read_number
from viewer.session.document import Document

#: Frames a second that steps go by, and how much slower or faster it can go.
FPS = 24.0
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)

#: A picture that took long is followed by the last of at most so many scenes that were due.
MOST_AT_ONCE = 4


class Player:
    """Says at which time a document is seen, and lets it pass."""

    def __init__(self, document: Document) -> None:
        self._document = document
        span = document.scene.span
        self._time = span[0] if span else 0.0
        #: How many seconds of the motion pass in a second.
        self.speed = 1.0
        #: Whether the motion begins anew when it is over.
        self.loop = True
        self._playing = self._scrubbing = False
        self._coming: Iterator[Scene] | None = None
        self._pace, self._waited = 0.0, 0.0
        #: The scene at rest and the time of the last scene that was seen; and when pairs touch in the last one asked.
        self._seen: tuple[Scene, float, Scene] | None = None
        self._touching: tuple[Scene, TouchingIntervals, BoolArray] | None = None

    # -- what there is to see -----------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene as it is seen: at the time, if it has a motion; also in the middle of a drag."""
        rest, time = self._document.scene, self.time
        if not rest.motion:
            return rest
        if self._seen is None or self._seen[0] is not rest or self._seen[1] != time:
            self._seen = (rest, time, rest.at(time))
        return self._seen[2]

    @property
    def time(self) -> float:
        """The time that is seen, in seconds; it stays within the motion."""
        span = self._document.scene.span
        return self._time if span is None else min(max(self._time, span[0]), span[1])

    @property
    def has_motion(self) -> bool:
        """Whether there is a time to go through: a motion, or scenes that come."""
        return self._document.scene.span is not None or self._coming is not None

    @property
    def playing(self) -> bool:
        """Whether time passes."""
        return self._playing and self.has_motion

    @property
    def touching(self) -> TouchingIntervals | None:
        """When pairs touch; None without a motion. While something is in hand, when they did before."""
        found = self._touches()
        return found and found[1]

    @property
    def only_touching(self) -> BoolArray | None:
        """In which of the intervals of `touching` the pair touches and no more; None without a motion."""
        found = self._touches()
        return found and found[2]

    def _touches(self) -> tuple[Scene, TouchingIntervals, BoolArray] | None:
        scene = self._document.settled
        if scene.span is None:
            return None
        if self._touching is None or self._touching[0] is not scene:
            found = touching_intervals(scene)
            self._touching = (scene, found, only_touching(scene, found))
        return self._touching

    def at_rest(self, names: Iterable[str], time: float | None = None) -> bool:
        """Tell whether all that is named is where it rests, at a time; by default at the one that is seen."""
        rest = self._document.scene
        if not rest.motion:
            return True
        there = self.scene if time is None else rest.at(time)
        return all(rest[name] == there[name] for name in names)

    # -- time ---------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Have time pass; at the end, from the start."""
        span = self._document.scene.span
        if span is not None and self.time >= span[1]:
            self._time = span[0]
        self._playing = self.has_motion
        self._document.touch()

    def follow(self, scenes: Iterable[Scene], fps: float = 30.0) -> None:
        """Show scenes that come one after another while it plays, and play: those of a simulation that runs."""
        if not 0.0 < fps <= 1000.0:
            raise ValueError(f"fps must be above 0 and at most 1000, got {fps}")
        self._coming, self._pace, self._waited = iter(scenes), 1.0 / fps, 0.0
        self.play()

    def pause(self) -> None:
        """Have time stand still."""
        self._playing = False
        self._document.touch()

    def play_or_pause(self) -> None:
        """Play, or pause."""
        if self._ask_motion():
            (self.pause if self.playing else self.play)()

    def scrub(self, time: float) -> None:
        """Go to a time, the nearest within the motion."""
        self._time = read_number(time, "scrub: time")
        self._time = self.time
        self._document.touch()

    def hold(self, *, held: bool) -> None:
        """Have time stand still for as long as it is held, as by the mouse on its strip."""
        self._scrubbing = held

    def step(self, frames: float) -> None:
        """Pause, and go some 24ths of a second on, or back; of scenes that come, take the next."""
        if not self._ask_motion():
            return
        self._playing = False
        if self._coming is not None:
            self._document.interrupt()
            self._take(int(frames))
            return
        self.scrub(self.time + frames / FPS)

    def to_change(self, direction: int) -> None:
        """Pause, and go to where the next pair begins or ceases to touch, or back to where the last did."""
        touching, span = self.touching, self._document.scene.span
        if not self._ask_motion() or touching is None or span is None:
            return
        self._playing = False
        times = sorted({span[0], *touching.begin.tolist(), *touching.end.tolist(), span[1]})
        place = bisect.bisect_right(times, self.time) if direction > 0 else bisect.bisect_left(times, self.time) - 1
        self.scrub(times[min(max(place, 0), len(times) - 1)])

    def to_start(self) -> bool:
        """Go to the start of the motion; False without one."""
        span = self._document.scene.span
        if span is None:
            return False
        self.scrub(span[0])
        return True

    def to_end(self) -> None:
        """Go to the end of the motion."""
        span = self._document.scene.span
        if self._ask_motion() and span is not None:
            self.scrub(span[1])

    def change_speed(self, steps: int) -> None:
        """Go faster, or slower, by some steps."""
        place = SPEEDS.index(self.speed) + steps
        self.speed = SPEEDS[min(max(place, 0), len(SPEEDS) - 1)]
        self._document.touch()

    def switch_loop(self) -> None:
        """Begin anew when the motion is over, or stop there."""
        self.loop = not self.loop
        self._document.touch()

    def tick(self, seconds: float) -> bool:
        """Let some real time pass; True when another time is seen. Nothing moves while something is in hand."""
        if not 0.0 <= seconds < math.inf:
            raise ValueError(f"tick: seconds must be zero or more and finite, got {seconds!r}")
        if not self.playing or self._document.held:
            return False
        if self._coming is not None:
            self._waited += seconds
            due = int(self._waited / self._pace + 1e-9)
            self._waited -= due * self._pace
            return self._take(min(due, MOST_AT_ONCE))
        return not self._scrubbing and self._pass(seconds * self.speed)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _pass(self, seconds: float) -> bool:
        """Let some time of the motion pass; True when another time is seen."""
        span, before = self._document.scene.span, self.time
        if span is None:
            return False
        time, length = before + seconds, span[1] - span[0]
        if time > span[1]:
            self._playing = self.loop and length > 0.0
            time = span[0] + (time - span[0]) % length if self._playing else span[1]
        self._time = time
        self._document.touch()
        return self.time != before

    def _take(self, count: int) -> bool:
        """Show the last of some scenes that come; False where there is none."""
        latest = None
        for _ in range(count):
            scene = next(self._coming, None) if self._coming is not None else None
            if scene is None:
                self._playing, self._coming = False, None
                self._document.touch()
                break
            latest = scene
        if latest is not None:
            self._document.follow(latest)
        return latest is not None

    def _ask_motion(self) -> bool:
        """Tell whether there is a time to go through, and say so where there is none."""
        if not self.has_motion:
            self._document.say("this scene has no motion")
        return self.has_motion
