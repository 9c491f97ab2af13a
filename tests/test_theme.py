"""A theme is complete, and what collides is told apart without color."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision import DEFICIENCIES, difference
from viewer.records.drawables import ALL_FLAGS, Role, ShapeFlags
from viewer.records.theme import LIGHT, PAINTED, THEMES, Color, Paint, Style, Theme, read_theme

every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
every_eye = pytest.mark.parametrize("deficiency", DEFICIENCIES)


def luminance(color: Color) -> float:
    """Return the relative luminance that the guidelines for accessible text define."""
    parts = [part / 255 for part in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Color, b: Color) -> float:
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


@every_theme
def test_every_color_is_three_bytes(theme: Theme) -> None:
    colors = [style.color for style in theme.styles.values()] + [paint.color for paint in theme.paints.values()]
    colors += [paint.stripe for paint in theme.paints.values() if paint.stripe is not None]
    colors += [theme.background, theme.text, theme.faint_text, theme.plate, theme.plate_border, theme.grid, theme.halo]
    for color in colors:
        assert len(color) == 3
        assert all(isinstance(part, int) and 0 <= part <= 255 for part in color)


@every_theme
def test_red_is_never_the_only_cue(theme: Theme) -> None:
    for flags, paint in theme.paints.items():
        assert (paint.stripe is not None) == bool(flags & (ShapeFlags.HIT | ShapeFlags.TOUCHING))
        assert (paint.stripe_width == 1.0) == (paint.stripe is None or bool(flags & ShapeFlags.HIT))
        if paint.stripe is not None:
            assert contrast(paint.color, paint.stripe) > (1.2 if flags & ShapeFlags.FADED else 1.6)  # also in gray


@every_theme
def test_a_selection_is_no_collision(theme: Theme) -> None:
    for color in (theme.paints[ShapeFlags.SELECTED].color, theme.chosen, theme.ghost.color):
        red, green, blue = color
        assert not (red > 2 * green and red > 2 * blue)


WORDLESS = {Role.MEETING, Role.BURIED, Role.SELECTED, Role.HOVERED, Role.FADED, Role.COVERED, Role.HOT, Role.HANDLE}


@every_theme
def test_text_in_a_roles_color_can_be_read(theme: Theme) -> None:
    # No text has these: halos, what is in hand, what stands aside, and lines on red.
    colors = {role: theme.styles[role].color for role in set(Role) - WORDLESS}
    assert {role for role, color in colors.items() if contrast(color, theme.plate) <= 3.0} == set()


@every_theme
def test_text_can_be_read(theme: Theme) -> None:
    assert contrast(theme.text, theme.plate) > 7.0
    assert contrast(theme.faint_text, theme.plate) > 4.5


def test_a_theme_lacks_nothing() -> None:
    styles: dict[Role, Style] = {role: style for role, style in LIGHT.styles.items() if role is not Role.FOOT}
    paints: dict[ShapeFlags, Paint] = {
        flags: paint for flags, paint in LIGHT.paints.items() if flags is not ShapeFlags.HIT
    }
    with pytest.raises(ValueError, match="got none for foot, HIT"):
        replace(LIGHT, styles=styles, paints=paints)


def test_the_fill_says_whether_a_shape_collides_or_touches_and_all_else_is_rim_and_paleness() -> None:
    theme = replace(LIGHT, background=(0, 0, 0), accent=(1, 2, 3), chosen=(4, 5, 6))
    for flags, paint in theme.paints.items():
        base = theme.paints[flags & ShapeFlags.HIT or flags & ShapeFlags.TOUCHING]
        assert (paint.color, paint.stripe, paint.outline) == (base.color, base.stripe, base.outline)
    assert theme.paints[ShapeFlags.HIT | ShapeFlags.SELECTED].rim == (4, 5, 6)
    assert theme.paints[ShapeFlags.HIT | ShapeFlags.SELECTED | ShapeFlags.HOVERED].rim == (1, 2, 3)
    assert set(theme.paints) == set(ALL_FLAGS)
    red, faded = theme.paints[ShapeFlags.HIT], theme.paints[ShapeFlags.HIT | ShapeFlags.FADED]
    assert faded == replace(red, opacities=faded.opacities)
    assert max(faded.opacities) < 0.5
    assert theme.paints[ShapeFlags.HIT | ShapeFlags.HOVERED] == replace(red, rim=(1, 2, 3))


@every_theme
@every_eye
def test_rims_differ_from_what_they_are_around_and_from_each_other(theme: Theme, deficiency: str) -> None:
    around = [theme.background, *(theme.paints[flags].color for flags in PAINTED)]
    for rim in (theme.accent, theme.chosen):
        assert min(difference(rim, color, deficiency) for color in around) > 20
    assert difference(theme.accent, theme.chosen, deficiency) > 20


def test_a_theme_does_not_change() -> None:
    own = dict(LIGHT.styles)
    theme = replace(LIGHT, styles=own)
    del own[Role.FOOT]
    assert Role.FOOT in theme.styles
    with pytest.raises(TypeError):
        theme.styles[Role.FOOT] = LIGHT.styles[Role.HIT]  # type: ignore[index]


# -- for eyes that lack one kind of cone -------------------------------------------------------------------------------

safe_themes = pytest.mark.parametrize("name", ["colour-blind", "colour-blind-dark"])


def test_the_simulation_knows_red_from_green_as_eyes_do() -> None:
    red, green = (200, 60, 50), (110, 120, 40)
    assert difference(red, green, "none") > 60
    assert difference(red, green, "deuteranopia") < 20
    assert difference((255, 255, 255), (0, 0, 0), "tritanopia") == pytest.approx(100.0, abs=0.1)


@every_theme
@every_eye
def test_what_collides_differs_from_what_does_not(theme: Theme, deficiency: str) -> None:
    hit, free = theme.paints[ShapeFlags.HIT], theme.paints[ShapeFlags.FREE]
    assert hit.stripe is not None
    for color in (hit.color, hit.stripe):
        assert difference(color, free.color, deficiency) > 30
    assert difference(theme.styles[Role.HIT].color, theme.styles[Role.FREE].color, deficiency) > 45
    assert difference(theme.styles[Role.KEPT_HIT].color, theme.styles[Role.KEPT].color, deficiency) > 45


@every_theme
@every_eye
def test_what_touches_is_calmer_than_what_collides_and_differs_from_both(theme: Theme, deficiency: str) -> None:
    hit, free, touching = (theme.paints[s] for s in (ShapeFlags.HIT, ShapeFlags.FREE, ShapeFlags.TOUCHING))
    assert touching.stripe is not None
    assert difference(touching.color, hit.color, deficiency) > 25
    assert difference(touching.stripe, free.color, deficiency) > 15
    assert touching.stripe_width < 0.5
    red, green, blue = touching.color
    assert not (red > 1.3 * green and red > 1.3 * blue)


@safe_themes
@every_eye
def test_the_safe_colours_are_far_apart_for_every_eye(name: str, deficiency: str) -> None:
    theme = THEMES[name]
    hit, free = (theme.paints[s].color for s in (ShapeFlags.HIT, ShapeFlags.FREE))
    assert difference(hit, free, deficiency) > 75
    lines = [theme.styles[role].color for role in (Role.TOUCHING, Role.HIT, Role.FREE)]
    assert min(difference(lines[0], other, deficiency) for other in lines[1:]) > 15
    assert difference(hit, theme.chosen, deficiency) > 24
    assert difference(free, theme.chosen, deficiency) > 40
    x, y, z = (theme.styles[role].color for role in (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z))
    assert min(difference(a, b, deficiency) for a, b in ((x, y), (y, z), (z, x))) > 25


def test_themes_have_names() -> None:
    assert list(THEMES) == ["light", "dark", "colour-blind", "colour-blind-dark"]
    assert read_theme("light") is LIGHT
    assert read_theme(THEMES["dark"]) is THEMES["dark"]
    with pytest.raises(ValueError, match=r"theme must be light, dark, colour-blind, .*, got 'drak'"):
        read_theme("drak")
