"""Sine and cosine with the same bits everywhere: no library of the system has a part in them."""

from collision.native import kernel

#: A quarter of a turn in two parts, the first of which has few digits, so that small multiples of it are exact.
_QUARTER, _REST = 1.57079632673412561417e00, 6.07710050650619224932e-11


@kernel
def sine_cosine(angle: float) -> tuple[float, float]:
    """Return the sine and the cosine of an angle from zero to a few turns, each right to an ulp or so.

    The angle less whole quarters is at most an eighth of a turn, over which two polynomials of fdlibm (Sun
    Microsystems, 1993) are right to 2^-58.
    """
    quarters = int(angle / (_QUARTER + _REST) + 0.5)
    x = (angle - quarters * _QUARTER) - quarters * _REST
    z = x * x
    s = -1.66666666666666324348e-01 + z * (
        8.33333333332248946124e-03
        + z
        * (
            -1.98412698298579493134e-04
            + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
        )
    )
    c = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03
        + z
        * (
            2.48015872894767294178e-05
            + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
        )
    )
    sine, cosine = x + x * z * s, 1.0 - (0.5 * z - z * z * c)
    turns = quarters % 4
    if turns == 1:
        return cosine, -sine
    if turns == 2:
        return -sine, -cosine
    if turns == 3:
        return -cosine, sine
    return sine, cosine
