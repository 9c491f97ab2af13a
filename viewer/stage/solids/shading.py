"""How a surface answers light: one piece of shader code for balls, capsules, boxes, cylinders and meshes alike.

VTK's mappers find the surface and its normal; this code replaces what they then make of it. So all solids are shaded by
the same arithmetic, whatever lights the plotter has, and the picture is the same in a user's own plotter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from vtkmodules.vtkRenderingCore import vtkActor, vtkShaderProperty

from viewer.records.drawables import ALL_FLAGS, ShapeFlags
from viewer.records.theme import Color, Theme
from viewer.stage.hatch import HATCH, STRIPE, set_stripes
from viewer.stage.solids.impostor_code import (
    FLAGS,
    FROM_IMPOSTOR,
    LOOKS,
    TO_FRAGMENTS,
    Surface,
    draw_impostors,
    insert,
)
from viewer.stage.vtk_camera import WHOLE

#: What a theme says of solids with some flags, in three rows: the color of their stripes, and how dark their outline
#: is; how opaque the surface, the stripes and the edges are where it is seen through, and how wide the stripes are; the
#: color of their rim, and whether they have one.
_LOOKS = f"""
uniform int stageAll;
uniform float stageUnit, stageLooks[{12 * len(ALL_FLAGS)}];
uniform vec3 stageSums;
vec4 stageLook(int flags, int row)
{{
  int k = 12 * flags + 4 * row;
  return vec4(stageLooks[k], stageLooks[k + 1], stageLooks[k + 2], stageLooks[k + 3]);
}}
"""

_LIGHT = """
// Light that reaches a little around the side has no hard border.
float stageLight(vec3 n)
{
  float key = clamp((dot(n, stageKeyWay) + 0.4) / 1.4, 0.0, 1.0);
  float fill = stageFill * max(dot(n, stageFillWay), 0.0);
  return stageAmbient + stageKey * key * key + fill + stageSky * (0.5 + 0.5 * n.y);
}
"""

#: Vertices have to declare what fragments have as it is.
_LIGHT_OF_VERTICES = f"""
uniform vec3 stageKeyWay, stageFillWay;
uniform float stageAmbient, stageKey, stageFill, stageSky;
{_LIGHT}
"""

_SHADE = """
vec3 stageShade(float light, float edgePixels, float rimPixels)
{
  vec3 base = mix(stagePaint.rgb, stageColor, stageBesideStripes());
  // Shadows are richer in color, not only darker: amber turns brown, not olive.
  vec3 lit = base * mix(base, vec3(1.0), light) * (0.45 + 0.55 * light);
  lit *= 1.0 - stageDarker * stagePaint.a * (1.0 - clamp(edgePixels - 0.9 * stageUnit + 0.5, 0.0, 1.0));
  return mix(lit, stageRim.rgb, stageRim.a * clamp(2.8 * stageUnit - rimPixels + 0.5, 0.0, 1.0));
}

// How wide a surface is, in pixels, for its outline. Solids of a few pixels have a thinner one, or they would be
// nothing else.
float stageWidthOf(float pixels) { return max(pixels, 9.0 * stageUnit); }
"""

_CALL = """
    float stageEdge, stageRimEdge;
{edge}
    fragOutput0 = vec4(min(stageShade({light}, stageEdge, stageRimEdge), 1.0), {opacity});
