"""The symbols of formulas by their names in TeX, and fractions in one line. Pure text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

#: Symbols by their names: operators and relations, letters, and all else.
SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "cdot": "\N{DOT OPERATOR}",
        "times": "\N{MULTIPLICATION SIGN}",
        "pm": "\N{PLUS-MINUS SIGN}",
        "mp": "\N{MINUS-OR-PLUS SIGN}",
        "leq": "\N{LESS-THAN OR EQUAL TO}",
        "le": "\N{LESS-THAN OR EQUAL TO}",
        "geq": "\N{GREATER-THAN OR EQUAL TO}",
        "ge": "\N{GREATER-THAN OR EQUAL TO}",
        "lt": "<",
        "gt": ">",
        "neq": "\N{NOT EQUAL TO}",
        "ne": "\N{NOT EQUAL TO}",
        "approx": "\N{ALMOST EQUAL TO}",
        "sim": "\N{TILDE OPERATOR}",
        "equiv": "\N{IDENTICAL TO}",
        "ll": "\N{MUCH LESS-THAN}",
        "gg": "\N{MUCH GREATER-THAN}",
        "wedge": "\N{LOGICAL AND}",
        "land": "\N{LOGICAL AND}",
        "vee": "\N{LOGICAL OR}",
        "lor": "\N{LOGICAL OR}",
        "cap": "\N{INTERSECTION}",
        "cup": "\N{UNION}",
        "setminus": "\\",
        "in": "\N{ELEMENT OF}",
        "to": "\N{RIGHTWARDS ARROW}",
        "rightarrow": "\N{RIGHTWARDS ARROW}",
        "Rightarrow": "\N{RIGHTWARDS DOUBLE ARROW}",
        "mapsto": "\N{RIGHTWARDS ARROW}",
        "star": "*",
        "ast": "*",
        "alpha": "\N{GREEK SMALL LETTER ALPHA}",
        "beta": "\N{GREEK SMALL LETTER BETA}",
        "gamma": "\N{GREEK SMALL LETTER GAMMA}",
        "delta": "\N{GREEK SMALL LETTER DELTA}",
        "epsilon": "\N{GREEK SMALL LETTER EPSILON}",
        "varepsilon": "\N{GREEK SMALL LETTER EPSILON}",
        "theta": "\N{GREEK SMALL LETTER THETA}",
        "kappa": "\N{GREEK SMALL LETTER KAPPA}",
        "lambda": "\N{GREEK SMALL LETTER LAMDA}",
        "mu": "\N{GREEK SMALL LETTER MU}",
        "nu": "\N{GREEK SMALL LETTER NU}",
        "xi": "\N{GREEK SMALL LETTER XI}",
        "eta": "\N{GREEK SMALL LETTER ETA}",
        "pi": "\N{GREEK SMALL LETTER PI}",
        "rho": "\N{GREEK SMALL LETTER RHO}",
        "sigma": "\N{GREEK SMALL LETTER SIGMA}",
        "tau": "\N{GREEK SMALL LETTER TAU}",
        "phi": "\N{GREEK SMALL LETTER PHI}",
        "varphi": "\N{GREEK SMALL LETTER PHI}",
        "psi": "\N{GREEK SMALL LETTER PSI}",
        "omega": "\N{GREEK SMALL LETTER OMEGA}",
        "Delta": "\N{GREEK CAPITAL LETTER DELTA}",
        "Theta": "\N{GREEK CAPITAL LETTER THETA}",
        "Lambda": "\N{GREEK CAPITAL LETTER LAMDA}",
        "Sigma": "\N{GREEK CAPITAL LETTER SIGMA}",
        "Phi": "\N{GREEK CAPITAL LETTER PHI}",
        "Omega": "\N{GREEK CAPITAL LETTER OMEGA}",
        "ell": "\N{SCRIPT SMALL L}",
        "infty": "\N{INFINITY}",
        "circ": "\N{DEGREE SIGN}",
        "perp": "\N{UP TACK}",
        "parallel": "\N{PARALLEL TO}",
        "ldots": "\N{HORIZONTAL ELLIPSIS}",
        "dots": "\N{HORIZONTAL ELLIPSIS}",
        "cdots": "\N{MIDLINE HORIZONTAL ELLIPSIS}",
        "prime": "\N{PRIME}",
        "langle": "\N{MATHEMATICAL LEFT ANGLE BRACKET}",
        "rangle": "\N{MATHEMATICAL RIGHT ANGLE BRACKET}",
        "vert": "|",
        "Vert": "\N{DOUBLE VERTICAL LINE}",
        "|": "\N{DOUBLE VERTICAL LINE}",
        "sum": "\N{N-ARY SUMMATION}",
        "emptyset": "\N{EMPTY SET}",
        "partial": "\N{PARTIAL DIFFERENTIAL}",
        "nabla": "\N{NABLA}",
        "{": "{",
        "}": "}",
        "%": "%",
        "#": "#",
        "&": "&",
        "_": "_",
        "$": "$",
        "backslash": "\\",
    }
)

#: Names that are written as they are.
FUNCTIONS = frozenset(
    {"min", "max", "sin", "cos", "tan", "arccos", "arcsin", "arctan", "log", "exp", "det", "sign", "mod"}
)

#: Spaces, in heights of the text.
SPACES: Mapping[str, float] = MappingProxyType(
    {",": 0.17, ":": 0.22, ";": 0.28, "!": -0.1, " ": 0.3, "quad": 1.0, "qquad": 2.0}
)

#: What changes the letters of a group.
ALPHABETS = frozenset({"mathbf", "mathrm", "mathit", "text", "operatorname", "textbf", "mathsf", "boldsymbol"})

BOLD = frozenset({"mathbf", "textbf", "boldsymbol"})

#: What a group has above it.
OVER = frozenset({"overline", "bar", "hat", "vec", "tilde"})


def with_slashes(tex: str) -> str:
    r"""Return a formula with its fractions in one line.

    Examples
    --------
    >>> with_slashes(r"t = \frac{a \cdot b}{2} + 1")
    't = (a \\cdot b) / 2 + 1'
    """
    head, found, rest = tex.partition(r"\frac")
    if not found:
        return tex
    over, rest = _group_of(rest)
    under, rest = _group_of(rest)
    parts = [part if re.fullmatch(r"\w+|\d+\.\d+", part) else f"({part})" for part in map(with_slashes, (over, under))]
    return f"{head}{' / '.join(parts)}{with_slashes(rest)}"


def _group_of(tex: str) -> tuple[str, str]:
    """Return what stands in the braces that come next, and the rest."""
    depth = 0
    for k, sign in enumerate(tex):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return tex[1:k].strip(), tex[k + 1 :]
    return tex[1:], ""
