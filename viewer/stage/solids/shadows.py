"""Soft shadows below solids, as if light came straight from above: they say what floats and what lies.

A sphere, a capsule and a box are a disk, a capsule and a hexagon from above, and a cylinder is two ellipses with all
that is between them, so how far a pixel of the ground is from their outline is a formula; hulls come with their
outlines. The higher a solid is above what it would fall on, the softer and the fainter its shadow.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray
from viewer.records.drawables import Floor, ShapeFlags
from viewer.records.theme import Theme
from viewer.stage.polydata import poly_data
from viewer.stage.solids.impostor_code import FLAGS, Surface
from viewer.stage.solids.shading import place_vertices, set_color, set_fragment_code

#: Shadows fall on so many floors at most.
FLOORS = 3

_DECLARED = "uniform vec3 stageU, stageV, stageHigh;\n"

_PASSED = (
    *("vec2 stagePlace = vec2(0.0)", "vec2 stageOn = vec2(0.0)", "flat float stageSoft = 0.0"),
    *("flat float stageDark = 0.0", "flat float stageRadius = 0.0"),
)
_NAMES = "First", "Second", "Third"

#: The reach of a solid to its sides and down, by the columns of the matrix that makes it of what has size 1; a ball is
#: a capsule without a length.
_MEASURE = """
    vec3 middle = GCMCMatrix[3].xyz;
    vec3 along = abs(GCMCMatrix[0].xyz);
    vec3 reach = along + abs(GCMCMatrix[1].xyz) + abs(GCMCMatrix[2].xyz);
    stageRadius = {rounded} ? length(GCMCMatrix[1].xyz) : min(reach.x, reach.y);
    vec3 axis = along / max(length(along), 1.0e-30);
    vec3 around = {cylinder} ? sqrt(max(1.0 - axis * axis, 0.0)) : vec3(1.0);
    reach = {rounded} ? 0.5 * along + stageRadius * around : reach;
    stageFirst = GCMCMatrix[0].xy * ({rounded} ? 0.5 : 1.0);
    stageSecond = GCMCMatrix[1].xy;
    stageThird = {cylinder} ? vec2(axis.z, 0.0) : GCMCMatrix[2].xy;
"""

#: The vertices of a hull know it, and three lines of the outline.
_MEASURE_HULL = """
    vec3 middle = vertexMC.xyz;
    vec3 reach = reachMC;
    stageRadius = min(reach.x, reach.y);
"""
_OF_HULL = "in vec4 placeMC; in vec3 reachMC, firstMC, secondMC, thirdMC;\n"

#: Of a place and 1, a floor's vectors make its coordinates on it, and how high it is.
_PLACE = """
    float height = middle.z - reach.z - dot(stageHigh, vec3(middle.xy, 1.0));
    float above = max(height, 0.0);
    stageSoft = min(0.2 * stageRadius + 0.35 * above, 1.5 * stageRadius);
    stageDark = stageRadius / (stageRadius + 0.6 * above);
    bool nowhere = height + 2.0 * reach.z < 0.01 * stageRadius || stageDark < 0.1 || {faded};
    stagePlace = {place};
    vec3 at = vec3(middle.xy + stagePlace, 1.0);
    stageOn = vec2(dot(stageU, at), dot(stageV, at));
    at.z = dot(stageHigh, at);
    gl_Position = MCDCMatrix * vec4(at, 1.0);
    gl_Position.z -= 4.0e-5 * gl_Position.w;  // before the floor, not in it
    gl_Position = nowhere ? vec4(2.0, 2.0, 2.0, 1.0) : gl_Position;