"""

#: What one sees through keeps its outline, its edges and its stripes.
_OPACITY = """
float stageOpacity(float edgePixels)
{
  float inner = mix(stageClear.y, stageClear.x, stageBesideStripes());
  float edge = max(stageClear.z, stageRim.a);
  float line = (stageRim.a > 0.0 ? 2.8 : 1.2) * stageUnit;
  return mix(inner, edge, clamp(line - edgePixels + 0.5, 0.0, 1.0));
}
"""

#: Whether a solid is left to the other actor of its kind. What is seen through is drawn after all that is not.
_ELSEWHERE = {
    False: f"({{flags}} & {int(ShapeFlags.FADED)}) != 0",
    True: f"stageAll == 0 && ({{flags}} & {int(ShapeFlags.FADED)}) == 0",
}

#: A place that is in no picture.
_NOWHERE = "if ({elsewhere}) {{ gl_Position = vec4(2.0, 2.0, 2.0, 1.0); }}"

#: Distance in pixels to the outline of a ball, or of a capsule. Where the line of sight meets a circle of radius 1 was
#: found by solving a quadratic equation; how far its middle is from that line, from 0 to 1, follows from the
#: discriminant. What is found is where the line of sight enters, be that behind the eye: from inside, one would see
#: nothing else. The insides of boxes are not drawn either.
_ROUND_EDGE = """
    float stageAside = sqrt(max(1.0 - stageDeep, 0.0));
    stageEdge = (1.0 - stageAside) * stageWidthOf(abs(stageWide) / stageW);
    stageRimEdge = stageEdge;
"""

#: Distance in pixels to the nearest edge of a cylinder: the rim of the end or of the side that is seen, as it leans,
#: and the outline of the side. Where the surface beyond the rim is seen, too, each of the two has half of its line.
_CYLINDER_EDGE = """
    float stageSpan = abs(stageWide) / stageW;
    vec3 stageRadial = stageOff + stageWay * stageSide;
    float stageOut = length(stageRadial);
    stageRadial = stageOut > 0.0 ? stageRadial / stageOut : vec3(0.0);
    float stageTurned = dot(stageSight, cross(stageAxis, stageRadial));
    float stageLean = abs(dot(stageSight, stageNormal)) / sqrt(max(1.0 - stageTurned * stageTurned, 1.0e-9));
    vec3 stageEye = stageFlat ? -1.0e9 * stageSight : -stageCenter / stageRadius;
    float stageInner = stageOnEnd ? 1.0 - stageOut : 1.0 - abs(stageHeight) / stageReach;
    float stageWhole = stageOnEnd ? 1.0 : stageReach;
    float stageBeyond = stageOnEnd ? dot(stageEye, stageRadial) : dot(stageEye, stageAxis) * sign(stageHeight);
    stageEdge = stageInner * stageWidthOf(stageWhole * stageLean * stageSpan);
    stageRimEdge = stageEdge * (stageBeyond > (stageOnEnd ? 1.0 : stageReach) ? 2.0 : 1.0);
    float stageAside = (1.0 - sqrt(max(1.0 - stageDeep, 0.0))) * stageWidthOf(stageSpan);
    stageEdge = stageOnEnd ? stageEdge : min(stageEdge, stageAside);
    stageRimEdge = stageOnEnd ? stageRimEdge : min(stageRimEdge, stageAside);
"""

#: Distance in pixels to the nearest edge of a face of a box, all over which two coordinates go from -1 to 1.
_BOX_EDGE = """
    vec2 stageSpan = 1.0 / max(stageSlope, vec2(1.0e-6));
    vec2 stageNear = 1.0 - abs(stageFace);
    vec2 stageOff = stageNear * vec2(stageWidthOf(stageSpan.x), stageWidthOf(stageSpan.y));
    stageEdge = min(stageOff.x, stageOff.y);
    // Where the face beyond an edge is seen, too, each of the two has half of the rim.
    stageOff *= vec2(stageEye.x * stageFace.x > abs(stageFace.x), stageEye.y * stageFace.y > abs(stageFace.y)) + 1.0;
    stageRimEdge = min(stageOff.x, stageOff.y);
"""

#: On a round mesh, where the second is zero, how fast the normal turns away says how far its outline is.
_MESH_EDGE = (
    _BOX_EDGE
    + """
    float stageAside = stageSlope.y == 0.0 ? 0.5 * stageFacing / max(stageTurning, 1.0e-6) : 1.0e30;
    stageEdge = min(stageEdge, stageAside);
    stageRimEdge = min(stageRimEdge, stageAside);
