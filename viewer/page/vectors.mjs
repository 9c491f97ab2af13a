// Vectors, rotations and the camera: what it takes to see and to drag. What shapes are to each other, the kernels say.

export const DEGREE = Math.PI / 180;
export const WORLD = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
export const add = (a, b, times = 1) => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scaled = (a, s) => [s * a[0], s * a[1], s * a[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => scaled(a, 1 / Math.hypot(...a));
export const mean = (a, b) => [0.5 * a[0] + 0.5 * b[0], 0.5 * a[1] + 0.5 * b[1], 0.5 * a[2] + 0.5 * b[2]];
export const range = (numbers) =>
  numbers.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Return how far along a line the point is at which a line of sight passes it; not finite where it runs along it. */
export function alongLine(at, axis, [start, way]) {
  const side = cross(way, cross(way, axis)); // of the plane through the line of sight that faces the axis
  return dot(sub(start, at), side) / dot(axis, side);
}

/** Return the point of a plane that a line of sight meets; null where that is behind the eye, or none. */
export function onPlane(at, normal, [start, way]) {
  const far = dot(sub(at, start), normal) / dot(way, normal);
  return far > 0 && Number.isFinite(far) ? add(start, way, far) : null;
}

/** Return the rotation about an axis of unit length as nine numbers, row after row. */
export function turnAbout([x, y, z], angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    ...[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    ...[y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    ...[z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ];
}

export const rotated = (m, v) => [dot(m.slice(0, 3), v), dot(m.slice(3, 6), v), dot(m.slice(6, 9), v)];

export const columns = (m) => [0, 1, 2].map((k) => [m[k], m[3 + k], m[6 + k]]);
export const transposed = (m) => columns(m).flat();

/** Return the product of two matrices. */
export const product = (a, b) => transposed(columns(b).flatMap((column) => rotated(a, column)));

export function inverse(m) {
  const [a, b, c] = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)];
  const sides = transposed([...cross(b, c), ...cross(c, a), ...cross(a, b)]);
  return sides.map((x) => x / dot(a, cross(b, c)));
}

/** Return the rotation by three angles, in degrees, about the world's x, then y, then z. */
export function byAngles(angles) {
  const [x, y, z] = angles.map((angle, k) => turnAbout([+(k === 0), +(k === 1), +(k === 2)], (angle * Math.PI) / 180));
  return product(z, product(y, x));
}

/** Return these angles of a rotation. */
export function anglesOf(m) {
  const y = Math.asin(clamp(-m[6], -1, 1));
  const flat = Math.abs(m[6]) > 1 - 1e-12;
  const x = flat ? 0 : Math.atan2(m[7], m[8]);
  const z = flat ? Math.atan2(-m[1], m[4]) : Math.atan2(m[3], m[0]);
  return [x, y, z].map((angle) => (angle * 180) / Math.PI);
}

/** How much a drag over the height of the picture turns, in degrees. */
const TURN = 200;

/** A camera and the size of its picture in pixels; y goes down, as in a page. It never changes. */
export class View {
  constructor(camera, width, height) {
    this.camera = camera;
    this.width = width;
    this.height = height;
    this.eye = camera.position;
    this.forward = unit(sub(camera.target, camera.position));
    this.right = unit(cross(this.forward, camera.up));
    this.up = cross(this.right, this.forward);
    this.parallel = camera.parallel_height !== null;
    this.slope = Math.tan((camera.view_angle * Math.PI) / 360);
    this.distance = Math.hypot(...sub(camera.target, camera.position));
  }

  /** Half of the picture's height in scene units, at a depth. */
  halfHeight(depth) {
    return this.parallel ? 0.5 * this.camera.parallel_height : depth * this.slope;
  }

  /** Scene units in a pixel at a point. */
  pixelAt(point) {
    return (2 * this.halfHeight(dot(sub(point, this.eye), this.forward))) / this.height;
  }

  /** Return the start and the direction of the line of sight at a pixel. */
  ray(x, y) {
    const high = this.halfHeight(1);
    const aside = ((2 * x) / this.width - 1) * high * (this.width / this.height);
    const offset = add(scaled(this.right, aside), this.up, (1 - (2 * y) / this.height) * high);
    if (this.parallel) return [add(this.eye, offset), this.forward];
    return [this.eye, unit(add(this.forward, offset))];
  }

  /** Return the pixel of a point, and how far before the eye it is; null where it is not before the eye. */
  pixelOf(point) {
    const way = sub(point, this.eye);
    const depth = dot(way, this.forward);
    if (!this.parallel && depth <= 0) return null;
    const scale = (0.5 * this.height) / this.halfHeight(depth);
    return [0.5 * this.width + scale * dot(way, this.right), 0.5 * this.height - scale * dot(way, this.up), depth];
  }

  /** Return the matrix to the picture, column after column, from places as parts of a size; the eye is one of them. */
  matrix(eye, size, near, far) {
    const rows = [this.right, this.up, this.forward].map((axis) => [...axis, -dot(axis, eye)]);
    const high = this.halfHeight(1) / (this.parallel ? size : 1);
    const wide = (high * this.width) / this.height;
    const [depth, shift] = this.parallel
      ? [2 / (far - near), -(far + near) / (far - near)]
      : [(far + near) / (far - near), (-2 * far * near) / (far - near)];
    const w = this.parallel ? [0, 0, 0, 1] : rows[2];
    const z = rows[2].map((value, k) => depth * value + (k === 3 ? shift : 0));
    const all = [rows[0].map((value) => value / wide), rows[1].map((value) => value / high), z, w];
    return Float32Array.from({ length: 16 }, (_, k) => all[k % 4][Math.floor(k / 4)]);
  }

  with(changes) {
    return new View({ ...this.camera, ...changes }, this.width, this.height);
  }

  resized(width, height) {
    return new View(this.camera, width, height);
  }

  /** Turn around the target as a drag by pixels does. */
  orbit(dx, dy) {
    const part = TURN / this.height;
    return this.turned(-part * dx, part * dy);
  }

  /** Turn around the target by degrees: about z, which stays up, and up from the ground. */
  turned(about, rise) {
    const away = sub(this.eye, this.camera.target);
    const radius = Math.hypot(...away);
    const azimuth = Math.atan2(-this.right[0], this.right[1]) + DEGREE * about;
    const elevation = clamp(Math.asin(clamp(away[2] / radius, -1, 1)) + DEGREE * rise, -Math.PI / 2, Math.PI / 2);
    const level = [Math.cos(azimuth), Math.sin(azimuth), 0];
    const toEye = add(scaled(level, Math.cos(elevation)), [0, 0, Math.sin(elevation)]);
    const up = add([0, 0, Math.cos(elevation)], level, -Math.sin(elevation));
    return this.with({ position: add(this.camera.target, toEye, radius), up });
  }

  /** Shift, so that what is as far as the target follows the pointer. */
  pan(dx, dy) {
    const size = this.pixelAt(this.camera.target);
    const step = add(scaled(this.right, -dx * size), this.up, dy * size);
    return this.with({ position: add(this.eye, step), target: add(this.camera.target, step), up: this.up });
  }

  /** Bring what is at a pixel nearer by a factor below one, or away by one above. */
  zoom(factor, x = 0.5 * this.width, y = 0.5 * this.height) {
    const { target } = this.camera;
    const size = this.pixelAt(target);
    const aside = scaled(this.right, (x - 0.5 * this.width) * size);
    const pivot = add(add(target, aside), this.up, (0.5 * this.height - y) * size);
    const moved = add(pivot, sub(target, pivot), factor);
    const away = sub(this.eye, target);
    const position = add(moved, away, this.parallel ? 1 : factor);
    const height = this.parallel ? this.camera.parallel_height * factor : null;
    return this.with({ target: moved, position, parallel_height: height });
  }

  /** See all points from the same side, as large as they can be in a room `[left, top, right, bottom]` of pixels. */
  framed(points, [left, top, right, bottom]) {
    const spanOf = ([low, high]) => high - low;
    const size = Math.max(...[0, 1, 2].map((k) => spanOf(range(points.map((point) => point[k])))));
    if (!(size > 0) || !Number.isFinite(size)) return this;
    const center = points[0];
    const axes = [this.right, this.up, this.forward];
    const local = points.map((point) => axes.map((axis) => dot(sub(point, center), axis)));
    // The edges of the room from the middle of the picture, in halves of its height: of x, and of y, which goes up.
    const [wide, high] = [0.5 * this.width, 0.5 * this.height];
    const edges = [[left - wide, right - wide], [high - bottom, high - top]].map((edge) => edge.map((at) => at / high));
    const slope = this.parallel ? 0 : this.slope;
    // A point p is within an edge where p[k] - eye[k] is no more than (p[2] - eye[2]) times the edge's slope.
    const bounds = edges.map((edge, k) => {
      return edge.map((at, last) => range(local.map((p) => p[k] - p[2] * slope * at))[last]);
    });
    const spans = bounds.map(([first, last], k) => (last - first) / (edges[k][1] - edges[k][0]));
    const half = Math.max(...spans, 1e-3 * size);
    const [near, far] = range(local.map((p) => p[2]));
    const depth = this.parallel ? near - size : -half / slope;
    const eye = edges.map(([low, high], k) => 0.5 * (bounds[k][0] + bounds[k][1] - half * (low + high)));
    const position = add(add(add(center, this.right, eye[0]), this.up, eye[1]), this.forward, depth);
    const target = add(position, this.forward, 0.5 * (near + far) - depth);
    return this.with({ position, target, up: this.up, parallel_height: this.parallel ? 2 * half : null });
  }
}
