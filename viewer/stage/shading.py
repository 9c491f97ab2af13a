"""How a surface answers light: one piece of shader code for balls, capsules, boxes and meshes alike.

VTK's mappers find the surface and its normal; this code replaces what they then make of it. So all solids are shaded by
the same arithmetic, whatever lights the plotter has, and the picture is the same in a user's own plotter.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt
from vtkmodules.vtkRenderingCore import vtkActor, vtkShaderProperty

from viewer.picture.drawables import Solidity
from viewer.picture.theme import Color, Theme
from viewer.stage.impostors import draw_balls, draw_capsules, insert


class Surface(Enum):
    """What a mapper draws, which says where the shader finds the standing, and whether there are edges."""

    BALL = "ball"  # an impostor: standing in the color's alpha
    CAPSULE = "capsule"  # the same
    BOX = "box"  # a glyph: standing in the color's alpha, the cube's own coordinates for the edges
    MESH = "mesh"  # standing and coordinates are attributes of the vertices


_SHADE = """
vec3 stageShade(vec3 color, int standing, vec3 n, float edgePixels)
{{
  vec3 stripe = color;
  float outline = 0.0;
{choices}
  // Stripes run diagonally across the picture; their edges fade over one pixel.
  float offset = abs(fract((gl_FragCoord.x + gl_FragCoord.y) * ({stripes} * stageUnits)) - 0.5);
  vec3 base = mix(stripe, color, clamp((offset - 0.2) * ({period} * stageUnit) + 0.5, 0.0, 1.0));
  // Light that reaches a little around the side has no hard border.
  float key = clamp((dot(n, {key_direction}) + 0.4) / 1.4, 0.0, 1.0);
  float light = {ambient} + {key} * key * key + {fill} * max(dot(n, {fill_direction}), 0.0) + {sky} * (0.5 + 0.5 * n.y);
  // Shadows are richer in color, not only darker: amber turns brown, not olive.
  vec3 lit = base * mix(base, vec3(1.0), light) * (0.45 + 0.55 * light);
  return lit * (1.0 - outline * (1.0 - clamp(edgePixels - 0.9 * stageUnit + 0.5, 0.0, 1.0)));
}}

// How wide a surface is, in pixels, for its outline. Solids of a few pixels have a thinner one, or they would be
// nothing else.
float stageWidthOf(float pixels) {{ return max(pixels, 9.0 * stageUnit); }}
"""

_CALL = """
    vec3 stageNormal = {normal};
    float stageEdge = 1.0e9;
{edge}
{discard}
    fragOutput0 = vec4(stageShade(vertexColorVSOutput.rgb, {standing}, stageNormal, stageEdge), 1.0);
"""

#: What one sees through keeps its outline and its edges, and beside them one pixel of four.
_SEE_THROUGH = """
    if (stageEdge > 1.6 * stageUnit && max(mod(gl_FragCoord.x, 2.0), mod(gl_FragCoord.y, 2.0)) > 1.0) {{ discard; }}
"""

#: Distance in pixels to the outline of a ball, or of a capsule. Where the line of sight meets a circle of radius 1 was
#: found by solving a quadratic equation. How far its middle is from that line, from 0 to 1, follows from the
#: discriminant; and `pos` is what the depth was made of, with how far away that is.
_ROUND_EDGE = """
    float stageAside = sqrt(max(1.0 - {discriminant}, 0.0));
    stageEdge = (1.0 - stageAside) * stageWidthOf(radiusVCVSOutput * stagePixels / pos.w);
"""

#: Distance in pixels to the nearest edge of a box. Its own coordinates go from -1 to 1, and one is constant on a face;
#: elsewhere on a mesh they are zero.
_BOX_EDGE = """
    for (int axis = 0; axis < 3; ++axis)
    {
      float span = stageSpan[axis];
      if (span > 1.0e-6) { stageEdge = min(stageEdge, (1.0 - abs(stageLocal[axis])) * stageWidthOf(1.0 / span)); }
    }
"""

#: On a mesh, how fast the normal turns away says how far its outline is.
_MESH_EDGE = (
    """
    vec3 stageToEye = stageParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
    float stageFacing = abs(dot(stageNormal, stageToEye));
    float stageTurning = fwidth(stageFacing);
"""
    + _BOX_EDGE
    + """
    if (stageEdge > 1.0e8) { stageEdge = 0.5 * stageFacing / max(stageTurning, 1.0e-6); }
