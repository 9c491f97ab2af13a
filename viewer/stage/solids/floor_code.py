"""What lies on a floor: shadows and the lines of the ground, drawn by one shader, as Mesa compiles each for some time.

Both are glyphs that are flat, and each fragment works out how opaque it is.
"""

from __future__ import annotations

from enum import IntEnum

from vtkmodules.vtkRenderingCore import vtkActor

from viewer.records.drawables import FLOORS, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.solids.impostor_code import FLAGS
from viewer.stage.solids.shading import place_vertices, set_fragment_code, set_view, vec3_of
from viewer.stage.vtk_camera import WHOLE, Tile


class Lies(IntEnum):
    """What lies on a floor."""

    BOX_SHADOW = 0
    ROUND_SHADOW = 1
    LINE = 2


#: The reach of a solid to its sides and down, by the columns of the matrix that makes it of what has size 1. A ball is
#: a capsule without a length. There is no branch here or below: within one, Mesa would need four times as many
#: instructions for each number that is the same for all.
_REACH = """
    bool stageRounded = stageLies == 1;
    vec3 stageLong = abs(GCMCMatrix[0].xyz);
    vec3 stageReach = stageLong + abs(GCMCMatrix[1].xyz) + abs(GCMCMatrix[2].xyz);
    float stageThick = stageRounded ? length(GCMCMatrix[1].xyz) : min(stageReach.x, stageReach.y);
    stageReach = stageRounded ? 0.5 * stageLong + stageThick : stageReach;
    stageFirst = GCMCMatrix[0].xy * (stageRounded ? 0.5 : 1.0);
    stageSecond = GCMCMatrix[1].xy;
    stageThird = GCMCMatrix[2].xy;
"""

#: A square for each floor, the number of which is the third coordinate of its corners, goes where the shadow on it is.
#: Of a place on a floor and 1, a floor's vectors make its coordinates on it, and how high it is. Only those of
#: floors that are there are declared: each takes Mesa more than a millisecond.
_SHADOW_AT = """
    vec3 stageMiddle = GCMCMatrix[3].xyz;
{reach}
    int stageNumber = int(vertexMC.z + 0.5);
    vec3 stageU = stageU0, stageV = stageV0, stageHigh = stageHigh0;
{choices}
    float stageHeight = stageMiddle.z - stageReach.z - dot(stageHigh, vec3(stageMiddle.xy, 1.0));
    float stageAbove = max(stageHeight, 0.0);
    stageSoft = min(0.2 * stageThick + 0.35 * stageAbove, 1.5 * stageThick);
    stageDark = stageThick / (stageThick + 0.6 * stageAbove);
    stageRadius = stageThick;
    stagePlace = vertexMC.xy * (stageReach.xy + stageSoft);
    vec3 stageAt = vec3(stageMiddle.xy + stagePlace, 1.0);
    stageOn = vec2(dot(stageU, stageAt), dot(stageV, stageAt));
    stageAt.z = dot(stageHigh, stageAt);
    stageRound = stageNumber == 0 && stageDisk != 0 ? 1.0 : 0.0;
    bool stageBelow = stageHeight + 2.0 * stageReach.z < 0.01 * stageThick;
    bool stageNowhere = stageBelow || stageDark < 0.1 || ({faded});
    stageDark *= {strength};
"""

