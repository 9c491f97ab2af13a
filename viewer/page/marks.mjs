// What a state of the scene looks like, as marks of the picture: flags, shapes without a surface, pairs, shows.
import { numbersOf, pointsOf } from "./data.mjs";
import { solidOf } from "./stage.mjs";
import { add, cross, dot, mean, scaled, sub, unit } from "./vectors.mjs";
import { gapOf, number, sizeOf } from "./words.mjs";

export const FLAGS = { HIT: 1, SELECTED: 2, FADED: 4, HOVERED: 8, TOUCHING: 16 };

/** How far lines run at least, in sizes of the view; strokes at each side of a half-space, and corners of a circle. */
const [REACH, STROKES, CORNERS] = [20, 12, 48];

/** How long a normal is, in pixels, and the height of a picture below which it is in proportion to that. */
const [NORMAL, LOW] = [70, 480];

/** Return the flags of all elements: red is what collides, and nothing else; and nothing where that is to be predicted. */
export function flagsOf({ names, contacts, elements }, { selected, hovered, pair, veiled }) {
  const flags = new Uint8Array(names.length);
  const found = veiled ? [] : [...contacts.values()];
  for (const { i, j, touching } of found) if (touching) flags[i] = flags[j] = FLAGS.TOUCHING;
  for (const { i, j, touching } of found) if (!touching) flags[i] = flags[j] = FLAGS.HIT;
  for (const element of selected) flags[element] |= FLAGS.SELECTED;
  if (hovered !== null) flags[hovered] |= FLAGS.HOVERED;
  if (pair) for (const element of elements) if (!pair.includes(element)) flags[element] |= FLAGS.FADED;
  return flags;
}

/** Return the roles that something without a surface has: a halo, and over it its own. */
function rolesOf(flags) {
  const own = flags & FLAGS.FADED ? "faded" : flags & FLAGS.HIT ? "hit" : flags & FLAGS.TOUCHING ? "touching" : "free";
  return [...(flags & FLAGS.HOVERED ? ["hovered"] : []), ...(flags & FLAGS.SELECTED ? ["selected"] : []), own];
}

/** Return the square that is drawn of a half-space: its corners, and its normal. */
export function squareOf([px, py, pz, ...normal], [cx, cy, cz, ...rest]) {
  const [first, half] = [rest.slice(0, 3), rest[3]];
  const center = add([cx, cy, cz], normal, dot(sub([px, py, pz], [cx, cy, cz]), normal));
  const level = sub(first, scaled(normal, dot(first, normal)));
  const x = scaled(level, half / Math.hypot(...level));
  const y = cross(normal, x);
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([a, b]) => add(add(center, x, a), y, b));
  return { corners, normal, center, x, y };
}

/** Return the marks of an element without a surface; of a half-space there is a square. */
export function thinMarks({ kind, row }, flags, square) {
  const [a, b] = [row.slice(0, 3), row.slice(3, 6)];
  return rolesOf(flags).flatMap((role) => {
    if (kind === "HalfSpace") return planeMarks(role, square);
    if (kind === "Point") return [dotsAt(role, a)];
    if (kind === "Segment") return [line(role, a, b), dotsAt(role, a, b)];
    return [{ ...line(role, a, b), endless: kind === "Ray" ? "forward" : "both" }];
  });
}

const line = (role, start, end) => ({ is: "Stroke", role, start: [start], end: [end] });
const dotsAt = (role, ...points) => ({ is: "Marker", role, points });

function planeMarks(role, { corners, normal }) {
  const shown = { free: "plane", hit: "plane-hit", touching: "plane-touching" }[role] ?? role;
  const ends = corners.map((_, k) => corners[(k + 1) % 4]);
  const border = { is: "Stroke", role: shown, start: corners, end: ends };
  if (role === "selected" || role === "hovered") return [border];
  const hatching = { is: "Stroke", role: shown, start: [], end: [] };
  corners.forEach((corner, k) => {
    const step = scaled(sub(ends[k], corner), 1 / STROKES);
    for (let n = 0; n < STROKES; n++) {
      const at = add(corner, step, n + 0.5);
      hatching.start.push(at);
      hatching.end.push(add(at, add(scaled(normal, -Math.hypot(...step)), step, -1), 0.5));
    }
  });
  return [{ is: "Patch", role: shown.startsWith("plane") ? shown : "plane", corners: [corners] }, border, hatching];
}

const witnesses = ({ onA, onB }) => [line("witness", onA, onB), dotsAt("witness", onA, onB)];
const normalAt = (point, normal) =>
  ({ ...line("normal", [0, 0, 0], scaled(normal, NORMAL)), is: "Arrow", about: [point] });

/** Return the marks and the label of the two that are looked at. */
export function closeMarks(contact, whole) {
  const point = mean(contact.onA, contact.onB);
  const marks = [...witnesses(contact), ...(whole ? [normalAt(point, contact.normal)] : [])];
  return { marks, labels: [{ point, text: gapOf(contact), value: contact.distance }] };
}

