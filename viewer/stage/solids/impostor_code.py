"""What impostors are of: balls, capsules and cylinders.

An impostor is a flat outline, a glyph; what is seen in it is worked out for each pixel. That of a cylinder
is the far side of the box around it. The code below goes into VTK's
shaders at the tags that these have for it, and uses their names. A ball is a capsule without a length.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from vtkmodules.vtkRenderingCore import vtkShaderProperty

from viewer.stage.hatch import STRIPE


class Surface(Enum):
    """What a mapper draws, which says where its shader finds what it needs."""

    CAPSULE = "capsule"  # an impostor: flags in the color's alpha; a ball is one, too
    BOX = "box"  # a glyph: flags in the color's alpha, corners of a cube
    CYLINDER = "cylinder"  # an impostor as well, in a cube
    HULL = "hull"  # a mesh whose vertices say how far they are from three edges of their face, and what is beyond these
    MESH = "mesh"  # flags and the places on faces are attributes of the vertices


def insert(add: Callable[[str, bool, str, bool], None], tag: str, *lines: str) -> None:
    """Put lines after a tag of a shader, where `add` is the method that replaces in shaders of that kind."""
    # VTK's own replacement still takes place: its tag stays, before ours.
    add(f"//VTK::{tag}", True, "\n".join([f"//VTK::{tag}", *lines, ""]), False)


#: The flags of a solid travel in the alpha of its color.
FLAGS = "int(floor(255.5 - 255.0 * {rgba}.a))"

#: The rows of what a theme says of a solid.
LOOKS = "Paint", "Clear", "Rim"

#: What the fragments of an impostor share: its color and its looks, center, axis, radius, and half its length in radii;
#: its radius in pixels at depth 1, negative where there is no perspective; what depth becomes in the picture; and what
#: each has of its own, how far from the center a point of its line of sight is, in radii, and where it is between
#: stripes.
_SHARED = """
flat {way} vec3 stageColor;
flat {way} vec4 stagePaint, stageClear, stageRim;
flat {way} vec3 stageCenter;
flat {way} vec3 stageAxis;
flat {way} float stageRadius;
flat {way} float stageReach;
flat {way} float stageWide;
flat {way} vec2 stageDepth;
{way} vec3 stageFrom;
{way} vec2 stageStripe;
"""

#: What they declare to have it.
FROM_IMPOSTOR = _SHARED.format(way="in")

#: What the vertices of an impostor declare.
TO_FRAGMENTS = f"""
uniform mat4 MCVCMatrix;
uniform float stagePixels;
uniform int stageParallel;
{_SHARED.format(way="out")}
"""

#: VTK's matrix of a glyph has the axis, as long as the solid, and the radius.
_SOLID = """
    int flags = {flags};
    stageColor = vertexColorVSOutput.rgb;
    stagePaint = stageLook(flags, 0);
    stageClear = stageLook(flags, 1);
    stageRim = stageLook(flags, 2);
    stageCenter = (MCVCMatrix * vec4(GCMCMatrix[3].xyz, 1.0)).xyz;
    stageRadius = length(GCMCMatrix[1].xyz);
    float extent = length(GCMCMatrix[0].xyz);
    extent = extent < 1.0e-7 * stageRadius ? 0.0 : extent;  // of a ball
    stageReach = 0.5 * extent / stageRadius;
    stageAxis = extent > 0.0 ? normalize(mat3(MCVCMatrix) * GCMCMatrix[0].xyz) : vec3(1.0, 0.0, 0.0);
    // What the projection makes of a step, and of depth: VTK tells glyphs its product with the matrix of the view.
    mat3 projected = mat3(MCDCMatrix) * inverse(mat3(MCVCMatrix));
    stageDepth = vec2(projected[2].z, MCDCMatrix[3].z - projected[2].z * MCVCMatrix[3].z);
    bool parallel = stageParallel != 0;
    stageWide = (parallel ? -stagePixels : stagePixels) * stageRadius;
    float side = 0.5 * extent;
    vec3 corner = sign(vertexMC.xyz);
    vec2 scale = vec2(projected[0].x, projected[1].y);
