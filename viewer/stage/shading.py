"""How a surface answers light: one piece of shader code for spheres, sticks and boxes alike.

VTK's mappers find the surface and its normal; this code replaces what they then make of it. So all solids are shaded by
the same arithmetic, whatever lights the plotter has: a capsule has no seam where its stick meets its ends, and the
picture is the same in a user's own plotter. The standing of a solid comes with its color, in the alpha channel.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from vtkmodules.vtkRenderingCore import vtkActor

from viewer.drawables import Solidity
from viewer.theme import Color, Light, Theme

#: Alpha of the first standing; the others count down from it.
_OPAQUE = 255

_FUNCTION = """//VTK::Light::Dec
vec3 stageShade(vec3 color, float alpha, vec3 normal, vec3 toEye, float edgePixels)
{
  int standing = int(floor(%(opaque)d.5 - 255.0 * alpha));
  vec3 stripe = color;
  float outline = %(outline_0)s;
  %(choices)s
  // Stripes are %(period)s units apart across the picture; their edges fade over one pixel.
  float period = %(period)s * stageUnit;
  float across = abs(fract((gl_FragCoord.x + gl_FragCoord.y) * 0.70710678 / period) - 0.5) * period;
  vec3 base = mix(color, stripe, 1.0 - smoothstep(0.0, 1.0, across - 0.21 * period + 0.5));
  vec3 n = normalize(normal);
  // A light that reaches a little around the side has no hard border.
  float key = clamp((dot(n, %(key_direction)s) + 0.4) / 1.4, 0.0, 1.0);
  float light = %(ambient)s + %(key)s * key * key + %(fill)s * max(dot(n, %(fill_direction)s), 0.0)
              + %(sky)s * (0.5 + 0.5 * n.y);
  float rim = smoothstep(0.0, 0.5, abs(dot(n, toEye)));
  float edge = smoothstep(0.8, 1.8, edgePixels / stageUnit);
  return base * light * (1.0 - outline * (1.0 - min(rim, edge)));
}
"""

_CALL = """//VTK::Light::Impl
  {
    vec3 stageToEye = stageParallel != 0 ? vec3(0.0, 0.0, 1.0) : normalize(-vertexVC.xyz);
    float stageEdge = 1.0e9;
    %s
    fragOutput0 = vec4(stageShade(vertexColorVSOutput.rgb, vertexColorVSOutput.a, normalVCVSOutput, stageToEye, stageEdge), 1.0);
  }
"""

#: Distance in pixels to the nearest edge of a box, from its own coordinates (-0.5 to 0.5), of which one is constant on
#: each face.
_BOX_EDGE = """
    vec3 stagePerPixel = fwidth(stageLocal);
    vec3 stageInside = 0.5 - abs(stageLocal);
    if (stagePerPixel.x > 1.0e-6) { stageEdge = min(stageEdge, stageInside.x / stagePerPixel.x); }
    if (stagePerPixel.y > 1.0e-6) { stageEdge = min(stageEdge, stageInside.y / stagePerPixel.y); }
    if (stagePerPixel.z > 1.0e-6) { stageEdge = min(stageEdge, stageInside.z / stagePerPixel.z); }
    stageToEye = stageNormal;  // a flat face has no rim
"""


def vertex_colors(standing: npt.NDArray[np.uint8], theme: Theme) -> npt.NDArray[np.uint8]:
    """Return the color of each solid as the shader wants it: red, green, blue and the standing."""
    table = np.array([(*theme.paints[s].color, _OPAQUE - s) for s in Solidity], dtype=np.uint8)
    return np.asarray(table[standing])
