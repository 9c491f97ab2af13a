"""What is shown beside the shapes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from collision import AABB, Scene
from viewer.session.base import Base


@dataclass(frozen=True)
class Toggles:
    """What is shown beside the shapes."""

    hud: bool = True
    legend: bool = True
    grid: bool = True
    labels: bool = True
    hint: bool = False
    help: bool = False


class Showing(Base):
    """The layer of a session that turns things on and off."""

    def __init__(self, scene: Scene, size: tuple[int, int], extent: AABB | None) -> None:
        super().__init__(scene, size, extent)
        self._toggles = Toggles()

    @property
    def toggles(self) -> Toggles:
        """What is shown beside the shapes."""
        return self._toggles

    def toggle(self, name: str) -> None:
        """Show or hide ``hud``, ``legend``, ``grid``, ``labels``, ``hint`` or ``help``.

        Raises
        ------
        ValueError
            If there is no such thing to show.
        """
        names = [field.name for field in fields(Toggles)]
        if name not in names:
            raise ValueError(f"there is {', '.join(names)} to show or hide, got {name!r}")
        self._toggles = replace(self._toggles, **{name: not getattr(self._toggles, name)})
        self._touch()