"""
)

#: Distance in pixels to the nearest of three sides of a face of a hull. One that is grown has no edges: its outline is
#: that of a round mesh, and it has no far side, as there is none to an impostor.
_HULL_EDGE = """
    vec3 stageSpan = 1.0 / max(stageSlope, vec3(1.0e-6));
    vec3 stageOff = stageFace * vec3(stageWidthOf(stageSpan.x), stageWidthOf(stageSpan.y), stageWidthOf(stageSpan.z));
    stageEdge = min(min(stageOff.x, stageOff.y), stageOff.z);
    // Rims are thin where both faces are seen and small: of many, the outline counts.
    stageOff = mix(stageOff, 2.0 * stageFace * max(stageSpan, vec3(25.0 * stageUnit)), stageBeyond);
    stageRimEdge = min(min(stageOff.x, stageOff.y), stageOff.z);
    if (stageFace.x > 50.0)
    {
      if (!gl_FrontFacing) { discard; }
      stageRimEdge = stageEdge = 0.5 * stageFacing / max(stageTurning, 1.0e-6);
    }
"""

_EDGES = {
    Surface.CAPSULE: _ROUND_EDGE,
    Surface.BOX: _BOX_EDGE,
    Surface.CYLINDER: _CYLINDER_EDGE,
    Surface.HULL: _HULL_EDGE,
    Surface.MESH: _MESH_EDGE,
}

#: How fast the coordinates of a face change from pixel to pixel ...
_SLOPE = "  vec2 stageSlope = fwidth(stageFace);"

#: ... and, of a mesh, how far it faces the eye.
_TURNING = """
  vec3 stageNormal = normalize(normalVCVSOutput);
  vec3 stageToEye = stageParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVCVSOutput.xyz);
  float stageFacing = abs(dot(stageNormal, stageToEye));
  float stageTurning = fwidth(stageFacing);
