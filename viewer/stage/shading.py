"""How a surface answers light: one piece of shader code for spheres, sticks, boxes and meshes alike.

VTK's mappers find the surface and its normal; this code replaces what they then make of it. So all solids are shaded by
the same arithmetic, whatever lights the plotter has: a capsule has no seam where its stick meets its ends, and the
picture is the same in a user's own plotter.
"""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt
from vtkmodules.vtkRenderingCore import vtkActor

from viewer.drawables import Solidity
from viewer.theme import Color, Theme


class Surface(Enum):
    """What a mapper draws, which says where the shader finds the standing, and whether there are edges."""

    ROUND = "round"  # an impostor: standing in the color's alpha
    BOX = "box"  # a glyph: standing in the color's alpha, the cube's own coordinates for the edges
    MESH = "mesh"  # standing and coordinates are attributes of the vertices


_SHADE = """//VTK::Light::Dec
vec3 stageShade(vec3 color, int standing, vec3 n, vec3 toEye, float edgePixels)
{{
  vec3 stripe = color;
  float outline = 0.0;
{choices}
  // Stripes run diagonally across the picture; their edges fade over one pixel.
  float period = {period} * stageUnit;
  float offset = abs(fract((gl_FragCoord.x + gl_FragCoord.y) * 0.70710678 / period) - 0.5) * period;
  vec3 base = mix(stripe, color, clamp(offset - 0.2 * period + 0.5, 0.0, 1.0));
  // Light that reaches a little around the side has no hard border.
  float key = clamp((dot(n, {key_direction}) + 0.4) / 1.4, 0.0, 1.0);
  float light = {ambient} + {key} * key * key + {fill} * max(dot(n, {fill_direction}), 0.0) + {sky} * (0.5 + 0.5 * n.y);
  float rim = smoothstep(0.0, 0.5, abs(dot(n, toEye)));
  float edge = clamp(edgePixels - 0.9 * stageUnit + 0.5, 0.0, 1.0);
  // Shadows are richer in color, not only darker: amber turns brown, not olive.
  vec3 lit = base * mix(base, vec3(1.0), light) * (0.45 + 0.55 * light);
  return lit * (1.0 - outline * (1.0 - min(rim, edge)));
}}
"""

_CALL = """//VTK::Light::Impl
  {{
    vec3 stageNormal = normalize(normalVCVSOutput);
    vec3 stageToEye = stageParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
    float stageEdge = 1.0e9;
{edge}
    fragOutput0 = vec4(stageShade(vertexColorVSOutput.rgb, {standing}, stageNormal, stageToEye, stageEdge), 1.0);
  }}
"""

#: Distance in pixels to the nearest edge of a box. Its own coordinates go from -1 to 1, and one is constant on a face;
#: elsewhere on a mesh they are zero.
_EDGE = """
    vec3 stagePerPixel = fwidth(stageLocal);
    vec3 stageInside = 1.0 - abs(stageLocal);
    if (stagePerPixel.x > 1.0e-6) { stageEdge = min(stageEdge, stageInside.x / stagePerPixel.x); }
    if (stagePerPixel.y > 1.0e-6) { stageEdge = min(stageEdge, stageInside.y / stagePerPixel.y); }
    if (stagePerPixel.z > 1.0e-6) { stageEdge = min(stageEdge, stageInside.z / stagePerPixel.z); }
    if (stageEdge < 1.0e8) { stageToEye = stageNormal; }  // a flat face has no rim
"""

_STANDING_OF_ALPHA = "int(floor(255.5 - 255.0 * vertexColorVSOutput.a))"
_STANDING_OF_VERTEX = "int(floor(stageStanding + 0.5))"


def vertex_colors(standing: npt.NDArray[np.uint8], theme: Theme) -> npt.NDArray[np.uint8]:
    """Return the color of each solid as the shader takes it: red, green, blue, and 255 less the standing."""
    table = np.array([(*theme.paints[s].color, 255 - s) for s in Solidity], dtype=np.uint8)
    return np.asarray(table[standing])


def shade(actor: vtkActor, theme: Theme, surface: Surface) -> None:
    """Have an actor shaded by the theme. `set_view` must be called before it is drawn."""
    shader = actor.GetShaderProperty()
    declarations, edge, standing = _shade_code(theme), "", _STANDING_OF_ALPHA
    if surface is not Surface.ROUND:
        declarations = "in vec3 stageLocal;\n" + declarations
        edge = _EDGE
        _pass_on(shader, "vec3 stageLocal", "vertexMC.xyz" if surface is Surface.BOX else "localMC")
    if surface is Surface.MESH:
        declarations = "in float stageStanding;\n" + declarations
        standing = _STANDING_OF_VERTEX
        _pass_on(shader, "float stageStanding", "standingMC")
    shader.AddFragmentShaderReplacement("//VTK::Light::Dec", True, declarations, False)
    shader.AddFragmentShaderReplacement("//VTK::Light::Impl", True, _CALL.format(edge=edge, standing=standing), False)
    # The standing travels in the alpha channel; nothing here is see-through.
    actor.ForceOpaqueOn()
    set_view(actor, unit=1.0, parallel=False)


def set_view(actor: vtkActor, *, unit: float, parallel: bool) -> None:
    """Tell an actor's shader how many pixels a unit has, and how the camera projects."""
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniformf("stageUnit", unit)
    uniforms.SetUniformi("stageParallel", int(parallel))


def _pass_on(shader: object, declaration: str, value: str) -> None:
    """Have the vertex shader hand a value on to the fragment shader."""
    name = declaration.split()[-1]
    for tag, code in (("Dec", f"out {declaration};"), ("Impl", f"{name} = {value};")):
        full = f"//VTK::Normal::{tag}"
        shader.AddVertexShaderReplacement(full, True, f"{full}\n  {code}\n", False)  # type: ignore[attr-defined]


def _shade_code(theme: Theme) -> str:
    choices = []
    for standing, paint in theme.paints.items():
        stripe = "" if paint.stripe is None else f"stripe = {_color(paint.stripe)};"
        choices.append(f"  if (standing == {int(standing)}) {{ {stripe} outline = {paint.outline:.4f}; }}")
    light = theme.light
    return _SHADE.format(
        choices="\n".join(choices),
        period=f"{theme.hatch_period:.4f}",
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
