// Hulls as triangles, from the numbers by which kernels know them: `hull_numbers` of `collision/kernels/hull.py`.
import { add, cross, dot, range, scaled, sub } from "./vectors.mjs";

/** Numbers before the corners of a hull. */
const FIRST = 5;
/** What is as far from a side as this, in halves of its face, has none. */
const SIDELESS = 1e3;
/** A face that rises less than this is upright. */
const UPRIGHT = 1e-6;
/** A corner of a shadow reaches at most so many widths of its border. */
const TIP = 4;

/** Return a place that is given along axes from a center. */
export const outOf = (axes, place, center, scale = 1) =>
  place.reduce((at, part, k) => add(at, axes[k], scale * part), center);

/** Return a corner of a hull, from its middle along its axes. */
export const cornerOf = (numbers, k) => [...numbers.slice(FIRST + 3 * k, FIRST + 3 * k + 3)];

const middleOf = (points) => scaled(points.reduce((all, point) => add(all, point)), 1 / points.length);

/** Return the corners, scaled, the normals and edges of a hull, around its middle, and the sides of its faces. */
export function partsOf(numbers, scale) {
  const [corners, faces, edges] = numbers;
  const rows = (start, count, width) =>
    Array.from({ length: count }, (_, k) => [...numbers.slice(start + width * k, start + width * (k + 1))]);
  const ends = rows(FIRST + 3 * corners + 4 * faces, edges, 4);
  const sides = ends.flatMap(([a, b, left, right]) => {
    return [{ start: a, end: b, face: left, beyond: right }, { start: b, end: a, face: right, beyond: left }];
  });
  const around = Array.from({ length: faces }, () => []);
  for (const side of sides) around[side.face].push(side);
  const normals = rows(FIRST + 3 * corners, faces, 4).map((row) => row.slice(0, 3));
  return { corners: rows(FIRST, corners, 3).map((corner) => scaled(corner, scale)), normals, edges: ends, around };
}

/** Return the vertices of the faces of a hull, each as triangles around its middle; grown ones show no sides. */
export function facesOf({ corners, normals, around }, isGrown) {
  const vertices = [];
  around.forEach((sides, face) => {
    if (sides.length < 3) return;
    const normal = normals[face];
    const middle = middleOf(sides.map(({ start }) => corners[start]));
    // How far a point is from a side, as a part of how far the middle is.
    const part = ({ start, end }, point) => {
      const inward = cross(normal, sub(corners[end], corners[start]));
      return dot(inward, sub(point, corners[start])) / dot(inward, sub(middle, corners[start]));
    };
    for (const side of sides) {
      const three = [side, sides.find(({ end }) => end === side.start), sides.find(({ start }) => start === side.end)];
      for (const point of [middle, corners[side.start], corners[side.end]]) {
        const off = three.map((one) => (isGrown ? SIDELESS : part(one, point)));
        const planes = three.flatMap(({ beyond, start }) => {
          return [...normals[beyond], dot(normals[beyond], sub(point, corners[start]))];
        });
        vertices.push(...point, ...normal, ...off, ...planes);
      }
    }
  });
  return Float32Array.from(vertices);
}

/**
 * Return the shadow of a hull with a center, axes and a radius: the middle of the box around it, how far that reaches,
 * and vertices of triangles: where each is from the middle, which way it goes with the border, and three lines.
 */
export function shadowOf({ corners, normals, edges }, { center, axes, radius }) {
  const places = corners.map((corner) => outOf(axes, corner, center));
  const spans = [0, 1, 2].map((k) => range(places.map((place) => place[k])));
  const middle = spans.map(([low, high]) => 0.5 * low + 0.5 * high);
  const up = normals.map((normal) => outOf(axes, normal, [0, 0, 0])[2] > UPRIGHT);
  const after = new Map(); // of each corner on the outline the next one, counter-clockwise from above
  for (const [a, b, left, right] of edges) if (up[left] !== up[right]) after.set(...(up[left] ? [a, b] : [b, a]));
  const ring = [...after.keys()].slice(0, 1);
  while (ring.length && after.get(ring.at(-1)) !== ring[0]) ring.push(after.get(ring.at(-1)));
  const points = ring.map((corner) => sub(places[corner], middle).slice(0, 2));
  const next = (list, k, step = 1) => list[(k + step + list.length) % list.length];
  const lines = points.map(([x, y], k) => {
    const [u, v] = [next(points, k)[0] - x, next(points, k)[1] - y];
    const out = [v, -u].map((part) => part / Math.max(Math.hypot(u, v), 1e-300));
    return [...out, -out[0] * x - out[1] * y - radius];
  });
  const tips = points.map(([x, y], k) => {
    const both = [0, 1].map((axis) => lines[k][axis] + next(lines, k, -1)[axis]);
    const far = Math.max(0.5 * (both[0] ** 2 + both[1] ** 2), 2 / TIP ** 2);
    const way = both.map((part) => part / far);
    return [x + radius * way[0], y + radius * way[1], ...way];
  });
  const inside = [0, 1].map((axis) => points.reduce((all, point) => all + point[axis] / points.length, 0));
  const vertices = points.flatMap((_, k) => {
    const three = [lines[k], next(lines, k, -1), next(lines, k)].flat();
    return [[...inside, 0, 0], tips[k], next(tips, k)].flatMap((place) => [...place, ...three]);
  });
  return { middle, reach: spans.map(([low, high]) => 0.5 * (high - low) + radius), vertices };
}
