// The code that the graphics card runs: solids as rays that meet them, the ground, shadows, and marks.

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

/** What all programs know of the view: y goes up, in pixels of the canvas; a unit is a length of the theme. */
const VIEW = `
uniform mat4 uMatrix;
uniform vec3 uEye, uRight, uUp, uForward; // relative to the origin
uniform vec2 uSize; // of the canvas
uniform vec2 uPixel; // how large a pixel is: at depth 0, and what each step of depth adds
uniform float uUnit, uParallel;
`;

/** Four numbers four times for each combination of flags, and of what is not there: colour and outline, stripe, ... */
export const PAINTS = 37;

/** How a solid is painted, by its flags: what its vertices hand on. */
const LOOK = `
uniform vec4 uPaints[${4 * PAINTS}];
uniform float uFaded;
flat out vec4 vPaint, vStripe, vRim, vClear;
void look(int flags) {
  vPaint = uPaints[4 * flags]; vStripe = uPaints[4 * flags + 1];
  vRim = uPaints[4 * flags + 2]; vClear = uPaints[4 * flags + 3];
}
`;

/** Paint a point of a surface with a normal, so many pixels from an edge, and from the rim of what is selected. */
const PAINT = `
flat in vec4 vPaint, vStripe, vRim, vClear;
uniform vec4 uLight; // ambient, key, fill, sky
uniform vec3 uKey, uFill;
uniform vec3 uHatch; // the way from stripe to stripe, in periods to a pixel; the width of a stripe, in periods
uniform float uPeriod, uFaded, uDark;
out vec4 oColor;
void paint(vec3 at, vec3 n, float edge, float rim) {
  vec4 place = uMatrix * vec4(at, 1.0);
  gl_FragDepth = 0.5 * place.z / place.w + 0.5 - uFaded * 1e-6;
  vec3 seen = vec3(dot(n, uRight), dot(n, uUp), -dot(n, uForward));
  float key = clamp((dot(seen, uKey) + 0.4) / 1.4, 0.0, 1.0);
  float light = dot(uLight, vec4(1.0, key * key, max(dot(seen, uFill), 0.0), 0.5 + 0.5 * seen.y));
  float stripe = abs(fract(dot(gl_FragCoord.xy, uHatch.xy)) - 0.5) - 0.5 * uHatch.z * vStripe.w;
  float plain = vStripe.w == 0.0 ? 1.0 : clamp(stripe * uPeriod + 0.5, 0.0, 1.0);
  vec3 base = mix(vStripe.rgb, vPaint.rgb, plain);
  vec3 lit = base * mix(base, vec3(1.0), light) * (0.45 + 0.55 * light);
  lit *= 1.0 - uDark * vPaint.a * (1.0 - clamp(edge - 0.9 * uUnit + 0.5, 0.0, 1.0));
  lit = mix(lit, vRim.rgb, vRim.a * clamp(2.8 * uUnit - rim + 0.5, 0.0, 1.0));
  float opacity = mix(vClear.y, vClear.x, plain);
  float line = (vRim.a > 0.0 ? 2.8 : 1.2) * uUnit;
  opacity = mix(opacity, max(vClear.z, vRim.a), clamp(line - rim + 0.5, 0.0, 1.0));
  oColor = vec4(min(lit, 1.0), uFaded > 0.5 ? opacity : 1.0);
}
`;

