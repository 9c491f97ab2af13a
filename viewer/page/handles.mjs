// Handles of what is selected: arrows that move it, rings that turn it, dots that give it another size.
import { movedRow, pivotOf, turnedRow, turns } from "./document.mjs";
import { solidOf } from "./stage.mjs";
import { add, alongLine, cross, dot, onPlane, scaled, sub, turnAbout, unit } from "./vectors.mjs";

/** What handles do, by the key that takes them. */
export const MODES = { g: "Move", r: "Turn", s: "Size" };

/** In pixels: where an arrow begins and ends, the radius of a ring, how near the middle of a shape a dot may be. */
const [ARROW_START, ARROW_END, RING_SIZE, NEAREST_DOT] = [14, 84, 92, 34];
/** As a sine: how far from end on an axis, and how far from edge on a ring must be seen to be of use. */
const [END_ON, EDGE_ON] = [0.2, 0.12];
/** So many pieces a ring has; how near, in pixels, a press must be to a line and to a dot. */
const [PIECES, LINE_REACH, DOT_REACH] = [48, 8, 11];

const WORLD = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const ROLES = ["axis-x", "axis-y", "axis-z"];

const snapped = (value, step) => (step ? Math.round(value / step) * step : value);

/**
 * Return the handles of a shape: `{ is, role, points, grab }`, of which `points` is a line in the world.
 *
 * `grab(ray)` returns a function of a later ray: it gives the shape's numbers then, or null where the ray means nothing.
 * A step to which lengths snap may be given, too; angles snap to 15 degrees then.
 */
export function handlesOf(mode, kind, fields, row, view) {
  const middle = pivotOf(fields, row);
  const pixel = view.pixelAt(middle);
  if (!(pixel > 0)) return [];
  const toEye = view.parallel ? scaled(view.forward, -1) : unit(sub(view.eye, middle));
  const leans = WORLD.map((axis) => Math.abs(dot(axis, toEye)));
  if (mode === "Move") return arrows(fields, row, middle, pixel, leans);
  if (mode === "Turn") return turns(kind) ? rings(fields, row, middle, pixel, leans, toEye) : [];
  return dots(kind, fields, row, middle, pixel, view, toEye);
}

function arrows(fields, row, middle, pixel, leans) {
  return WORLD.flatMap((axis, k) => {
    if (1 - leans[k] ** 2 < END_ON ** 2) return [];
    const points = [add(middle, axis, ARROW_START * pixel), add(middle, axis, ARROW_END * pixel)];
    const grab = alongAxis(middle, axis, (way, step) => movedRow(fields, row, scaled(axis, snapped(way, step))));
    return [{ is: "Arrow", role: ROLES[k], points, from: middle, grab }];
  });
}

/** Return a `grab` along a line: how far a ray is along it, from where it was grabbed, makes the numbers. */
function alongAxis(at, axis, made) {
  return (first) => {
    const from = alongLine(at, axis, first);
    return (ray, step) => {
      const way = alongLine(at, axis, ray) - from;
      return Number.isFinite(way) ? made(way, step) : null;
    };
  };
}

function rings(fields, row, middle, pixel, leans, toEye) {
  return WORLD.flatMap((axis, k) => {
    if (leans[k] < EDGE_ON) return [];
    const [x, y] = [WORLD[(k + 1) % 3], WORLD[(k + 2) % 3]];
    const points = Array.from({ length: PIECES + 1 }, (_, n) => {
      const angle = (2 * Math.PI * n) / PIECES;
      return add(add(middle, x, RING_SIZE * pixel * Math.cos(angle)), y, RING_SIZE * pixel * Math.sin(angle));
    });
    const grab = (first) => {
      const from = onPlane(middle, axis, first);
      return (ray, step) => {
        const to = onPlane(middle, axis, ray);
        if (!from || !to) return null;
        const [a, b] = [sub(from, middle), sub(to, middle)];
        const angle = snapped(Math.atan2(dot(cross(a, b), axis), dot(a, b)), step && Math.PI / 12);
        return turnedRow(fields, row, turnAbout(axis, angle));
      };
    };
    const near = (point) => dot(sub(point, middle), toEye) > -0.04 * RING_SIZE * pixel;
    return [{ is: "Stroke", role: ROLES[k], points, near, grab }];
  });
}

