"""Formulas with symbols, and with numbers in their place, from one template."""

from __future__ import annotations

import math
import re

from collision.explaining.records import Formula, Quantity, Value

#: A symbol of a template: <t>.
_SYMBOL = re.compile(r"<(\w+)>")

#: The end of what a number must not follow at once: a symbol or a digit. A greater-than sign is none.
_BESIDE = re.compile(r"(<\w+>|\d)$")

#: The end of what a negative number needs no brackets after.
_ALONE = re.compile(r"([={(,|\[>]|\\(lt|leq|geq))$|^$")


def formula(template: str, **values: Value) -> Formula:
    r"""Return a formula of a template in TeX, in which symbols stand in angle brackets.

    Parameters
    ----------
    template : str
        Such as ``r"<t> = \frac{<w> \cdot <d>}{<d> \cdot <d>}"``; a comparison is written ``\lt`` or ``\leq``.
    **values : Value
        What stands for each symbol.

    Examples
    --------
    >>> from collision.explaining.formulas import formula
    >>> from collision.explaining.records import Value
    >>> b, c = Value("b", -2.0), Value("c", 0.5)
    >>> formula(r"<c> = <b>^2 - <b>", b=b, c=c)
    Formula(symbols='c = b^2 - b', numbers='0.5 = (-2)^2 - (-2)')
    >>> formula(r"<c> = 4<c><c> + <b><c>", b=b, c=c).numbers
    '0.5 = 4\\cdot 0.5\\cdot 0.5 + (-2)\\cdot 0.5'
    >>> formula("<c> > <b>", b=b, c=c).numbers
    '0.5 > -2'
    >>> formula(r"<b> \leq <b>", b=b).numbers
    '-2 \\leq -2'
    >>> formula(r"<b> \lt <c>", b=b, c=c).numbers
    '-2 < 0.5'
    """

    def numbers(found: re.Match[str]) -> str:
        text = tex_number(values[found[1]].value)
        before, after = template[: found.start()].rstrip(), template[found.end() :].lstrip()
        beside = bool(_BESIDE.search(before))
        alone = not beside and bool(_ALONE.search(before)) and not after.startswith("^")
        if (text.startswith("-") and not alone) or ("\\times" in text and after.startswith("^")):
            return f"({text})"
        # Two numbers side by side would be read as one.
        return rf"\cdot {text}" if beside and text[0].isdigit() else text

    told = _SYMBOL.sub(lambda found: values[found[1]].symbol, template), _SYMBOL.sub(numbers, template)
    # A sign that brackets keep out of templates; mathtext knows it by this name alone.
    return Formula(*(text.replace(r"\lt ", "< ") for text in told))


def tex_number(value: Quantity) -> str:
    r"""Return a number, a vector or a matrix in TeX, with four digits.

    Examples
    --------
    >>> from collision.explaining.formulas import tex_number
    >>> tex_number(1 / 3), tex_number((1.0, 0.0, -2.5)), tex_number(1.5e-9), tex_number(10011)
    ('0.3333', '(1,\\,0,\\,-2.5)', '1.5 \\times 10^{-9}', '10011')
    """
    if isinstance(value, bool):
        return r"\mathrm{yes}" if value else r"\mathrm{no}"
    if isinstance(value, tuple):
        return "(" + r",\,".join(tex_number(part) for part in value) + ")"
    if isinstance(value, int):
        return str(value)
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    digits, _, power = f"{value + 0.0:.4g}".partition("e")
    return digits if not power else rf"{digits} \times 10^{{{int(power)}}}"
