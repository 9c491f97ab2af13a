"""What impostors are of: balls and capsules, drawn whole by VTK's mapper for sticks.

An impostor is a flat outline; what is seen in it is worked out for each pixel. The code below goes into VTK's shaders
at the tags that these have for it, and uses their names. A ball is a capsule without a length.
"""

from __future__ import annotations

from collections.abc import Callable

from vtkmodules.vtkRenderingCore import vtkShaderProperty


def insert(add: Callable[[str, bool, str, bool], None], tag: str, *lines: str) -> None:
    """Put lines after a tag of a shader, where `add` is the method that replaces in shaders of that kind."""
    # VTK's own replacement still takes place: its tag stays, before ours.
    add(f"//VTK::{tag}", True, "\n".join([f"//VTK::{tag}", *lines, ""]), False)


#: The standing of a solid travels in the alpha of its color.
STANDING = "int(floor(255.5 - 255.0 * {rgba}.a))"

#: What the fragments of an impostor share: its color, stripes, rim, center, axis, radius, and half its length in radii;
#: its radius in pixels at depth 1, the pixels of a unit and its inverse, what depth becomes in the picture, and whether
#: that has no perspective; and what each has of its own, how far from the center a point of its line of sight is, in
#: radii. All that is the same everywhere comes with them, as Mesa needs forty instructions for each number that a
#: fragment asks for itself.
_SHARED = """
flat {way} vec3 stageColor;
flat {way} vec4 stagePaint;
flat {way} vec4 stageRim;
flat {way} vec3 stageClear;
flat {way} vec3 stageCenter;
flat {way} vec3 stageAxis;
flat {way} float stageRadius;
flat {way} float stageReach;
flat {way} float stageWide;
flat {way} vec2 stageScale;
flat {way} vec2 stageDepth;
flat {way} float stageFlat;
{way} vec3 stageFrom;
"""

#: What they declare to have it.
FROM_IMPOSTOR = _SHARED.format(way="in")

#: What the camera's matrix makes of a point: its rows but for the depth, the pixels of a unit and its inverse; how deep
#: a point is, the pixels at depth 1, and whether there is no perspective.
_LENS = ("stageLensX", "stageLensY", "stageLensZ")

#: The vertex shader reads them, where that is cheap.
_SEEN = """
  stageLensX = vec4(VCDCMatrix[0][0], VCDCMatrix[2][0], VCDCMatrix[3][0], stageUnit);
  stageLensY = vec4(VCDCMatrix[1][1], VCDCMatrix[2][1], VCDCMatrix[3][1], stageUnits);
  stageLensZ = vec4(VCDCMatrix[2][2], VCDCMatrix[3][2], stagePixels, cameraParallel != 0 ? 1.0 : 0.0);
"""

#: An outline has eight corners, four around the ball at each end. There, its sides touch the ball at angles 0, a half
#: and a whole of `last`, to either side of the direction that is outward in the picture: the outermost sides go along
#: the axis. Where one end hides the other, all sides are around the nearer one. Whoever is in a capsule, or all but,
#: looks through a window before the eye instead.
#:
#: There is one place that emits a corner, in loops of which no compiler knows how often they are run: twelve copies of
#: it would take Mesa five times as long to compile.
_EMIT = """
  if ({elsewhere}) {{ return; }}
  stageColor = vertexColorVSOutput[0].rgb;
  stagePaint = stagePaintOf(stageColor, {standing});
  stageRim = stageRimOf({standing});
  stageClear = stageClearOf({standing});
  stageCenter = gl_in[0].gl_Position.xyz;
  stageRadius = radiusVCVSOutput[0];
  stageReach = 0.5 * lengthVCVSOutput[0] / stageRadius;
  stageAxis = stageReach == 0.0 ? vec3(1.0, 0.0, 0.0) : orientVCVSOutput[0];
  vec4 lensX = stageLensX[0], lensY = stageLensY[0], lensZ = stageLensZ[0];
  stageWide = stageRadius * lensZ.z;
  stageScale = vec2(lensX.w, lensY.w);
  stageDepth = lensZ.xy;
  stageFlat = lensZ.w;
  bool parallel = stageFlat > 0.5;
  vec3 toEye = parallel ? vec3(0.0, 0.0, 1.0) : -stageCenter;
  float stageHalf = stageReach * stageRadius;
  vec3 nearest = stageCenter - clamp(dot(stageCenter, stageAxis), -stageHalf, stageHalf) * stageAxis;
  bool within = !parallel && length(nearest) < 1.01 * stageRadius;
  vec3 across = cross(toEye, stageAxis);
  if (dot(across, across) <= 1.0e-12 * dot(toEye, toEye))
  {{
    across = cross(stageAxis, abs(stageAxis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0));
  }}
  across = normalize(across);
  int ends = within ? 1 : 2, corners = stageRadius > 0.0 ? 4 : 0;
  for (int e = 0; e < ends; ++e)
  {{
    float end = e == 0 ? -1.0 : 1.0;
    vec3 center = stageCenter + end * stageReach * stageRadius * stageAxis;
    float distance = length(center);
    vec3 sight = parallel ? vec3(0.0, 0.0, -1.0) : center / distance;
    float part = parallel ? 0.0 : stageRadius / distance;
    float rest = sqrt(1.0 - part * part);
    vec3 outward = end * cross(sight, across);
    float along = end * dot(sight, stageAxis);
    float last = acos(clamp(part * along / (rest * max(end * dot(outward, stageAxis), 1.0e-9)), -1.0, 1.0));
    float size = 1.001 * stageRadius / (rest * cos(0.25 * last));
    for (int k = 0; k < corners; ++k)
    {{
      float angle = (k < 2 == end < 0.0 ? 0.25 : 0.75) * last;
      vec3 point = center + size * (cos(angle) * outward + (k % 2 == 0 ? -1.0 : 1.0) * sin(angle) * across);
      // The depth comes from the surface: what is before it must not be cut off.
      gl_Position = vec4(dot(lensX.xyz, vec3(point.xz, 1.0)), dot(lensY.xyz, vec3(point.yz, 1.0)), 0.0, 1.0);
      gl_Position.w = parallel ? 1.0 : -point.z;
      if (within)
      {{
        gl_Position = vec4(k % 2 == 0 ? -1.0 : 1.0, k < 2 ? -1.0 : 1.0, 0.0, 1.0);
        point = vec3(gl_Position.x / lensX.x, gl_Position.y / lensY.x, -1.0);
        point *= max(length(stageCenter), stageRadius);
      }}
      stageFrom = (point - stageCenter) / stageRadius;
      EmitVertex();
    }}
  }}
  EndPrimitive();
  return;
"""