function dots(kind, fields, row, middle, pixel, view, toEye) {
  const found = [];
  const dot_ = (role, at, grab) => found.push({ is: "Marker", role, points: [at], from: middle, grab });
  const set = (changes) => {
    const made = [...row];
    for (const [start, values] of changes) made.splice(start, values.length, ...values);
    return made;
  };
  const solid = solidOf(kind, row);
  if (fields.radius) {
    const [start] = fields.radius;
    const at = add(middle, view.right, Math.max(row[start], NEAREST_DOT * pixel));
    dot_("handle", at, alongAxis(middle, view.right, (way, step) => set([[start, [Math.max(snapped(row[start] + way, step), 0)]]])));
  }
  for (const name of ["start", "end"].filter((end) => fields[end] && fields.start)) {
    const at = row.slice(fields[name][0], fields[name][0] + 3);
    dot_("handle", at, (first) => {
      const from = onPlane(at, view.forward, first);
      return (ray) => {
        const to = onPlane(at, view.forward, ray);
        return from && to && movedRow(fields, row, sub(to, from), name);
      };
    });
  }
  if (!fields.lower && !fields.half_extents) return found;
  for (const [k, side] of [0, 1, 2].flatMap((axis) => [[axis, 1], [axis, -1]])) {
    const axis = scaled(solid.axes[k], side);
    if (1 - dot(axis, toEye) ** 2 < END_ON ** 2) continue;
    const at = add(middle, axis, Math.max(solid.half[k], NEAREST_DOT * pixel));
    dot_(dot(axis, toEye) < -END_ON ? `${ROLES[k]}-faint` : ROLES[k], at, alongAxis(middle, axis, (way, step) => {
      const grown = Math.max(snapped(2 * solid.half[k] + way, step), 0) - 2 * solid.half[k]; // the other side stays
      if (fields.lower) return set([[fields[side > 0 ? "upper" : "lower"][0] + k, [middle[k] + side * (solid.half[k] + grown)]]]);
      return set([[fields.half_extents[0] + k, [solid.half[k] + 0.5 * grown]], [fields.center[0], add(middle, axis, 0.5 * grown)]]);
    }));
  }
  return found;
}

/**
 * Return the handle that a press at a pixel takes, or null.
 *
 * A finger's reach is wider; in the middle of the shape, where all arrows begin, it takes the shape itself.
 */
export function handleAt(handles, view, pixel, wide) {
  let best = [Infinity, null];
  const inMiddle = ({ is, from }) => is === "Arrow" && wide > 1 && besides(pixel, view.pixelOf(from), view.pixelOf(from)) <= wide * ARROW_START;
  for (const handle of handles) {
    if (inMiddle(handle)) continue;
    const places = handle.points.map((point) => view.pixelOf(point));
    const pieces = places.length === 1 ? [[places[0], places[0]]] : places.slice(1).map((place, k) => [places[k], place]);
    const away = Math.min(...pieces.map(([a, b]) => (a && b ? besides(pixel, a, b) : Infinity)));
    if (away <= wide * (handle.is === "Marker" ? DOT_REACH : LINE_REACH) && away < best[0]) best = [away, handle];
  }
  return best[1];
}

/** How far a pixel is from the line between two. */
function besides([x, y], [ax, ay], [bx, by]) {
  const [u, v] = [bx - ax, by - ay];
  const part = Math.min(Math.max(((x - ax) * u + (y - ay) * v) / (u * u + v * v || 1), 0), 1);
  return Math.hypot(x - ax - part * u, y - ay - part * v);
}

/** Return handles as marks; the one under the pointer, or in hand, stands out. */
export function handleMarks(handles, hot) {
  return handles.flatMap(({ is, role, points, from, near }, k) => {
    const own = k === hot ? "hot" : role;
    const line = (shown, pairs) => ({ is: is === "Arrow" ? is : "Stroke", role: shown, start: pairs.map(([a]) => a), end: pairs.map(([, b]) => b) });
    if (is === "Marker") return [line(`${role.replace("-faint", "").replace("handle", "view-plane")}`.replace(/^axis-.$/, "$&-faint"), [[from, points[0]]]), { is, role: own, points }];
    const pairs = points.slice(1).map((point, n) => [points[n], point]);
    if (!near) return [line(own, pairs)];
    const faint = k === hot ? own : `${role}-faint`;
    return [line(faint, pairs.filter(([a]) => !near(a))), line(own, pairs.filter(([a]) => near(a)))];
  });
}
