"""What impostors are of: balls and capsules, drawn whole by VTK's mappers for balls and for sticks.

An impostor is a flat outline; what is seen in it is worked out for each pixel. The code below goes into VTK's shaders
at the tags that these have for it, and uses their names.
"""

from __future__ import annotations

from collections.abc import Callable

from vtkmodules.vtkRenderingCore import vtkShaderProperty


def insert(add: Callable[[str, bool, str, bool], None], tag: str, *lines: str) -> None:
    """Put lines after a tag of a shader, where `add` is the method that replaces in shaders of that kind."""
    # VTK's own replacement still takes place: its tag stays, before ours.
    add(f"//VTK::{tag}", True, "\n".join([f"//VTK::{tag}", *lines, ""]), False)


def draw_balls(shader: vtkShaderProperty) -> None:
    """Have a ball drawn whole.

    VTK draws it in a triangle around a disk through its center. Perspective shows more of a ball than that disk, and
    the triangle would cut its outline. So it is made larger, and the fragments get the ball's own radius beside.
    """
    grow = """
  stageRadius = radiusVCGSOutput;
  vec3 stageCenter = gl_in[0].gl_Position.xyz;
  float stageFar = dot(stageCenter, stageCenter);
  float stageNear = max(stageFar - stageRadius * stageRadius, 1.0e-4 * stageFar);
  radiusVCGSOutput *= cameraParallel != 0 ? 1.0 : sqrt(stageFar / stageNear);
"""
    insert(shader.AddGeometryShaderReplacement, "Clip::Dec", "out float stageRadius;")
    insert(shader.AddGeometryShaderReplacement, "Clip::Impl", grow)
    insert(shader.AddFragmentShaderReplacement, "Clip::Dec", "in float stageRadius;")


#: The two sides of the box around a capsule that can be seen: one along its axis, and one across. The eye is in a plane
#: through the axis; so is `away`. Whoever is in that box, or all but, looks through a window before the eye instead.
_CAPSULE_BOX = """
    float stageRadius = radiusVCGSOutput;
    stageHalf = 0.5 * lengthVCGSOutput;
    vec3 toEye = cameraParallel != 0 ? vec3(0.0, 0.0, 1.0) : -centerVCGSOutput;
    vec3 axis = dot(orientVCGSOutput, toEye) < 0.0 ? -orientVCGSOutput : orientVCGSOutput;
    vec3 across = cross(axis, toEye);
    if (dot(across, across) <= 1.0e-12 * dot(toEye, toEye))
    {
      across = cross(axis, abs(axis.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0));
    }
    across = stageRadius * normalize(across);
    vec3 away = cross(axis, across);
    float reach = 1.01 * (stageHalf + stageRadius);
    if (cameraParallel == 0 && -dot(toEye, away) < 1.01 * stageRadius * stageRadius && dot(toEye, axis) < reach)
    {
      for (int k = 0; k < 4; ++k)
      {
        gl_Position = vec4(k % 2 == 0 ? -1.0 : 1.0, k < 2 ? -1.0 : 1.0, 0.0, 1.0);
        vertexVCGSOutput = vec4(gl_Position.x / VCDCMatrix[0][0], gl_Position.y / VCDCMatrix[1][1], -1.0, 1.0);
        vertexVCGSOutput.xyz *= 1.0e-3 * stageRadius;
        EmitVertex();
      }
    }
    else
    {
      for (int k = 0; k < 6; ++k)
      {
        vec3 corner = (k % 2 == 0 ? -across : across) + (k < 4 ? -away : away) + (k < 2 ? -reach : reach) * axis;
        vertexVCGSOutput = vec4(centerVCGSOutput + corner, 1.0);
        gl_Position = VCDCMatrix * vertexVCGSOutput;
        gl_Position.z = 0.0;  // the depth comes from the surface: what is before it must not be cut off
        EmitVertex();
      }
    }
    EndPrimitive();
    return;
"""

#: Where the line of sight enters a capsule, in radii: through the side of the endless cylinder around it, or else
#: through the ball at the end beyond which it enters that.
_CAPSULE_HIT = """
  vec3 stageSight = cameraParallel != 0 ? vec3(0.0, 0.0, -1.0) : normalize(vertexVC.xyz);
  vec3 stageFrom = (vertexVC.xyz - centerVCVSOutput) / radiusVCVSOutput;
  float stageReach = stageHalf / radiusVCVSOutput;
  float stageAlong = dot(stageSight, orientVCVSOutput);
  float stageUp = dot(stageFrom, orientVCVSOutput);
  vec3 stageSide = stageSight - stageAlong * orientVCVSOutput;
  vec3 stageOff = stageFrom - stageUp * orientVCVSOutput;
  float stageSquare = dot(stageSide, stageSide);
  float stageHalfway = dot(stageSide, stageOff);
  float stageWithin = 1.0 - dot(stageOff, stageOff);
  float stageDeep = stageHalfway * stageHalfway + stageSquare * stageWithin;
  // A line of sight along the axis never enters the side; it comes from infinitely far beyond the end that it meets.
  bool stageEndOn = stageSquare < 1.0e-12;
  if (stageEndOn ? stageWithin < 0.0 : stageDeep < 0.0) { discard; }
  float stageWay = stageEndOn ? 0.0 : (-stageHalfway - sqrt(max(stageDeep, 0.0))) / stageSquare;
  float stageHeight = stageEndOn ? (stageAlong < 0.0 ? 1.0e30 : -1.0e30) : stageUp + stageWay * stageAlong;
  stageDeep = stageEndOn ? 1.0 : stageDeep / stageSquare;
  vec3 normalVCVSOutput = stageOff + stageWay * stageSide;
  if (abs(stageHeight) > stageReach)
  {
    vec3 stageBall = stageFrom - (stageHeight > 0.0 ? stageReach : -stageReach) * orientVCVSOutput;
    float stageNearest = dot(stageBall, stageSight);
    vec3 stagePast = stageBall - stageNearest * stageSight;  // its square is not a difference of large ones
    stageDeep = 1.0 - dot(stagePast, stagePast);
    if (stageDeep < 0.0) { discard; }
    stageWay = -stageNearest - sqrt(max(stageDeep, 0.0));
    normalVCVSOutput = stagePast - sqrt(max(stageDeep, 0.0)) * stageSight;
  }
  vertexVC.xyz = centerVCVSOutput + radiusVCVSOutput * (stageFrom + stageWay * stageSight);
  vec4 pos = VCDCMatrix * vertexVC;
  gl_FragDepth = (pos.z / pos.w + 1.0) / 2.0;
"""


def draw_capsules(shader: vtkShaderProperty) -> None:
    """Have a stick drawn as a capsule: with balls at its ends, in one piece.

    VTK draws a cylinder, in two sides of a box around it. The box is made longer, and what is seen in it is another
    surface: what VTK would put in its place is left out.
    """
    insert(shader.AddGeometryShaderReplacement, "Clip::Dec", "out float stageHalf;")
    insert(shader.AddGeometryShaderReplacement, "Picking::Impl", "{", _CAPSULE_BOX, "}")
    insert(shader.AddFragmentShaderReplacement, "Clip::Dec", "in float stageHalf;")
    shader.AddFragmentShaderReplacement("//VTK::Depth::Impl", True, _CAPSULE_HIT, False)
