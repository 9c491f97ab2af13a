"""A theme is complete, and what collides is told apart without color."""

from __future__ import annotations

from dataclasses import replace

import pytest

from viewer.drawables import Role, Solidity
from viewer.theme import LIGHT, Color


def luminance(color: Color) -> float:
    """Return the relative luminance that the guidelines for accessible text define."""
    parts = [part / 255 for part in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Color, b: Color) -> float:
    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def test_every_color_is_three_bytes() -> None:
    colors = [style.color for style in LIGHT.styles.values()] + [paint.color for paint in LIGHT.paints.values()]
    colors += [paint.stripe for paint in LIGHT.paints.values() if paint.stripe is not None]
    colors += [LIGHT.background, LIGHT.text, LIGHT.faint_text, LIGHT.plate, LIGHT.plate_border, LIGHT.grid, LIGHT.halo]
    for color in colors:
        assert len(color) == 3
        assert all(isinstance(part, int) and 0 <= part <= 255 for part in color)


def test_red_is_never_the_only_cue() -> None:
    for standing, paint in LIGHT.paints.items():
        assert (paint.stripe is not None) == bool(standing & Solidity.HIT)
        if paint.stripe is not None:
            assert contrast(paint.color, paint.stripe) > 1.6  # also in gray


def test_a_selection_is_no_collision() -> None:
    for standing in (Solidity.FREE, Solidity.SELECTED):
        red, green, blue = LIGHT.paints[standing].color
        assert not (red > 2 * green and red > 2 * blue)


@pytest.mark.parametrize("role", Role)
def test_text_in_a_roles_color_can_be_read(role: Role) -> None:
    if role in (Role.SELECTED, Role.HOT, Role.HANDLE):
        return  # no text has these: a halo, and what is in hand
    assert contrast(LIGHT.styles[role].color, LIGHT.plate) > 3.0


def test_text_can_be_read() -> None:
    assert contrast(LIGHT.text, LIGHT.plate) > 7.0
    assert contrast(LIGHT.faint_text, LIGHT.plate) > 4.5


def test_a_theme_lacks_nothing() -> None:
    styles = {role: style for role, style in LIGHT.styles.items() if role is not Role.FOOT}
    paints = {standing: paint for standing, paint in LIGHT.paints.items() if standing is not Solidity.HIT}
    with pytest.raises(ValueError, match="got none for foot, HIT"):
        replace(LIGHT, styles=styles, paints=paints)


def test_a_theme_does_not_change() -> None:
    own = dict(LIGHT.styles)
    theme = replace(LIGHT, styles=own)
    del own[Role.FOOT]
    assert Role.FOOT in theme.styles
    with pytest.raises(TypeError):
        theme.styles[Role.FOOT] = LIGHT.styles[Role.HIT]  # type: ignore[index]