#: A line is a strip that is just wide enough wherever it is seen: in perspective, what a pixel spans across a straight
#: line grows in proportion to the distance. So of the many pixels of the ground only those near lines are computed.
#: The second axis of a glyph goes along its line.
#:
#: How much of a square a pixel spans follows from what the camera makes of the ground (the columns of its matrix, in
#: pixels): it is the depth, times the cross product of one axis with the place, by the determinant. Across a line that
#: product is the same all along it; along it, it grows evenly. (To compare pixels, with ``fwidth``, would take Mesa
#: hundreds of instructions more.)
_LINE_AT = """
    bool stageIsLine = stageLies == 2;
    bool stageAcross = abs(GCMCMatrix[1].y) > abs(GCMCMatrix[1].x);
    vec2 stageWay = stageAcross ? vec2(1.0, 0.0) : vec2(0.0, 1.0);
    vec2 stageLine = GCMCMatrix[3].xy + vertexMC.y * GCMCMatrix[1].xy;
    vec3 stageScale = vec3(0.5 * stageSize, 1.0);
    vec3 stageX = MCDCMatrix[0].xyw * stageScale;
    vec3 stageY = MCDCMatrix[1].xyw * stageScale;
    vec3 stageSeen = stageX * stageLine.x + stageY * stageLine.y + MCDCMatrix[3].xyw * stageScale;
    vec3 stageRun = stageAcross ? stageY : stageX;
    vec3 stageOver = stageAcross ? stageX : stageY;
    vec3 stageTurn = cross(stageRun, stageSeen);
    vec3 stageLevel = cross(stageOver, stageRun);
    float stageWhole = 1.0 / max(abs(dot(stageLevel, stageSeen)), 1.0e-30);
    float stageSpan = (abs(stageTurn.x) + abs(stageTurn.y)) * stageWhole;
    vec2 stageAside = vertexMC.x * stageWay * (stageSpan * stageSeen.z * 1.1 * (0.6 * stageUnit + 0.5));
    float stageNumberOf = dot(stageLine * stageHalf - stageShift, stageWay);
    vec2 stageFar = stageLine + stageAside;
    vec2 stageIn = vec2((stageAside.x + stageAside.y) * stageHalf, dot(stageFar * stageHalf - stageShift, stageWay.yx));
    float stageFifth = abs(fract(0.2 * stageNumberOf + 0.5) - 0.5) < 0.1 ? 1.0 : 0.0;
    vec2 stageOwn = vec2(stageFifth, stageAcross ? 1.0e-2 : -1.0e-2);
    stageOn = stageIsLine ? stageFar : stageOn;
    stagePlace = stageIsLine ? stageIn : stagePlace;
    stageFirst = stageIsLine ? stageOwn : stageFirst;
    vec2 stageHere = stageHalf * cross(stageOver, stageSeen).xy - stageIn.y * stageLevel.xy;
    stageSecond = stageIsLine ? stageHere * stageWhole : stageSecond;
    stageThird = stageIsLine ? stageLevel.xy * stageWhole : stageThird;
    stageRadius = stageIsLine ? 1.0 / (stageHalf * stageSpan) : stageRadius;
    stageSoft = stageIsLine ? stageUnit : stageSoft;
    stageAt = stageIsLine ? vec3(stageFar, 0.0) : stageAt;
    gl_Position = MCDCMatrix * vec4(stageAt, 1.0);
    // A shadow lies on the floor: before that, not in it.
    gl_Position.z -= (stageIsLine ? 0.0 : 4.0e-5) * gl_Position.w;
    gl_Position = stageNowhere && !stageIsLine ? vec4(2.0, 2.0, 2.0, 1.0) : gl_Position;
"""

_BESIDE = """
float stageBeside(vec2 along)
{
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1.0e-30);
  return abs(dot(stagePlace, across)) - abs(dot(stageFirst, across)) - abs(dot(stageSecond, across))
    - abs(dot(stageThird, across));
}
"""

#: How far a pixel is from the outline of a shadow; inside, it is negative. From above, a box is what lies between three
#: pairs of parallel lines.
_SHADOW = """
    float stageAway = max(stageBeside(stageFirst), max(stageBeside(stageSecond), stageBeside(stageThird)));
    float stageAlong = dot(stagePlace, stageFirst) / max(dot(stageFirst, stageFirst), 1.0e-30);
    float stageOff = length(stagePlace - clamp(stageAlong, -1.0, 1.0) * stageFirst) - stageRadius;
    stageAway = stageKind > 0.5 ? stageOff : stageAway;
    bool stageOut = max(abs(stageOn.x), abs(stageOn.y)) > 1.0 || stageAway > stageSoft;
    float stageFar = length(stageOn);
    float stageOpacity = stageDark * (1.0 - smoothstep(-stageSoft, stageSoft, stageAway));
    stageOpacity *= stageRound > 0.5 ? 1.0 - smoothstep(0.45, 0.94, stageFar) : 1.0;
"""