/** Return a mark where a view sees it in the world: pixels about points, lines without an end, and outlines. */
export function inWorld(mark, view) {
  const { start, end, about, endless, radii, flat } = mark;
  if (about) {
    const scale = Math.min(1, Math.min(view.height, 0.9 * view.width) / LOW);
    const at = (ends) => ends.map((end, k) => add(about[k], end, scale * view.pixelAt(about[k])));
    return { ...mark, start: at(start), end: at(end) };
  }
  if (endless) {
    const far = (a) => REACH * view.distance + Math.hypot(...sub(a, view.camera.target));
    const at = (side) => start.map((a, k) => add(a, end[k], side * far(a)));
    return { ...mark, start: endless === "both" ? at(-1) : start, end: at(1) };
  }
  if (!radii) return mark;
  const lines = start.flatMap((a, k) => {
    if (flat) return rimsOf(a, end[k], radii[k], view);
    const aside = cross(sub(end[k], a), view.forward);
    const across = Math.hypot(...aside);
    if (!across) return circle(a, radii[k], view);
    const beside = [1, -1].map((side) => [a, end[k]].map((point) => add(point, aside, (side * radii[k]) / across)));
    return [...circle(a, radii[k], view), ...circle(end[k], radii[k], view), ...beside];
  });
  return { ...mark, start: lines.map(([a]) => a), end: lines.map(([, b]) => b) };
}

/** Return the rims of a cylinder, and the lines along its side that lines of sight touch. */
function rimsOf(start, end, radius, view) {
  const axis = unit(sub(end, start));
  const right = unit(cross(axis, Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  const around = { right, up: cross(axis, right) };
  const toEye = view.parallel ? scaled(view.forward, -1) : sub(view.eye, start);
  const across = add(toEye, axis, -dot(toEye, axis));
  const away = Math.hypot(...across);
  const part = view.parallel ? 0 : radius / away;
  const touched = away > 0 && part < 1 ? [-1, 1] : [];
  const beside = cross(axis, scaled(across, 1 / away));
  const lines = touched.map((side) => {
    const off = add(scaled(across, part / away), beside, side * Math.sqrt(1 - part * part));
    return [start, end].map((point) => add(point, off, radius));
  });
  return [...circle(start, radius, around), ...circle(end, radius, around), ...lines];
}

function circle(center, radius, { right, up }) {
  const turn = (2 * Math.PI) / CORNERS;
  const at = (k) => add(add(center, right, radius * Math.cos(k * turn)), up, radius * Math.sin(k * turn));
  return Array.from({ length: CORNERS }, (_, k) => [at(k), at(k + 1)]);
}

/** Return a label where it stands: above the ball that it is of, or along the line by a fifth of the picture. */
export function labelAt(label, view) {
  const { point, of } = label;
  if (!of) return label;
  if (of.core.name === "POINT") return { ...label, point: add(point, view.up, numbersOf(of.radii)[0]) };
  return { ...label, point: add(point, [...numbersOf(of.rows).slice(3, 6)], 0.2 * view.height * view.pixelAt(point)) };
}

const axesAt = (row) => [3, 6, 9].map((k) => row.slice(k, k + 3));

/** How solids lie that are not there, of their cores. */
const SOLIDS = {
  point: ([x, y, z], radius) => solidOf("Sphere", [x, y, z, radius]),
  linear: (row, radius) => solidOf("Capsule", [...row.slice(0, 3), ...row.slice(6, 9), radius]),
  cylinder: (row) => solidOf("Cylinder", [...row.slice(0, 6), row[13]]),
  aligned: (row) => solidOf("AABB", row.slice(12)),
  box: (row) => ({ center: row.slice(0, 3), radius: 0, axes: axesAt(row), half: row.slice(15) }),
  hull: (row, radius, table) => ({ center: row.slice(0, 3), radius, axes: axesAt(row), hull: table.slice(row[12]) }),
};

function ghostsOf({ core, rows, radii, table }) {
  const [numbers, wide, beside] = [[...numbersOf(rows)], rows.shape[1], table && numbersOf(table)];
  const lies = SOLIDS[core.name.toLowerCase()];
  const solid = (radius, k) => lies(numbers.slice(k * wide, (k + 1) * wide), radius, beside);
  return Array.from(numbersOf(radii), (radius, k) => ({ is: "Ghost", solid: solid(radius, k) }));
}

/** Return records of a picture as marks and labels. */
export function marksOf(records) {
  const [marks, labels] = [[], []];
  for (const record of records) {
    const role = record.role?.name.toLowerCase().replaceAll("_", "-");
    if (record.is === "Marker") marks.push({ is: "Marker", role, points: pointsOf(record.points) });
    if (record.is === "Ghost") marks.push(...ghostsOf(record));
    if (record.is === "Stroke" || record.is === "Arrow") {
      const about = record.about ? pointsOf(record.about) : null;
      const radii = record.radii ? numbersOf(record.radii) : null;
      const [start, end] = [record.start, record.end].map(pointsOf);
      marks.push({ is: record.is, role, start, end, about, radii, endless: record.endless, flat: record.flat });
    }
    const { text, value, of } = record;
    if (record.is === "Label") labels.push({ point: [...numbersOf(record.position)], text, value, of });
  }
  return { marks, labels };
}

/** Return what a show draws of a pair that was changed, where the kernels say it; null where only Python does. */
export function remade({ query, label }, contact) {
  if (query !== "contact" && query !== "closest_points") return null;
  const { onA, onB, distance, normal, touching } = contact;
  const point = mean(onA, onB);
  const meets = query === "contact" && (distance <= 0 || touching);
  const marks = meets ? [normalAt(point, normal), dotsAt("contact", point)] : witnesses(contact);
  const words = label ? `${label} ${gapOf(contact).replace(/^distance /, "")}` : gapOf(contact);
  const text = query === "contact" && !meets ? `no contact, ${words}` : words;
  return { marks, labels: [{ point, text, value: distance }] };
}

/** Return labels without those that say the same at the same place. */
export function withoutRepeats(labels) {
  const said = new Set();
  return labels.filter(({ point, text, value }) => {
    const what = value === undefined || value === null ? text : number(Math.abs(value), sizeOf(point));
    const key = `${what} ${point.map((x) => x.toPrecision(9)).join(" ")}`;
    return said.has(key) ? false : said.add(key);
  });
}