"""

#: An outline has eight corners, four around the ball at each end. There, its sides touch the ball at angles 0, a half
#: and a whole of `last`, to either side of the direction that is outward in the picture: the outermost sides go along
#: the axis. Where one end hides the other, all sides are around the nearer one. Whoever is in a capsule, or all but,
#: looks through a window before the eye instead.
#:
#: The vertex shader knows of a corner at which end it is, on which side, and whether it is before or behind where the
#: side touches at a half of `last`.
_CAPSULE_CORNER = """
    vec3 toEye = parallel ? vec3(0.0, 0.0, 1.0) : -stageCenter;
    vec3 nearest = stageCenter - clamp(dot(stageCenter, stageAxis), -side, side) * stageAxis;
    bool within = !parallel && length(nearest) < 1.01 * stageRadius;
    vec3 across = cross(toEye, stageAxis);
    bool endOn = dot(across, across) <= 1.0e-12 * dot(toEye, toEye);
    across = endOn ? cross(stageAxis, abs(stageAxis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0)) : across;
    across = normalize(across);
    float end = corner.x, aside = corner.y;
    vec3 center = stageCenter + end * side * stageAxis;
    float distance = length(center);
    vec3 sight = parallel ? vec3(0.0, 0.0, -1.0) : center / distance;
    float part = parallel ? 0.0 : stageRadius / distance;
    float rest = sqrt(1.0 - part * part);
    vec3 outward = end * cross(sight, across);
    float last = part * end * dot(sight, stageAxis) / (rest * max(end * dot(outward, stageAxis), 1.0e-9));
    // That is its cosine. Of a quarter of `last`, and of three, cosine and sine:
    float halfway = sqrt(0.5 + 0.5 * clamp(last, -1.0, 1.0));
    vec2 turn = sqrt(vec2(0.5 + 0.5 * halfway, 0.5 - 0.5 * halfway));
    float size = 1.001 * stageRadius / (rest * turn.x);
    turn *= corner.z < 0.0 ? vec2(1.0) : vec2(4.0, -4.0) * turn * turn - vec2(3.0, -3.0);
    vec3 point = center + size * (turn.x * outward + aside * turn.y * across);
    vec3 way = point - stageCenter;
    vec2 pane = end < 0.0 ? vec2(aside, corner.z) : vec2(1.0);
"""

#: A box is a little larger than a cylinder: a disk without a height would have no side that is seen.
_CYLINDER_CORNER = """
    bool within = false;
    vec2 pane = vec2(0.0);
    vec2 half2 = 1.002 * vec2(side, stageRadius) + 1.0e-4 * max(side, stageRadius);
    mat3 turned = mat3(MCVCMatrix);
    vec3 way = corner.x * half2.x * stageAxis
      + corner.y * half2.y * normalize(turned * GCMCMatrix[1].xyz)
      + corner.z * half2.y * normalize(turned * GCMCMatrix[2].xyz);
    vec3 point = stageCenter + way;
"""

_PLACE = """
    vec4 place = MCDCMatrix * vec4(GCMCMatrix[3].xyz, 1.0);
    place.xy += scale * way.xy + projected[2].xy * way.z;
    // The depth comes from the surface: what is before it must not be cut off.
    place = vec4(place.xy, 0.0, parallel ? 1.0 : -point.z);
    vec3 through = vec3(pane / scale, -1.0) * max(length(stageCenter), stageRadius);
    gl_Position = within ? vec4(pane, 0.0, 1.0) : place;
    stageFrom = (within ? through - stageCenter : way) / stageRadius;
    gl_Position = ({elsewhere}) || !(stageRadius > 0.0) ? vec4(2.0, 2.0, 2.0, 1.0) : gl_Position;
"""

#: The line of sight enters the side of the endless cylinder around a capsule or a cylinder; lengths are in radii.
#:
#: What is found: how deep within the outline the line of sight is (1 in the middle, less than 0 outside), how far along
#: it the surface is, and the normal there. What is entered behind the eye is not seen: from inside, one would see
#: nothing else.
_LINE = """
  bool stageFlat = stageWide < 0.0;
  vec3 stageSight = stageFlat ? vec3(0.0, 0.0, -1.0) : normalize(stageCenter + stageRadius * stageFrom);
  float stageDeep, stageWay;
  vec3 stageNormal;
  float stageAlong = dot(stageSight, stageAxis);
  float stageUp = dot(stageFrom, stageAxis);
  vec3 stageSide = stageSight - stageAlong * stageAxis;
  vec3 stageOff = stageFrom - stageUp * stageAxis;
  float stageSquare = dot(stageSide, stageSide);
  float stageHalfway = dot(stageSide, stageOff);
  float stageWithin = 1.0 - dot(stageOff, stageOff);
  stageDeep = stageHalfway * stageHalfway + stageSquare * stageWithin;
  bool stageEndOn = stageSquare < 1.0e-12;