#: Where the line of sight enters a capsule, in radii: through the side of the endless cylinder around it, or else
#: through the ball at the end beyond which it enters that.
_CAPSULE_HIT = """
  float stageAlong = dot(stageSight, stageAxis);
  float stageUp = dot(stageFrom, stageAxis);
  vec3 stageSide = stageSight - stageAlong * stageAxis;
  vec3 stageOff = stageFrom - stageUp * stageAxis;
  float stageSquare = dot(stageSide, stageSide);
  float stageHalfway = dot(stageSide, stageOff);
  float stageWithin = 1.0 - dot(stageOff, stageOff);
  stageDeep = stageHalfway * stageHalfway + stageSquare * stageWithin;
  // A line of sight along the axis never enters the side; it comes from infinitely far beyond the end that it meets.
  bool stageEndOn = stageSquare < 1.0e-12;
  stageWay = stageEndOn ? 0.0 : (-stageHalfway - sqrt(max(stageDeep, 0.0))) / stageSquare;
  float stageHeight = stageEndOn ? (stageAlong < 0.0 ? 1.0e30 : -1.0e30) : stageUp + stageWay * stageAlong;
  stageDeep = stageEndOn ? stageWithin : stageDeep / stageSquare;
  normalVCVSOutput = stageOff + stageWay * stageSide;
  if (stageReach == 0.0 || abs(stageHeight) > stageReach)
  {
    stageBall -= (stageHeight > 0.0 ? stageReach : -stageReach) * stageAxis;
"""

#: Where it enters a ball.
_BALL_HIT = """
    float stageNearest = dot(stageBall, stageSight);
    vec3 stagePast = stageBall - stageNearest * stageSight;  // its square is not a difference of large ones
    stageDeep = 1.0 - dot(stagePast, stagePast);
    stageWay = -stageNearest - sqrt(max(stageDeep, 0.0));
    normalVCVSOutput = stagePast - sqrt(max(stageDeep, 0.0)) * stageSight;
  }
"""

#: What is found: how deep within the outline the line of sight is (1 in the middle, less than 0 outside), how far along
#: it the surface is, and the normal there. What is entered behind the eye is not seen: from inside, one would see
#: nothing else.
_FRAGMENT = """
  vec3 stageSight = stageFlat > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(stageCenter + stageRadius * stageFrom);
  vec3 stageBall = stageFrom;
  float stageDeep, stageWay;
  vec3 normalVCVSOutput;
  {hit}
  float stageZ = stageCenter.z + stageRadius * (stageFrom.z + stageWay * stageSight.z);
  float stageW = stageFlat > 0.5 ? 1.0 : -stageZ;
  if (!(stageDeep >= 0.0 && stageZ <= 0.0)) {{ discard; }}
  gl_FragDepth = 0.5 * (stageDepth.x * stageZ + stageDepth.y) / stageW + 0.5;
"""


def draw_capsules(shader: vtkShaderProperty, paint: str, elsewhere: str, *, balls: bool) -> None:
    """Have a stick drawn as a capsule, with balls at its ends, in one piece; one without a length is a ball.

    An outline fits also where perspective shows more of a ball than the disk through its center. It takes the place of
    VTK's, which has so many corners.

    Parameters
    ----------
    shader : vtkShaderProperty
        Of the actor.
    paint : str
        GLSL: functions such as ``stagePaintOf``, which return how a standing is painted.
    elsewhere : str
        GLSL: the condition under which a capsule is not drawn, about ``{standing}``.
    balls : bool
        Whether all of them are balls: each pixel is then found sooner.
    """
    standing = STANDING.format(rgba="vertexColorVSOutput[0]")
    emit = _EMIT.format(elsewhere=elsewhere.format(standing=standing), standing=standing)
    declared = [f"out vec4 {lens};" for lens in _LENS]
    uniforms = "uniform float stageUnit, stageUnits, stagePixels;\nuniform int cameraParallel;"
    insert(shader.AddVertexShaderReplacement, "Clip::Dec", uniforms, *declared)
    insert(shader.AddVertexShaderReplacement, "Clip::Impl", _SEEN)
    add = shader.AddGeometryShaderReplacement
    add("max_vertices = 6", True, "max_vertices = 8", False)
    insert(add, "Clip::Dec", *[f"in vec4 {lens}[];" for lens in _LENS], _SHARED.format(way="out"), paint)
    insert(add, "Picking::Impl", "{", emit, "}")
    hit = ("{" if balls else _CAPSULE_HIT) + _BALL_HIT
    shader.AddFragmentShaderReplacement("//VTK::Depth::Impl", True, _FRAGMENT.format(hit=hit), False)
