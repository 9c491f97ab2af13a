"""Soft shadows below solids, as if light came straight from above: they say what floats and what lies.

A sphere, a capsule and a box are a disk, a capsule and a hexagon from above, so how far a pixel of the ground is from
their outline is a formula. The higher a solid is above what it would fall on, the softer and the fainter its shadow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray
from viewer.picture.drawables import FLOORS, Floor, Solidity
from viewer.picture.theme import Theme
from viewer.stage.solids.impostor_code import STANDING
from viewer.stage.solids.meshes import poly_data
from viewer.stage.solids.shading import Surface, place_vertices, set_fragment_code

#: The reach of a solid to its sides and down, by the columns of the matrix that makes it of what has size 1. A ball is
#: a capsule without a length.
_REACH = """
    vec3 stageReach = abs(GCMCMatrix[0].xyz) + abs(GCMCMatrix[1].xyz) + abs(GCMCMatrix[2].xyz);
    float stageThick = min(stageReach.x, stageReach.y);
    stageFirst = GCMCMatrix[0].xy;
    stageSecond = GCMCMatrix[1].xy;
    stageThird = GCMCMatrix[2].xy;
    if (stageRounded != 0)
    {
      stageThick = length(GCMCMatrix[1].xyz);
      stageReach = 0.5 * abs(GCMCMatrix[0].xyz) + stageThick;
      stageFirst *= 0.5;
    }
"""

#: A square for each floor, the number of which is the third coordinate of its corners, goes where the shadow on it is.
_PLACE = """
    vec3 stageMiddle = GCMCMatrix[3].xyz;
{reach}
    int stageNumber = int(vertexMC.z + 0.5);
    vec3 stageCenter = stageFloor0, stageU = stageU0, stageV = stageV0;
{choices}
    vec3 stageUp = cross(stageU, stageV);
    vec2 stageFall = -stageUp.xy / stageUp.z;
    float stageGround = stageCenter.z + dot(stageFall, stageMiddle.xy - stageCenter.xy);
    float stageHeight = max(stageMiddle.z - stageReach.z - stageGround, 0.0);
    stageSoft = min(0.2 * stageThick + 0.35 * stageHeight, 1.5 * stageThick);
    stageDark = stageThick / (stageThick + 0.6 * stageHeight);
    stageRadius = stageThick;
    stageOff = vertexMC.xy * (stageReach.xy + stageSoft);
    vec3 stageAt = vec3(stageMiddle.xy + stageOff, 0.0);
    vec2 stageFrom = stageAt.xy - stageCenter.xy;
    stageAt.z = stageCenter.z + dot(stageFall, stageFrom);
    stageOn = vec2(stageFrom.x * stageV.y - stageFrom.y * stageV.x, stageU.x * stageFrom.y - stageU.y * stageFrom.x);
    stageOn /= stageUp.z;
    stageRound = stageNumber == 0 && stageDisk != 0 ? 1.0 : 0.0;
    gl_Position = MCDCMatrix * vec4(stageAt, 1.0);
    gl_Position.z -= 4.0e-5 * gl_Position.w;  // it lies on the floor: before that, not in it
    bool stageBelow = stageMiddle.z + stageReach.z < stageGround + 0.01 * stageThick;
    if (stageNumber >= stageFloors || stageBelow || stageDark < 0.1 || ({faded}))
    {{
      gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    }}
"""

#: How far a pixel is from the outline; inside, it is negative. From above, a box is what lies between three pairs of
#: parallel lines.
_OUTLINE = """
    float stageAway = max(stageBeside(stageFirst), max(stageBeside(stageSecond), stageBeside(stageThird)));
    if (stageRounded != 0)
    {
      float stageAlong = dot(stageOff, stageFirst) / max(dot(stageFirst, stageFirst), 1.0e-30);
      stageAway = length(stageOff - clamp(stageAlong, -1.0, 1.0) * stageFirst) - stageRadius;
    }