"""
)

#: How fast a box's own coordinates change from pixel to pixel.
_BOX_SPAN = "  vec3 stageSpan = fwidth(stageLocal);"

#: The radius of a ball: it hides the variable of the same name that came from the triangle (see `draw_balls`).
_OWN_RADIUS = "  float radiusVCVSOutput = stageRadius;"

#: What is found of a ball or a capsule is where the line of sight enters it, be that behind the eye: from inside, one
#: would see nothing else. The insides of boxes are not drawn either.
_BEHIND = "    if (vertexVC.z > 0.0) { discard; }"

_EDGES = {
    Surface.BALL: _BEHIND + _ROUND_EDGE.format(discriminant="0.25 * d"),
    Surface.CAPSULE: _BEHIND + _ROUND_EDGE.format(discriminant="stageDeep"),
    Surface.BOX: _BOX_EDGE,
    Surface.MESH: _MESH_EDGE,
}
_FIRST = {Surface.BALL: _OWN_RADIUS, Surface.CAPSULE: "", Surface.BOX: _BOX_SPAN, Surface.MESH: _BOX_SPAN}

_STANDING_OF_ALPHA = "int(floor(255.5 - 255.0 * vertexColorVSOutput.a))"
_STANDING_OF_VERTEX = "int(floor(stageStanding + 0.5))"


def color_table(theme: Theme) -> npt.NDArray[np.uint8]:
    """Return the color of each standing as the shader takes it: red, green, blue, and 255 less the standing."""
    return np.array([(*theme.paints[s].color, 255 - s) for s in Solidity], dtype=np.uint8)


def shade(actor: vtkActor, theme: Theme, surface: Surface, *, see_through: bool = False) -> None:
    """Have an actor shaded by the theme. `set_view` must be called before it is drawn."""
    shader = actor.GetShaderProperty()
    standing, attributes = _STANDING_OF_ALPHA, ""
    passed: tuple[str, ...] = ()
    if surface is Surface.BOX:
        passed = ("vec3 stageLocal = vertexMC.xyz",)
    if surface is Surface.MESH:
        standing = _STANDING_OF_VERTEX
        passed = ("vec3 stageLocal = localMC", "float stageStanding = standingMC")
        attributes = "in vec3 localMC; in float standingMC;"
    discard = _SEE_THROUGH if see_through else ""
    # The normals of impostors are as long as they should be.
    normal = f"{'' if surface in (Surface.BALL, Surface.CAPSULE) else 'normalize'}(normalVCVSOutput)"
    call = _CALL.format(normal=normal, edge=_EDGES[surface], standing=standing, discard=discard)
    set_fragment_code(shader, _shade_code(theme), call, passed, attributes, first=_FIRST[surface])
    if surface is Surface.BALL:
        draw_balls(shader)
    if surface is Surface.CAPSULE:
        draw_capsules(shader)
    # The standing travels in the alpha channel; nothing here is see-through.
    actor.ForceOpaqueOn()
    set_view(actor, unit=1.0, pixel=1.0, parallel=False)


def set_view(actor: vtkActor, *, unit: float, pixel: float, parallel: bool) -> None:
    """Tell an actor's shader the pixels of a unit, the size of a pixel at depth 1, and how the camera projects."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformf("stageUnit", unit)
    uniforms.SetUniformf("stageUnits", 1.0 / unit)  # in a pixel
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
        Values that the vertex shader hands on, such as ``"vec3 place = vertexMC.xyz"``.
    attributes : str
        Declarations of the attributes of vertices that these need.
    first : str
        GLSL that comes before anything by which a fragment may end early: what is compared with the pixels beside
        (``fwidth``) is undefined where one of those has ended.
    """
    variables = [value.partition(" = ")[0] for value in passed]
    insert(shader.AddVertexShaderReplacement, "Normal::Dec", attributes, *(f"out {name};" for name in variables))
    insert(shader.AddVertexShaderReplacement, "Normal::Impl", *(f"{value.partition(' ')[2]};" for value in passed))
    insert(shader.AddFragmentShaderReplacement, "Light::Dec", *(f"in {name};" for name in variables), declarations)
    insert(shader.AddFragmentShaderReplacement, "Light::Impl", "{", code, "}")
    if first:
        insert(shader.AddFragmentShaderReplacement, "UniformFlow::Impl", first)


def place_vertices(shader: vtkShaderProperty, code: str) -> None:
    """Have the vertex shader put vertices elsewhere: GLSL statements that set ``gl_Position`` after VTK has."""
    insert(shader.AddVertexShaderReplacement, "PositionVC::Impl", "{", code, "}")


def _shade_code(theme: Theme) -> str:
    choices = []
    for standing, paint in theme.paints.items():
        stripe = "" if paint.stripe is None else f"stripe = {_color(paint.stripe)};"
        choices.append(f"  if (standing == {int(standing)}) {{ {stripe} outline = {paint.outline:.4f}; }}")
    light = theme.light
    return _SHADE.format(
        choices="\n".join(choices),
        period=f"{theme.hatch_period:.4f}",
        stripes=f"{np.sqrt(0.5) / theme.hatch_period:.6f}",
        ambient=f"{light.ambient:.4f}",
        key=f"{light.key:.4f}",
        fill=f"{light.fill:.4f}",
        sky=f"{light.sky:.4f}",
        key_direction=_direction(light.key_direction),
        fill_direction=_direction(light.fill_direction),
    )


def _color(color: Color) -> str:
    return _vec3(np.divide(color, 255.0))


def _direction(direction: tuple[float, float, float]) -> str:
    return _vec3(np.divide(direction, np.linalg.norm(direction)))


def _vec3(values: npt.NDArray[np.float64]) -> str:
    return f"vec3({', '.join(f'{value:.6f}' for value in values)})"