#: A fragment knows its place, across its strip's own line and along it, in squares; whether that line is a fifth one;
#: how much stronger than itself a line must be that it gives way to; and how many squares there are to a pixel, at
#: depth 1, along its line, and how many pixels to a square across it.
_LINE = """
    vec2 stageStep = abs(stageSecond + stagePlace.y * stageThird);
    vec2 stagePixelsOf = gl_FragCoord.w * vec2(stageRadius, 1.0 / max(stageStep.x + stageStep.y, 1.0e-30));
    // Where the squares are only a few pixels wide, their lines fade before they blur.
    float stagePixel = stageSoft;
    vec2 stageFine = clamp((stagePixelsOf - 4.0 * stagePixel) / (8.0 * stagePixel), 0.0, 1.0) * {fine};
    bool stageFifth = stageFirst.x > 0.5;
    float stageWide = (stageFifth ? 0.6 : 0.5) * stagePixel + 0.5;
    float stageLine = clamp(stageWide - abs(stagePlace.x) * stagePixelsOf.x, 0.0, 1.0);
    stageLine *= stageFifth ? {bold} : stageFine.x;
    // Of the lines that cross it the nearest, and the nearest that is a fifth.
    vec2 stageCross = abs(fract(stagePlace.y * vec2(1.0, 0.2) - 0.5) - 0.5) * vec2(1.0, 5.0) * stagePixelsOf.y;
    vec2 stageCover = clamp(vec2(0.5, 0.6) * stagePixel + 0.5 - stageCross, 0.0, 1.0) * vec2(stageFine.y, {bold});
    // Each pixel is drawn once: by the line that is nearest, and of two that cross by the stronger, or else the first.
    bool stageGives = abs(stagePlace.x) > 0.5 || max(stageCover.x, stageCover.y) - stageFirst.y > stageLine;
    stageLine *= 1.0 - smoothstep(0.45, 1.0, stageFar);
    if (stageKind > 1.5 ? stageGives : stageOut) {{ discard; }}
    fragOutput0 = vec4(stageKind > 1.5 ? {grid} : {shadow}, stageKind > 1.5 ? stageLine : stageOpacity);
"""

#: Opacity of the lines of the ground, and of every fifth of them.
_FINE, _BOLD = 0.32, 0.55


def lay(actor: vtkActor, theme: Theme, lies: Lies) -> None:
    """Have an actor draw glyphs that lie on floors. It needs floors, or the squares of the ground, before it is drawn.

    The shader is the same for all, so that it is compiled once.
    """
    write_floor_code(actor, theme)
    actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniformi("stageLies", int(lies))
    set_squares(actor, half=1.0, shift=(0.0, 0.0))
    set_size(actor, WHOLE)
    set_view(actor, unit=1.0, pixel=1.0, parallel=False)
    actor.ForceTranslucentOn()
    actor.GetProperty().LightingOff()
    actor.UseBoundsOff()
    actor.PickableOff()


def set_size(actor: vtkActor, part: Tile) -> None:
    """Tell an actor's shader how large the picture is, or the part of it that is drawn, in pixels."""
    actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniform2f("stageSize", [part.width, part.height])


def write_floor_code(actor: vtkActor, theme: Theme, *, several: bool = False) -> None:
    """Replace the code of an actor's shaders by that for one floor or for several, and leave what they have been told.

    One floor is all that most pictures have. Colors are part of the code.
    """
    floors = range(FLOORS if several else 1)
    choices = "\n".join(
        f"    if (stageNumber == {k}) {{ stageU = stageU{k}; stageV = stageV{k}; stageHigh = stageHigh{k}; }}"
        for k in floors[1:]
    )
    declared = "uniform int stageLies, stageDisk;\nuniform vec2 stageShift, stageSize;\n"
    declared += "uniform float stageHalf, stageUnit;\n"
    declared += "".join(f"uniform vec3 stage{name}{k};\n" for name in ("U", "V", "High") for k in floors)
    passed = ["vec2 stagePlace = vec2(0.0)", "vec2 stageOn = vec2(0.0)"]
    passed += [f"flat vec2 stage{name} = vec2(0.0)" for name in ("First", "Second", "Third")]
    passed += [f"flat float stage{name} = 0.0" for name in ("Soft", "Dark", "Radius", "Round")]
    passed += ["flat float stageKind = float(stageLies)"]
    colors = {"grid": vec3_of(theme.grid), "shadow": vec3_of(theme.shadow)}
    code = _SHADOW + _LINE.format(fine=f"{_FINE:.4f}", bold=f"{_BOLD:.4f}", **colors)
    shader = actor.GetShaderProperty()
    set_fragment_code(shader, _BESIDE, code, passed, declared)
    faded = f"({FLAGS.format(rgba='glyphColor')} & {int(ShapeFlags.FADED)}) != 0"
    strength = f"{theme.shadow_opacity:.4f}"
    place_vertices(shader, _SHADOW_AT.format(reach=_REACH, choices=choices, faded=faded, strength=strength) + _LINE_AT)


def set_squares(actor: vtkActor, *, half: float, shift: tuple[float, float]) -> None:
    """Say how many squares of the ground are within its half size, and how far its middle is from a fifth line."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformf("stageHalf", half)
    uniforms.SetUniform2f("stageShift", list(shift))