"""

#: Along which axis of a box a face looks, by the number of the corner; how far the corner is along the two others; ...
_ALONG = "gl_VertexID / 8"
_FACE = f"{_ALONG} == 0 ? vertexMC.yz : {_ALONG} == 1 ? vertexMC.xz : vertexMC.xy"

#: ... and the normal of the face in view coordinates. The axes of a box are across each other, so they are its normals.
_AXIS = f"normalize(({_ALONG} == 0 ? GCMCMatrix[0] : {_ALONG} == 1 ? GCMCMatrix[1] : GCMCMatrix[2]).xyz)"
_NORMAL = f"mat3(MCVCMatrix) * {_AXIS} * ((gl_VertexID & 4) == 0 ? -1.0 : 1.0)"

#: Where the eye is, in halves of a box's sides from its middle, along the two axes of a face.
_EYE = f"""
uniform int stageParallel;
vec3 stageEyeIn(mat4 box)
{{
  vec3 middle = (MCVCMatrix * vec4(box[3].xyz, 1.0)).xyz;
  vec3 found;
  for (int k = 0; k < 3; ++k)
  {{
    vec3 axis = mat3(MCVCMatrix) * box[k].xyz;
    found[k] = stageParallel != 0 ? 1.0e9 * axis.z : -dot(middle, axis) / dot(axis, axis);
  }}
  return {_ALONG} == 0 ? found.yzx : {_ALONG} == 1 ? found.xzy : found;
}}
"""


#: Of a hull: what its vertices have, and which of the faces beyond three sides one sees, given by their normals and how
#: far below each the vertex is.
_OF_HULL = """
in vec3 faceMC; in vec4 firstMC, secondMC, thirdMC; in float flagsMC;
uniform int stageParallel;
vec3 stageSeeing(vec3 toEye, vec3 low)
{
  return vec3(dot(firstMC.xyz, toEye) + low.x > 0.0, dot(secondMC.xyz, toEye) + low.y > 0.0,
    dot(thirdMC.xyz, toEye) + low.z > 0.0);
}
"""
_SEEING = """stageParallel != 0 ? stageSeeing(transpose(mat3(MCVCMatrix))[2], vec3(0.0))
  : stageSeeing(-transpose(mat3(MCVCMatrix)) * (MCVCMatrix * vertexMC).xyz, vec3(firstMC.w, secondMC.w, thirdMC.w))"""


def color_table(theme: Theme) -> npt.NDArray[np.uint8]:
    """Return the color of all flags as the shader takes it: red, green, blue, and 255 less the flags."""
    return np.array([(*theme.paints[s].color, 255 - s) for s in ALL_FLAGS], dtype=np.uint8)


def shade(actor: vtkActor, surface: Surface, *, clear: bool) -> None:
    """Have an actor draw solids. `paint` and `set_view` must be called before it does.

    Of impostors and glyphs, a clear one draws those that are seen through, and another one the others.
    """
    shader, round_ = actor.GetShaderProperty(), surface in (Surface.CAPSULE, Surface.CYLINDER)
    call = _CALL.format(
        edge=_EDGES[surface],
        light="stageLit" if surface is Surface.BOX else "stageLight(stageNormal)",
        opacity="stageOpacity(stageRim.a > 0.0 ? stageRimEdge : stageEdge)" if clear else "1.0",
    )
    shaded = _LIGHT + HATCH + _SHADE + (_OPACITY if clear else "")
    if round_:
        set_fragment_code(shader, FROM_IMPOSTOR + shaded, call, attributes=TO_FRAGMENTS + _LOOKS)
        draw_impostors(shader, surface, _ELSEWHERE[clear], clear=clear)
    else:
        rgba, flags = "vertexColorVSOutput", FLAGS.format(rgba="vertexColorVSOutput")
        faces: tuple[str, ...] = "vec2 stageFace = faceMC", "flat vec2 stageEye = vec2(0.0)"
        attributes, first, nowhere = "in vec2 faceMC; in float flagsMC;\n", _SLOPE + _TURNING, ""
        if surface is Surface.BOX:
            faces = f"vec2 stageFace = {_FACE}", "flat vec2 stageEye = stageEyeIn(GCMCMatrix).xy"
            faces += (f"flat float stageLit = stageLight({_NORMAL})",)
            attributes, first = f"uniform mat4 MCVCMatrix;\n{_EYE}{_LIGHT_OF_VERTICES}", _SLOPE
            nowhere = _NOWHERE.format(elsewhere=_ELSEWHERE[clear].format(flags=flags))
            # A face that is seen through is before one that lies in it, such as a ghost's before that of its shape.
        else:
            flags = "int(floor(flagsMC + 0.5))"
        if surface is Surface.HULL:
            faces = "vec3 stageFace = faceMC", f"flat vec3 stageBeyond = {_SEEING}"
            attributes, first = _OF_HULL, _SLOPE.replace("vec2", "vec3") + _TURNING
        if surface is not Surface.MESH and clear:
            # A face that is seen through is before one that lies in it, such as a ghost's before that of its shape.
            nowhere += "gl_Position.z -= 1.0e-5 * gl_Position.w;"
        passed = (
            f"flat vec3 stageColor = {rgba}.rgb",
            *(f"flat vec4 stage{name} = stageLook({flags}, {row})" for row, name in enumerate(LOOKS)),
            *faces,
            "vec2 stageStripe = vec2(0.0)",
        )
        set_fragment_code(shader, shaded, call, passed, attributes + _LOOKS, first=first)
        place_vertices(shader, STRIPE + nowhere)
    # The flags travel in the alpha channel.
    (actor.ForceTranslucentOn if clear else actor.ForceOpaqueOn)()
    if surface not in (Surface.MESH, Surface.HULL):
        actor.GetProperty().LightingOff()  # VTK would work out normals
    show_all(actor, everything=False)
    set_view(actor, unit=1.0, pixel=1.0, parallel=False)


def paint(actor: vtkActor, theme: Theme, *, clear: bool) -> None:
    """Have solids look as a theme says."""
    looks, light = list[float](), theme.light
    for look in (theme.paints[flags] for flags in ALL_FLAGS):
        looks += [*parts_of(look.stripe or look.color), look.outline]
        looks += [*(look.opacities if clear else (1.0, 1.0, 1.0)), look.stripe_width]
        looks += [*parts_of(look.rim or (0, 0, 0)), float(look.rim is not None)]
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniform1fv("stageLooks", len(looks), looks)
    for name in ("ambient", "key", "fill", "sky"):
        uniforms.SetUniformf(f"stage{name.title()}", getattr(light, name))
    for name, way in (("Key", light.key_direction), ("Fill", light.fill_direction)):
        uniforms.SetUniform3f(f"stage{name}Way", (np.array(way) / np.linalg.norm(way)).tolist())
    # A dark outline is lost before a dark background where there is no surface behind it.
    uniforms.SetUniformf("stageDarker", -0.6 if clear and sum(theme.background) < sum(theme.text) else 1.0)
    set_stripes(actor, theme, 1.0, WHOLE)


def show_all(actor: vtkActor, *, everything: bool) -> None:
    """Say whether a clear actor draws everything, or what is faded."""
    # VTK declares it in fragment shaders only. It has one value for all shaders of a program.
    actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniformi("stageAll", int(everything))


def set_view(actor: vtkActor, *, unit: float, pixel: float, parallel: bool) -> None:
    """Tell an actor's shader the pixels of a unit, the size of a pixel at depth 1, and how the camera projects."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformf("stageUnit", unit)
    uniforms.SetUniformf("stagePixels", 1.0 / pixel)
    uniforms.SetUniformi("stageParallel", int(parallel))