export const SOLID = {
  vertex: `${HEAD}${VIEW}${LOOK}
layout(location=0) in vec3 aCorner;
layout(location=1) in vec4 aCenter; // and radius: of a cylinder, less than zero
layout(location=2) in vec3 aX;
layout(location=3) in vec3 aY;
layout(location=4) in vec3 aZ;
layout(location=5) in vec3 aHalf;
layout(location=6) in float aFlags;
out vec3 vPlace;
flat out vec3 vCenter, vX, vY, vZ, vHalf;
flat out float vRadius;
void main() {
  int flags = int(aFlags + 0.5);
  look(flags);
  vCenter = aCenter.xyz; vRadius = aCenter.w; vHalf = aHalf; vX = aX; vY = aY; vZ = aZ;
  // A little larger: a box without a height would have no face that is seen from its side.
  vec3 round_ = vec3(abs(aCenter.w), abs(aCenter.w), max(aCenter.w, 0.0));
  vec3 reach = 1.002 * (aHalf + round_) + 1e-4 * max(max(max(aHalf.x, aHalf.y), aHalf.z), abs(aCenter.w));
  vec3 local = aCorner * reach;
  vPlace = aCenter.xyz + mat3(aX, aY, aZ) * local;
  gl_Position = uMatrix * vec4(vPlace, 1.0);
  if (((flags & 4) != 0) != (uFaded > 0.5)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
  fragment: `${HEAD}${VIEW}${PAINT}
in vec3 vPlace;
flat in vec3 vCenter, vX, vY, vZ, vHalf;
flat in float vRadius;

// Where the line of sight enters a ball, and how far beside its middle it goes, in radii.
bool ball(vec3 o, vec3 d, float r, out float t, out float aside) {
  float b = dot(o, d);
  vec3 past = o - b * d;
  float deep = r * r - dot(past, past);
  t = -b - sqrt(max(deep, 0.0));
  aside = length(past) / r;
  return deep >= 0.0;
}

void main() {
  vec3 sight = uParallel > 0.5 ? uForward : normalize(vPlace - uEye);
  vec3 from = uParallel > 0.5 ? vPlace - dot(vPlace - uEye, uForward) * uForward : uEye;
  mat3 axes = mat3(vX, vY, vZ);
  vec3 o = (from - vCenter) * axes, d = sight * axes; // in the axes of the solid
  float t, edge, rim, k;
  vec3 n;
  if (vRadius > 0.0) {
    float aside, h = vHalf.z;
    bool met;
    float a = dot(d.xy, d.xy), b = dot(o.xy, d.xy), c = dot(o.xy, o.xy) - vRadius * vRadius;
    float deep = b * b - a * c;
    bool along = a < 1e-10;
    float z = along ? (d.z < 0.0 ? 1e30 : -1e30) : o.z + (-b - sqrt(max(deep, 0.0))) / a * d.z;
    if (h == 0.0 || abs(z) > h) {
      vec3 end = vec3(0.0, 0.0, h == 0.0 ? 0.0 : z > 0.0 ? h : -h);
      met = ball(o - end, d, vRadius, t, aside);
      n = (o + t * d - end) / vRadius;
    } else {
      met = deep >= 0.0;
      t = (-b - sqrt(max(deep, 0.0))) / a;
      n = vec3((o + t * d).xy, 0.0) / vRadius;
      aside = sqrt(max(1.0 - deep / (a * vRadius * vRadius), 0.0));
    }
    if (!met || t < 0.0) discard;
    k = uPixel.x + uPixel.y * dot(from + t * sight - uEye, uForward);
    rim = edge = (1.0 - aside) * max(vRadius / k, 9.0 * uUnit);
  } else if (vRadius < 0.0) {
    // A cylinder: within the endless one, and between the planes of its ends.
    float r = -vRadius, h = vHalf.z;
    // From where the line of sight is nearest to its middle, so that numbers are small.
    float nearest = -dot(o, d);
    vec3 p = o + nearest * d;
    float a = dot(d.xy, d.xy), b = dot(p.xy, d.xy);
    bool along = a < 1e-12;
    float past = p.x * d.y - p.y * d.x;
    float deep = along ? r * r - dot(p.xy, p.xy) : a * r * r - past * past;
    vec2 sides = along ? vec2(-1e30, 1e30) : (vec2(-1.0, 1.0) * sqrt(max(deep, 0.0)) - b) / a;
    float toward = d.z < 0.0 ? -1.0 : 1.0;
    vec2 ends = (vec2(-h, h) - toward * p.z) / max(abs(d.z), 1e-20);
    t = max(sides.x, ends.x);
    if (deep < 0.0 || t > min(sides.y, ends.y) || t + nearest < 0.0) discard;
    vec3 q = p + t * d;
    t += nearest;
    bool onEnd = ends.x > sides.x;
    float off = length(q.xy);
    vec3 outward = off > 0.0 ? vec3(q.xy / off, 0.0) : vec3(0.0);
    n = onEnd ? vec3(0.0, 0.0, -toward) : outward;
    k = uPixel.x + uPixel.y * dot(from + t * sight - uEye, uForward);
    // In pixels: how far the rim is, seen across itself, and the outline of the side.
    float turned = dot(d, vec3(-outward.y, outward.x, 0.0));
    float lean = abs(dot(d, n)) / sqrt(max(1.0 - turned * turned, 1e-9));
    float whole = onEnd ? r : h;
    vec3 eye = uParallel > 0.5 ? -1e9 * d : o;
    edge = (1.0 - (onEnd ? off : abs(q.z)) / whole) * max(whole * lean / k, 9.0 * uUnit);
    rim = edge * ((onEnd ? dot(eye, outward) > r : eye.z * sign(q.z) > h) ? 2.0 : 1.0);
    float aside = onEnd ? 1e9 : (1.0 - min(abs(past) * inversesqrt(a) / r, 1.0)) * max(r / k, 9.0 * uUnit);
    edge = min(edge, aside);
    rim = min(rim, aside);
  } else {
    vec3 inverse = 1.0 / (d + vec3(equal(d, vec3(0.0))) * 1e-20), reach = abs(inverse) * vHalf;
    vec3 enter = -o * inverse - reach, leave = -o * inverse + reach;
    t = max(max(enter.x, enter.y), enter.z);
    if (t > min(min(leave.x, leave.y), leave.z) || t < 0.0) discard;
    int face = t == enter.x ? 0 : t == enter.y ? 1 : 2;
    int i = (face + 1) % 3, j = (face + 2) % 3;
    n = vec3(0.0);
    n[face] = -sign(d[face]);
    k = uPixel.x + uPixel.y * dot(from + t * sight - uEye, uForward);
    vec3 q = o + t * d;
    // In pixels: how far the nearest edges of the face are, each seen across itself.
    vec2 half2 = max(vec2(vHalf[i], vHalf[j]), 1e-30);
    vec2 lean = abs(d[face]) / sqrt(max(1.0 - vec2(d[j] * d[j], d[i] * d[i]), 1e-9));
    vec2 off = (1.0 - abs(vec2(q[i], q[j])) / half2) * max(half2 * lean / k, 9.0 * uUnit);
    edge = min(off.x, off.y);
    vec2 eye = uParallel > 0.5 ? -1e9 * vec2(d[i], d[j]) : vec2(o[i], o[j]);
    off *= vec2(eye.x * sign(q[i]) > half2.x, eye.y * sign(q[j]) > half2.y);
    vec2 beside = (1.0 - abs(vec2(q[i], q[j])) / half2) * max(half2 * lean / k, 9.0 * uUnit);
    rim = min(beside.x + off.x, beside.y + off.y);
  }
  paint(from + t * sight, axes * n, edge, rim);
}`,
};

/** Faces of a hull: see `facesOf` of hulls.mjs. */
export const HULL = {
  vertex: `${HEAD}${VIEW}${LOOK}
layout(location=0) in vec3 aPlace;
layout(location=1) in vec3 aNormal;
layout(location=2) in vec3 aSides;
layout(location=3) in vec4 aFirst;
layout(location=4) in vec4 aSecond;
layout(location=5) in vec4 aThird;
uniform vec4 uCenter; // and radius
uniform vec3 uX, uY, uZ;
uniform float uFlags;
out vec3 vPlace, vSides;
flat out vec3 vNormal, vBeyond; // whether the faces beyond three sides are seen
void main() {
  look(int(uFlags + 0.5));
  mat3 axes = mat3(uX, uY, uZ);
  vNormal = axes * aNormal;
  vPlace = uCenter.xyz + axes * aPlace + uCenter.w * vNormal;
  vSides = aSides;
  vec3 toEye = (uParallel > 0.5 ? -uForward : uEye - vPlace) * axes;
  vec3 high = vec3(dot(aFirst.xyz, toEye), dot(aSecond.xyz, toEye), dot(aThird.xyz, toEye));
  if (uParallel < 0.5) high += vec3(aFirst.w, aSecond.w, aThird.w);
  vBeyond = vec3(greaterThan(high, vec3(0.0)));
  gl_Position = uMatrix * vec4(vPlace, 1.0);
}`,
  fragment: `${HEAD}${VIEW}${PAINT}
in vec3 vPlace, vSides;
flat in vec3 vNormal, vBeyond;
void main() {
  vec3 span = 1.0 / max(fwidth(vSides), vec3(1e-6));
  vec3 off = vSides * max(span, vec3(9.0 * uUnit));
  float edge = min(min(off.x, off.y), off.z);
  // A rim is thin where both faces are seen, and small: of many, the outline counts.
  off = mix(off, 2.0 * vSides * max(span, vec3(25.0 * uUnit)), vBeyond);
  paint(vPlace, vNormal, edge, min(min(off.x, off.y), off.z));
}`,
};

export const GROUND = {
  vertex: `${HEAD}${VIEW}
layout(location=0) in vec2 aPlace;
uniform vec4 uGround; // its middle and half its size
out vec2 vOn;
void main() {
  vOn = aPlace;
  gl_Position = uMatrix * vec4(uGround.xyz + vec3(uGround.w * aPlace, 0.0), 1.0);
}`,
  fragment: `${HEAD}${VIEW}
in vec2 vOn;
uniform vec4 uSquares; // half the size in squares, how far the middle is from a bold line
uniform vec3 uLine;
out vec4 oColor;
void main() {
  vec2 square = vOn * uSquares.x - uSquares.yz;
  vec2 pixels = 1.0 / max(fwidth(square), vec2(1e-30));
  vec2 fine = clamp((pixels - 4.0 * uUnit) / (8.0 * uUnit), 0.0, 1.0) * 0.32;
  vec2 off = abs(fract(square + 0.5) - 0.5) * pixels;
  vec2 fifth = 5.0 * abs(fract(0.2 * square + 0.5) - 0.5) * pixels;
  fine *= clamp(0.5 * uUnit + 0.5 - off, 0.0, 1.0);
  vec2 bold = 0.55 * clamp(0.6 * uUnit + 0.5 - fifth, 0.0, 1.0);
  float opacity = max(max(fine.x, fine.y), max(bold.x, bold.y));
  opacity *= 1.0 - smoothstep(0.45, 1.0, length(vOn));
  if (opacity <= 0.0) discard;
  oColor = vec4(uLine, opacity);
}`,
};

/** Soft shadows straight down: the higher a solid is above its floor, the softer and fainter. */
const CAST = `
uniform vec3 uU, uV, uHigh; // of a place and 1: where it is on the floor, and how high that is
uniform float uStrength, uStep;
out vec2 vPlace, vOn;
flat out float vSoft, vDark;
// Put a vertex of the shadow of what is so wide where it is from its middle, and so many widths of the border farther.
void fall(vec3 middle, vec3 reach, float radius, vec2 place, vec2 way) {
  float height = middle.z - reach.z - dot(uHigh, vec3(middle.xy, 1.0));
  float above = max(height, 0.0);
  vSoft = min(0.2 * radius + 0.35 * above, 1.5 * radius);
  vDark = radius / (radius + 0.6 * above);
  bool none = height + 2.0 * reach.z < 0.01 * radius || vDark < 0.1;
  vDark *= uStrength;
  vPlace = place + vSoft * way;
  vec3 at = vec3(middle.xy + vPlace, 1.0);
  vOn = vec2(dot(uU, at), dot(uV, at));
  gl_Position = uMatrix * vec4(at.xy, dot(uHigh, at), 1.0);
  // As deep as if it were a pixel above the floor, as far as numbers tell: more would be before what stands there.
  vec4 eye = uParallel > 0.5 ? vec4(-uForward, 0.0) : vec4(uEye, 1.0);
  gl_Position.z -= clamp(uStep / max(eye.z - dot(uHigh, eye.xyw), 1e-9), 1e-6, 4e-5) * gl_Position.w;
  if (none) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;
const SHADE = `
in vec2 vPlace, vOn;
flat in float vSoft, vDark;
uniform vec3 uColor;
out vec4 oColor;
void shaded(float away) {
  float end = max(abs(vOn.x), abs(vOn.y));
  if (end > 1.0 || away > vSoft) discard;
  oColor = vec4(uColor, vDark * (1.0 - smoothstep(-vSoft, vSoft, away)) * (1.0 - smoothstep(0.8, 1.0, end)));
}
`;

export const SHADOW = {
  vertex: `${HEAD}${VIEW}${CAST}
layout(location=0) in vec2 aSide;
layout(location=1) in vec4 aCenter;
layout(location=2) in vec3 aX;
layout(location=3) in vec3 aY;
layout(location=4) in vec3 aZ;
layout(location=5) in vec3 aHalf;
layout(location=6) in float aFlags;
flat out float vRadius;
flat out vec2 vFirst, vSecond, vThird;
void main() {
  vec3 x = aX * aHalf.x, y = aY * aHalf.y, z = aZ * aHalf.z;
  vec3 around = aCenter.w < 0.0 ? sqrt(max(1.0 - aZ * aZ, 0.0)) : vec3(1.0);
  vec3 reach = abs(x) + abs(y) + abs(z) + abs(aCenter.w) * around;
  vRadius = aCenter.w;
  vFirst = aCenter.w < 0.0 ? vec2(abs(aZ.z), 0.0) : x.xy;
  vSecond = y.xy; vThird = z.xy;
  fall(aCenter.xyz, reach, aCenter.w != 0.0 ? abs(aCenter.w) : min(reach.x, reach.y), aSide * reach.xy, aSide);
  if ((int(aFlags + 0.5) & 4) != 0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
  fragment: `${HEAD}${SHADE}
flat in float vRadius;
flat in vec2 vFirst, vSecond, vThird;
float beside(vec2 way) {
  vec2 n = vec2(-way.y, way.x) / max(length(way), 1e-30);
  return abs(dot(vPlace, n)) - abs(dot(vFirst, n)) - abs(dot(vSecond, n)) - abs(dot(vThird, n));
}
// From above, a cylinder is two ellipses with all that is between them.
float besideCylinder(float radius) {
  float reach = length(vThird);
  vec2 way = reach > 0.0 ? vThird / reach : vec2(1.0, 0.0);
  vec2 at = abs(vec2(dot(vPlace, way), dot(vPlace, vec2(-way.y, way.x)))) - vec2(reach, 0.0);
  vec2 sides = radius * vec2(max(vFirst.x, 1e-4), 1.0);
  float off = length(at / sides);
  float past = (off - 1.0) * off / max(length(at / (sides * sides)), 1e-30);
  return max(max(at.x > 0.0 ? past : -1e30, at.y - radius), at.x - sides.x);
}
void main() {
  float along = clamp(dot(vPlace, vThird) / max(dot(vThird, vThird), 1e-30), -1.0, 1.0);
  float away = vRadius > 0.0 ? length(vPlace - along * vThird) - vRadius
    : vRadius < 0.0 ? besideCylinder(-vRadius)
    : max(beside(vFirst), max(beside(vSecond), beside(vThird)));
  shaded(away);
}`,
};

/** The shadow of a hull: see `shadowOf` of hulls.mjs. */
export const HULL_SHADOW = {
  vertex: `${HEAD}${VIEW}${CAST}
layout(location=0) in vec2 aPlace;
layout(location=1) in vec2 aWay;
layout(location=2) in vec3 aFirst;
layout(location=3) in vec3 aSecond;
layout(location=4) in vec3 aThird;
uniform vec3 uCenter, uReach;
flat out vec3 vFirst, vSecond, vThird; // lines: so far a place is beyond them
void main() {
  vFirst = aFirst; vSecond = aSecond; vThird = aThird;
  fall(uCenter, uReach, min(uReach.x, uReach.y), aPlace, aWay);
}`,
  fragment: `${HEAD}${SHADE}
flat in vec3 vFirst, vSecond, vThird;
void main() {
  vec3 at = vec3(vPlace, 1.0);
  shaded(max(dot(vFirst, at), max(dot(vSecond, at), dot(vThird, at))));
}`,
};

/** Lines, dots and heads of arrows: as wide in the picture wherever they are. Sizes are in pixels. */
export const MARK = {
  vertex: `${HEAD}${VIEW}
layout(location=0) in vec2 aSide;
layout(location=1) in vec3 aFrom;
layout(location=2) in vec3 aTo;
layout(location=3) in vec4 aColor;
layout(location=4) in vec4 aSizes; // kind (0 line, 1 dot, 2 head, 3 shaft), half width, dash, pull
uniform float uNear, uStep;
out vec4 vColor;
out vec2 vPlace;
flat out vec3 vCut;
// Cut off what lies beyond a plane: what runs far beyond the picture is too long for the numbers of a graphics card.
bool cut(inout vec4 first, inout vec4 last, vec4 plane, float least) {
  float a = dot(first, plane) - least, b = dot(last, plane) - least;
  vec4 crossing = mix(first, last, a / (a - b));
  if (a < 0.0) first = crossing; else if (b < 0.0) last = crossing;
  return max(a, b) >= 0.0;
}
void main() {
  float wide = aSizes.y;
  vec2 pixels = 0.5 * uSize;
  vec4 first = uMatrix * vec4(aFrom, 1.0), last = uMatrix * vec4(aTo, 1.0);
  float depth = first.w;
  vColor = aColor;
  vCut = vec3(aSizes.x, wide, aSizes.z);
  bool none = first.w < uNear;
  if (aSizes.x == 1.0) {
    vPlace = aSide * (wide + 1.0);
    gl_Position = vec4(first.xyz / first.w + vec3(vPlace / pixels, 0.0), 1.0);
  } else {
    none = !cut(first, last, vec4(0.0, 0.0, 0.0, 1.0), uNear);
    for (int k = -1; k < 2; k += 2) {
      none = none || !cut(first, last, vec4(k, 0.0, 0.0, 2.0), 0.0) || !cut(first, last, vec4(0.0, k, 0.0, 2.0), 0.0);
    }
    vec3 a = first.xyz / first.w, b = last.xyz / last.w;
    vec2 run = (b.xy - a.xy) * pixels;
    float far = length(run);
    run = far > 0.0 ? run / far : vec2(0.0, 1.0);
    vec2 beside = vec2(run.y, -run.x);
    float head = min(17.0 * uUnit, 0.6 * far);
    vec3 at = aSide.x < 0.0 ? a : b;
    depth = aSide.x < 0.0 ? first.w : last.w;
    if (aSizes.x == 3.0 && aSide.x > 0.0) at.xy -= run * head * 0.9 / pixels;
    if (aSizes.x == 2.0) {
      float out_ = wide; // a ring around it
      at = b;
      at.xy += (aSide.x > 0.0 ? run * 2.0 * out_ : -run * (head + out_)) / pixels;
      wide = aSide.x > 0.0 ? 0.0 : 0.33 * head + 1.5 * out_;
    }
    vPlace = vec2(aSide.x < 0.0 ? 0.0 : far, aSide.y * (wide + 1.0));
    at.xy += aSide.y * (aSizes.x == 2.0 ? wide : wide + 1.0) * beside / pixels;
    gl_Position = vec4(at, 1.0);
  }
  gl_Position.z = max(gl_Position.z - aSizes.w * uUnit * uStep / max(depth, uNear), -1.0);
  if (none) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`,
  fragment: `${HEAD}
in vec4 vColor;
in vec2 vPlace;
flat in vec3 vCut;
out vec4 oColor;
void main() {
  float away = vCut.x == 1.0 ? length(vPlace) : abs(vPlace.y);
  float opacity = vCut.x == 2.0 ? 1.0 : clamp(vCut.y - away + 0.5, 0.0, 1.0);
  if (opacity <= 0.0 || (vCut.z > 0.0 && mod(vPlace.x, vCut.z) > 0.6 * vCut.z)) discard;
  oColor = vec4(vColor.rgb, vColor.a * opacity);
}`,
};

export const PATCH = {
  vertex: `${HEAD}${VIEW}
layout(location=0) in vec3 aPlace;
layout(location=1) in vec4 aColor;
out vec4 vColor;
void main() { vColor = aColor; gl_Position = uMatrix * vec4(aPlace, 1.0); }`,
  fragment: `${HEAD}
in vec4 vColor;
out vec4 oColor;
void main() { oColor = vColor; }`,
};