"""

#: How far a pixel is from the outline of a shadow; inside, it is negative. From above, a box is what lies between three
#: pairs of parallel lines. Shadows fade where their floor ends.
_BOX = """
float stageBeside(vec2 along)
{
  vec2 across = vec2(-along.y, along.x) / max(length(along), 1.0e-30);
  return abs(dot(stagePlace, across)) - abs(dot(stageFirst, across)) - abs(dot(stageSecond, across))
    - abs(dot(stageThird, across));
}
float stageAway() { return max(stageBeside(stageFirst), max(stageBeside(stageSecond), stageBeside(stageThird))); }
"""
_ROUND = """
float stageAway()
{
  float along = dot(stagePlace, stageFirst) / max(dot(stageFirst, stageFirst), 1.0e-30);
  return length(stagePlace - clamp(along, -1.0, 1.0) * stageFirst) - stageRadius;
}
"""
_CYLINDER = """
float stageAway()
{
  float reach = length(stageFirst);
  vec2 way = reach > 0.0 ? stageFirst / reach : vec2(1.0, 0.0);
  vec2 at = abs(vec2(dot(stagePlace, way), dot(stagePlace, vec2(-way.y, way.x)))) - vec2(reach, 0.0);
  vec2 sides = stageRadius * vec2(max(stageThird.x, 1.0e-4), 1.0);  // of the ellipse that a flat end is
  float out_ = length(at / sides);
  float past = (out_ - 1.0) * out_ / max(length(at / (sides * sides)), 1.0e-30);
  return max(max(at.x > 0.0 ? past : -1.0e30, at.y - stageRadius), at.x - sides.x);
}
"""
_HULL = """
float stageAway()
{
  vec3 at = vec3(stagePlace, 1.0);
  return max(dot(stageFirst, at), max(dot(stageSecond, at), dot(stageThird, at)));
}
"""
_AWAY = {Surface.CAPSULE: _ROUND, Surface.BOX: _BOX, Surface.CYLINDER: _CYLINDER, Surface.HULL: _HULL}
_PAINT = """
    float away = stageAway();
    float end = max(abs(stageOn.x), abs(stageOn.y));
    if (end > 1.0 || away > stageSoft) { discard; }
    float opacity = stageDark * (1.0 - smoothstep(-stageSoft, stageSoft, away)) * (1.0 - smoothstep(0.8, 1.0, end));
    fragOutput0 = vec4(stageShadow, stageShadowOpacity * opacity);
"""


def square() -> pv.PolyData:
    """Return a square from -1 to 1."""
    return poly_data(np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]), np.array([(0, 1, 2), (0, 2, 3)]))


def shadow(actor: vtkActor, surface: Surface) -> None:
    """Have an actor draw the shadows of its solids; it needs a floor before it is drawn.

    Its glyphs are squares; of hulls it has the outlines, without those that are faded.
    """
    if surface is Surface.HULL:
        lines, declared = [f"flat vec3 stage{name} = {name.lower()}MC" for name in _NAMES], _DECLARED + _OF_HULL
        place = _MEASURE_HULL + _PLACE.format(faded="false", place="placeMC.xy + stageSoft * placeMC.zw")
    else:
        lines, declared = [f"flat vec2 stage{name} = vec2(0.0)" for name in _NAMES], _DECLARED
        rounded, cylinder = (str(some).lower() for some in (surface is not Surface.BOX, surface is Surface.CYLINDER))
        faded = f"({FLAGS.format(rgba='glyphColor')} & {int(ShapeFlags.FADED)}) != 0"
        place = _MEASURE.format(rounded=rounded, cylinder=cylinder)
        place += _PLACE.format(faded=faded, place="vertexMC.xy * (reach.xy + stageSoft)")
    set_fragment_code(actor.GetShaderProperty(), _AWAY[surface], _PAINT, (*_PASSED, *lines), declared)
    place_vertices(actor.GetShaderProperty(), place)
    actor.GetProperty().BackfaceCullingOn()  # from below the ground, none is seen


def paint_shadow(actor: vtkActor, theme: Theme) -> None:
    """Have shadows look as a theme says."""
    set_color(actor, "stageShadow", theme.shadow)
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformf("stageShadowOpacity", theme.shadow_opacity)


def cast(actor: vtkActor, floor: Floor, origin: FloatArray) -> None:
    """Say what shadows fall on."""
    u, v, center = np.array(floor.u), np.array(floor.v), np.subtract(floor.center, origin)
    up = np.cross(u, v)
    rows = np.array([(v[1], -v[0], 0.0), (-u[1], u[0], 0.0), (-up[0], -up[1], 0.0)]) / up[2]
    rows[:, 2] = -rows[:, :2] @ center[:2]  # the coordinates of its middle are zero, ...
    rows[2, 2] += center[2]  # ... and that is as high as it is
    for name, row in zip(("U", "V", "High"), rows.tolist(), strict=True):
        actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniform3f(f"stage{name}", row)
