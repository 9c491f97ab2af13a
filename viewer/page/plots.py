"""Plots and second pictures of steps as SVG: what the panel of an explanation draws, in the colours of a page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, Ink, Part, Path, Shape
from viewer.layout.plots import Look, least_height, plot_part, space_part
from viewer.records.drawables import ExplanationPanel, Role
from viewer.records.theme import Theme
from viewer.stage.text.fonts import Fonts

#: The width of a plot in pixels, and the height of its text; how high plots are, and second pictures, as a part of it.
WIDTH, TEXT, PLOT, SPACE = 520.0, 14.0, 0.5, 0.62

#: What inks are called among the colours of a page; those of roles have names of their own.
_COLORS = {"text": "text", "faint": "faint-text", "pale": "plate-border", "border": "plate-border"}


class Plots:
    """Draws the plots of steps, with the texts of one font."""

    def __init__(self) -> None:
        self._page = Page((round(WIDTH), round(WIDTH)), 1.0, TEXT, Fonts().width)

    def of(self, panel: ExplanationPanel) -> Iterator[str]:
        """Yield the second picture and the plot of a step, where it has them."""
        look = Look(self._page)
        if panel.space is not None:
            yield _svg(space_part(*panel.space, WIDTH, SPACE * WIDTH, look), panel.space.title)
        if panel.plot is not None:
            high = max(least_height(panel.plot, look), (SPACE if panel.plot.square else PLOT) * WIDTH)
            yield _svg(plot_part(panel.plot, WIDTH, high, look), panel.plot.title)


def role_colors(theme: Theme) -> str:
    """Return the colours of roles as variables of CSS."""
    return ";".join(f"--role-{role.value}:#{bytes(style.color).hex()}" for role, style in theme.styles.items())


def _svg(part: Part, title: str) -> str:
    """Return a part as a picture; its y goes up from its upper edge."""
    shapes = "".join(map(_shape, part.shapes))
    texts = "".join(
        f'<text x="{run.x:.1f}" y="{-run.y:.1f}" font-size="{run.size:.3g}" font-weight="{700 if run.bold else 400}" '
        f'fill="{_color(ink)}">{escape(run.text)}</text>'
        for run, ink in part.texts
    )
    return (
        f'<svg viewBox="0 0 {WIDTH:g} {part.height:.1f}" role="img" aria-label="{escape(title)}">{shapes}{texts}</svg>'
    )


def _shape(shape: Shape) -> str:
    match shape:
        case Path(points, width, ink, opacity):
            way = " ".join(f"{x:.1f},{-y:.1f}" for x, y in points)
            look = f'fill="none" stroke="{_color(ink)}" stroke-width="{width:.3g}"'
            return f'<polyline points="{way}" {look}{_opacity(opacity)}/>'
        case Disk((x, y), radius, ink):
            return f'<circle cx="{x:.1f}" cy="{-y:.1f}" r="{radius:.3g}" fill="{_color(ink)}"/>'
        case Area(rect, ink, opacity, _):
            place = f'x="{rect.x:.1f}" y="{-rect.y - rect.height:.1f}" width="{rect.width:.1f}"'
            return f'<rect {place} height="{rect.height:.1f}" fill="{_color(ink)}"{_opacity(opacity)}/>'
        case _:
            raise TypeError(f"a plot has no {type(shape).__name__}")


def _color(ink: Ink) -> str:
    name = f"role-{ink.value}" if isinstance(ink, Role) else _COLORS.get(str(ink), str(ink))
    return f"var(--{'background' if name == 'paper' else name})"


def _opacity(opacity: float) -> str:
    return f' opacity="{opacity:g}"' if opacity < 1.0 else ""