"""

#: It enters a capsule there, or else through the ball at the end beyond which it enters that.
_CAPSULE = """
  vec3 stageBall = stageFrom;
  // A line of sight along the axis never enters the side; it comes from infinitely far beyond the end that it meets.
  stageWay = stageEndOn ? 0.0 : (-stageHalfway - sqrt(max(stageDeep, 0.0))) / stageSquare;
  float stageHeight = stageEndOn ? (stageAlong < 0.0 ? 1.0e30 : -1.0e30) : stageUp + stageWay * stageAlong;
  stageDeep = stageEndOn ? stageWithin : stageDeep / stageSquare;
  stageNormal = stageOff + stageWay * stageSide;
  if (stageReach == 0.0 || abs(stageHeight) > stageReach)
  {
    stageBall -= (stageHeight > 0.0 ? stageReach : -stageReach) * stageAxis;
    float stageNearest = dot(stageBall, stageSight);
    vec3 stagePast = stageBall - stageNearest * stageSight;  // its square is not a difference of large ones
    stageDeep = 1.0 - dot(stagePast, stagePast);
    stageWay = -stageNearest - sqrt(max(stageDeep, 0.0));
    stageNormal = stagePast - sqrt(max(stageDeep, 0.0)) * stageSight;
  }
"""

#: It enters a cylinder where it is both within the endless one and between the planes of the ends, for the first time.
_CYLINDER = """
  float stageRoot = sqrt(max(stageDeep, 0.0));
  vec2 stageSides = stageEndOn ? vec2(-1.0e30, 1.0e30) : (vec2(-stageRoot, stageRoot) - stageHalfway) / stageSquare;
  float stageToward = stageAlong < 0.0 ? -1.0 : 1.0;
  vec2 stageEnds = (vec2(-stageReach, stageReach) - stageToward * stageUp) / max(abs(stageAlong), 1.0e-20);
  stageWay = max(stageSides.x, stageEnds.x);
  bool stageOnEnd = stageEnds.x > stageSides.x;
  float stageHeight = stageUp + stageWay * stageAlong;
  stageDeep = stageEndOn ? stageWithin : stageDeep / stageSquare;
  stageDeep = stageWay <= min(stageSides.y, stageEnds.y) ? stageDeep : -1.0;
  stageNormal = stageOnEnd ? -stageToward * stageAxis : stageOff + stageWay * stageSide;
"""

_FRAGMENT_DEPTH = """
  float stageZ = stageCenter.z + stageRadius * (stageFrom.z + stageWay * stageSight.z);
  float stageW = stageFlat ? 1.0 : -stageZ;
  if (!(stageDeep >= 0.0 && stageZ <= 0.0)) { discard; }
  gl_FragDepth = 0.5 * (stageDepth.x * stageZ + stageDepth.y) / stageW + 0.5;
"""


def draw_impostors(shader: vtkShaderProperty, surface: Surface, elsewhere: str, *, clear: bool) -> None:
    """Have an `outline` drawn as a capsule, with balls at its ends, in one piece, or a cube as a cylinder in it.

    A capsule without a length is a ball. An outline fits also where perspective shows more of a ball than the disk
    through its center.

    Parameters
    ----------
    shader : vtkShaderProperty
        Of the actor.
    elsewhere : str
        GLSL: the condition under which a solid is not drawn, about ``{flags}``.
    clear : bool
        Whether it is seen through. A cylinder is then before what lies in its surface, as a ghost before its shape.
    """
    flags = FLAGS.format(rgba="vertexColorVSOutput")
    rounded = surface is Surface.CAPSULE
    corner = (_SOLID + (_CAPSULE_CORNER if rounded else _CYLINDER_CORNER) + _PLACE).format(
        elsewhere=elsewhere.format(flags="flags"), flags=flags
    )
    insert(shader.AddVertexShaderReplacement, "PositionVC::Impl", "{", corner, STRIPE, "}")
    before = "  gl_FragDepth -= 5.0e-6;\n" if clear and not rounded else ""
    code = _LINE + (_CAPSULE if rounded else _CYLINDER) + _FRAGMENT_DEPTH + before
    shader.AddFragmentShaderReplacement("//VTK::Depth::Impl", True, code, False)
