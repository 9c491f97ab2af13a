"""Formulas, set by Matplotlib."""

from __future__ import annotations

import os
import re
from itertools import cycle

from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser

from viewer.layout.formulas import TypesetFormula
from viewer.records.pixels import Rect, TextRun

#: All are set in this size, so that those of any size are found among those that were set last.
_SIZE = 100.0

#: Words, vectors of numbers, and numbers of more than a digit: as plain text they are read all at once, which takes
#: half of the time. After a bar Matplotlib would take a sign for an operator.
_NUMBER = r"-?\d+(?:\.\d+)?"
_TEXT = re.compile(rf"\\text\{{[^}}]*\}}|\({_NUMBER}(?:,\\,{_NUMBER})*\)|(?<=\|)-{_NUMBER}|\d+\.\d+|\d\d+")

_DIGIT = re.compile("[0-9]")

#: The fonts of letters that stand upright; the rest are slanted.
_USUAL = "DejaVuSans.ttf"


class Formulas:
    r"""Sets formulas. Its parser keeps those that were set last: from one picture to the next most stay.

    Examples
    --------
    >>> "".join(run.text for run in Formulas()(r"t = \frac{a}{2}", 20.0).runs)
    't=a2'
    """

    def __init__(self) -> None:
        self._parser = MathTextParser("path")
        self._font = FontProperties(family="DejaVu Sans", size=_SIZE, math_fontfamily="dejavusans")

    def __call__(self, tex: str, size: float) -> TypesetFormula:
        """Return a formula in one line, in letters of a height in pixels.

        Raises
        ------
        ValueError
            If it is no TeX that Matplotlib knows.
        """
        tex = _TEXT.sub(_as_text, tex.replace("\\frac", "\\dfrac").replace("'", "\N{PRIME}"))
        # All digits are equally wide. So formulas that differ in them alone, as those of a drag do, are set once.
        digits, others = iter(_DIGIT.findall(tex)), cycle("0123456789")
        pattern = _DIGIT.sub(lambda _: next(others), tex)
        formula = self._set(pattern)
        if _DIGIT.findall("".join(run.text for run in formula.runs)) != _DIGIT.findall(pattern):
            return self._set(tex).scaled(size / _SIZE)  # Matplotlib puts some of them in another order
        runs = [run._replace(text=next(digits)) if _DIGIT.match(run.text) else run for run in formula.runs]
        return formula._replace(runs=tuple(runs)).scaled(size / _SIZE)

    def _set(self, tex: str) -> TypesetFormula:
        width, height, below, glyphs, bars = self._parser.parse(f"${tex}$", dpi=72, prop=self._font)
        runs = []
        for face, points, number, *_, x, y in glyphs:
            name = os.path.basename(os.fsdecode(face.fname))
            if not chr(number).isspace():
                up = 0.0 if abs(y) < 1.0 else float(y)  # Matplotlib rounds up how high all is
                runs.append(TextRun(x, up, chr(number), points, font="" if name == _USUAL else name, on_line=True))
        return TypesetFormula(width, height - below, below, tuple(runs), tuple(Rect(*map(float, bar)) for bar in bars))


def _as_text(found: re.Match[str]) -> str:
    text = found[0]
    if text.startswith("\\text"):
        return text
    return rf"\text{{{text.replace(chr(92) + ',', ' ').replace('-', chr(0x2212))}}}"