def set_fragment_code(
    shader: vtkShaderProperty,
    declarations: str,
    code: str,
    passed: Sequence[str] = (),
    attributes: str = "",
    *,
    first: str = "",
) -> None:
    """Replace what becomes of a fragment once its surface, normal and color are known.

    Parameters
    ----------
    shader : vtkShaderProperty
        Of the actor.
    declarations, code : str
        GLSL: functions, and statements that set ``fragOutput0``.
    passed : sequence of str
        Values that the vertex shader hands on, such as ``"vec3 place = vertexMC.xyz"``; a ``flat`` one is that of one
        vertex for all of a triangle.
    attributes : str
        Declarations that these need: attributes of vertices, and functions.
    first : str
        GLSL that comes before anything by which a fragment may end early: what is compared with the pixels beside
        (``fwidth``) is undefined where one of those has ended.
    """
    outs, ins = ([_declared(value, way) for value in passed] for way in ("out", "in"))
    insert(shader.AddVertexShaderReplacement, "Normal::Dec", attributes, *outs)
    insert(shader.AddVertexShaderReplacement, "Normal::Impl", *map(_assigned, passed))
    insert(shader.AddFragmentShaderReplacement, "Light::Dec", *ins, declarations)
    insert(shader.AddFragmentShaderReplacement, "Light::Impl", "{", code, "}")
    if first:
        insert(shader.AddFragmentShaderReplacement, "UniformFlow::Impl", first)


def place_vertices(shader: vtkShaderProperty, code: str) -> None:
    """Have the vertex shader put vertices elsewhere: GLSL statements that set ``gl_Position`` after VTK has."""
    insert(shader.AddVertexShaderReplacement, "PositionVC::Impl", "{", code, "}")


def _declared(passed: str, way: str) -> str:
    """Return the declaration of a value that is handed on, ``out`` of one shader or ``in``to the next."""
    flat, name = ("flat ", passed.removeprefix("flat ")) if passed.startswith("flat ") else ("", passed)
    return f"{flat}{way} {name.partition(' = ')[0]};"


def _assigned(passed: str) -> str:
    """Return the statement that sets it."""
    return f"{passed.removeprefix('flat ').partition(' ')[2]};"


def parts_of(color: Color) -> tuple[float, float, float]:
    """Return a color as shaders take it."""
    red, green, blue = (part / 255.0 for part in color)
    return red, green, blue


def set_color(actor: vtkActor, name: str, color: Color) -> None:
    """Tell an actor's shader a color."""
    actor.GetShaderProperty().GetFragmentCustomUniforms().SetUniform3f(name, parts_of(color))
