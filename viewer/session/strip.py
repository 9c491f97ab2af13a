"""The strip of the time at the foot of the picture: what it shows, and what the mouse does on it."""

from __future__ import annotations

from viewer.records.drawables import Timeline, TimelineRow
from viewer.records.events import Pointer
from viewer.records.sizes import unit_of
from viewer.records.timeline import Strip, row_count, timeline_rows
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.view import View


class TimeStrip:
    """Shows the time of a motion, and lets the mouse choose it."""

    def __init__(
        self, document: Document, player: Player, view: View, settings: Settings, selection: Selection
    ) -> None:
        self._document, self._player, self._view = document, player, view
        self._settings, self._selection = settings, selection
        self._scrubbing = False

    @property
    def timeline(self) -> Timeline | None:
        """The strip of the time; None without a motion, or where its toggle hides it.

        For as long as an edit is in hand, it has no touches: they were those of the scene before.
        """
        player, scene, settled = self._player, self._document.scene, self._document.settled
        touching, span = player.touching, scene.span
        if touching is None or span is None or span[0] == span[1] or not self._settings.toggles.hud:
            return None
        room = row_count(self._view.viewport.size, self._settings.theme.font_size)
        rows, more = timeline_rows(settled, touching, room, player.time)
        state = (player.time, player.playing, player.speed, player.loop)
        if scene is not settled:
            # As high as before: panels do not jump when it is let go.
            return Timeline(*span, *state, kept=len(rows) + (more > 0))
        return Timeline(*span, *state, tuple(map(tuple, touching.merged().tolist())), rows, more)

    def press(self, mouse: Pointer) -> bool:
        """Go to the time under the mouse, or do what the name there says."""
        timeline = self.timeline
        if timeline is None or self._document.held:
            return False
        strip = self._place(timeline)
        if not strip.plate.covers(*mouse.place):
            return False
        row = strip.row_at(*mouse.place)
        if row == 0:
            self._player.play_or_pause()
        elif row is not None:
            self._show_touch(timeline.rows[row - 1])
        elif mouse.x >= strip.track.x:
            self._hold(True)
            self._player.scrub(strip.time_at(mouse.x))
        return True

    def move(self, mouse: Pointer) -> bool:
        """Go to the time under the mouse, once it was pressed on the strip; True also where it only is on it."""
        timeline = self.timeline
        if timeline is None or not self._scrubbing:
            return timeline is not None and mouse.button is None and self._place(timeline).plate.covers(*mouse.place)
        self._player.scrub(self._place(timeline).time_at(mouse.x))
        return True

    def release(self, _: Pointer) -> bool:
        """Let go of the time."""
        was = self._scrubbing
        self._hold(False)
        return was

    def cancel(self) -> bool:
        """Let go of the time where it is, which puts nothing back."""
        self._hold(False)
        return False

    def _hold(self, scrubbing: bool) -> None:
        self._scrubbing = scrubbing
        self._player.hold(held=scrubbing)

    def _show_touch(self, row: TimelineRow) -> None:
        """Show a pair while it touches: now, or else the next time that it does, or the first."""
        time = self._player.time
        if not any(begin <= time <= end for begin, end in row.intervals):
            begins = [begin for begin, _ in row.intervals]
            self._player.scrub(next((begin for begin in begins if begin > time), begins[0]))
        self._selection.show_pair(*row.pair)

    def _place(self, timeline: Timeline) -> Strip:
        size = self._view.viewport.size
        return Strip.of(timeline, size, unit_of(size), self._settings.theme.font_size)