"""

_BESIDE = """
float stageBeside(vec2 along)
{
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1.0e-30);
  return abs(dot(stageOff, across)) - abs(dot(stageFirst, across)) - abs(dot(stageSecond, across))
    - abs(dot(stageThird, across));
}
"""

_SHADE = """
{outline}
    if (max(abs(stageOn.x), abs(stageOn.y)) > 1.0 || stageAway > stageSoft) {{ discard; }}
    float stageCover = 1.0 - smoothstep(-stageSoft, stageSoft, stageAway);
    float stageFade = stageRound > 0.5 ? 1.0 - smoothstep(0.45, 0.94, length(stageOn)) : 1.0;
    fragOutput0 = vec4({color}, {strength} * stageDark * stageCover * stageFade);
"""


def squares() -> vtkPolyData:
    """Return a square from -1 to 1 for each floor; the number of the floor is the third coordinate."""
    corners = [(x, y, number) for number in range(FLOORS) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    first = 4 * np.arange(FLOORS)[:, None, None]
    return poly_data(np.array(corners, float), (np.array([(0, 1, 2), (0, 2, 3)]) + first).reshape(-1, 3), {})


def shadow(actor: vtkActor, theme: Theme, surface: Surface) -> None:
    """Have an actor, whose glyphs are `squares`, draw the shadows of its solids. It needs floors before it is drawn.

    The shader is the same for all kinds, so that it is compiled once.
    """
    numbers = range(1, FLOORS)
    names = ["Floor", "U", "V"]
    choices = "\n".join(
        f"    if (stageNumber == {k}) {{ stageCenter = stageFloor{k}; stageU = stageU{k}; stageV = stageV{k}; }}"
        for k in numbers
    )
    declared = "uniform int stageFloors, stageDisk, stageRounded;\n"
    declared += "".join(f"uniform vec3 stage{name}{k};\n" for name in names for k in range(FLOORS))
    faded = f"({STANDING.format(rgba='glyphColor')} & {int(Solidity.FADED)}) != 0"
    passed = ["vec2 stageOff = vec2(0.0)", "vec2 stageOn = vec2(0.0)", "flat vec2 stageFirst = vec2(0.0)"]
    passed += [f"flat vec2 stage{name} = vec2(0.0)" for name in ("Second", "Third")]
    passed += [f"flat float stage{name} = 0.0" for name in ("Soft", "Dark", "Radius", "Round")]
    color = ", ".join(f"{part / 255.0:.6f}" for part in theme.shadow)
    code = _SHADE.format(outline=_OUTLINE, color=f"vec3({color})", strength=f"{theme.shadow_opacity:.4f}")
    shader = actor.GetShaderProperty()
    set_fragment_code(shader, _BESIDE, code, passed, declared)
    shader.GetFragmentCustomUniforms().SetUniformi("stageRounded", int(surface is not Surface.BOX))
    place_vertices(shader, _PLACE.format(reach=_REACH, choices=choices, faded=faded))
    actor.ForceTranslucentOn()
    actor.GetProperty().LightingOff()
    actor.GetProperty().BackfaceCullingOn()  # from below the ground, none is seen
    actor.UseBoundsOff()
    cast(actor, (), np.zeros(3))


def cast(actor: vtkActor, floors: Sequence[Floor], origin: FloatArray) -> None:
    """Say what shadows fall on."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformi("stageFloors", len(floors))
    uniforms.SetUniformi("stageDisk", int(any(floor.disk for floor in floors)))
    flat = Floor((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    for k in range(FLOORS):
        floor = floors[k] if k < len(floors) else flat
        center = np.subtract(floor.center, origin).tolist() if k < len(floors) else [0.0, 0.0, 0.0]
        for name, value in (("Floor", center), ("U", list(floor.u)), ("V", list(floor.v))):
            uniforms.SetUniform3f(f"stage{name}{k}", value)
