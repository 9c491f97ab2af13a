// Handles of what is selected: arrows that move it, rings that turn it, dots that give it another size.
import { changedRow, movedRow, pivotOf, turnedRow, turns } from "./document.mjs";
import { solidOf } from "./stage.mjs";
import { add, alongLine, cross, DEGREE, dot, onPlane, scaled, sub, turnAbout, unit, WORLD } from "./vectors.mjs";

/** What handles do, by the key that takes them. */
export const MODES = { g: "Move", r: "Turn", s: "Size" };

/** In pixels: where an arrow begins and ends, the radius of a ring, how near the middle of a shape a dot may be. */
const [ARROW_START, ARROW_END, RING_SIZE, NEAREST_DOT] = [14, 84, 92, 34];
/** As a sine: how far from end on an axis, and how far from edge on a ring must be seen to be of use. */
const [END_ON, EDGE_ON] = [0.2, 0.12];
/** So many pieces a ring has; how near, in pixels, a press must be to a line and to a dot. */
const [PIECES, LINE_REACH, DOT_REACH] = [48, 8, 11];

const ROLES = ["axis-x", "axis-y", "axis-z"];

const snapped = (value, step) => (step ? Math.round(value / step) * step : value);

/**
 * Return the handles of a shape: `{ is, role, points, grab }`, of which `points` is a line in the world.
 *
 * `grab(ray)` returns a function of a later ray: it gives the shape's numbers then, or null where that means nothing.
 * A step to which lengths snap may be given, too; angles snap to 15 degrees then.
 */
export function handlesOf(mode, shape, view) {
  const middle = pivotOf(shape);
  const pixel = view.pixelAt(middle);
  if (!(pixel > 0)) return [];
  const toEye = view.parallel ? scaled(view.forward, -1) : unit(sub(view.eye, middle));
  const leans = WORLD.map((axis) => Math.abs(dot(axis, toEye)));
  if (mode === "Move") return arrows(shape, middle, pixel, leans);
  if (mode === "Turn") return turns(shape.kind) ? rings(shape, middle, pixel, leans, toEye) : [];
  return dots(shape, middle, pixel, view, toEye);
}

function arrows(shape, middle, pixel, leans) {
  return WORLD.flatMap((axis, k) => {
    if (1 - leans[k] ** 2 < END_ON ** 2) return [];
    const points = [add(middle, axis, ARROW_START * pixel), add(middle, axis, ARROW_END * pixel)];
    const grab = alongAxis(middle, axis, (way, step) => movedRow(shape, scaled(axis, snapped(way, step))));
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

/** Return a `grab` in a plane: the point that was grabbed, and where it is then, make the numbers. */
function inPlaneAt(at, normal, made) {
  return (first) => {
    const from = onPlane(at, normal, first);
    return (ray, step) => {
      const to = onPlane(at, normal, ray);
      return from && to && made(from, to, step);
    };
  };
}

/** Return a `grab` about an axis: the angle by which a ray has gone round a point since it was grabbed. */
function aboutAxis(middle, axis, made) {
  let angle = 0; // it goes on beyond half a turn
  return inPlaneAt(middle, axis, (from, to, step) => {
    const [a, b] = [sub(from, middle), sub(to, middle)];
    const seen = Math.atan2(dot(cross(a, b), axis), dot(a, b));
    angle = seen + 360 * DEGREE * Math.round((angle - seen) / (360 * DEGREE));
    return made(angle, step);
  });
}

/** Return a `grab` of a point of an element that moves the nearest joint: it gives `[[name, [value]]]`. Null where none. */
export function jointGrab(joints, { element, point }, view) {
  const joint = joints.mover(element);
  if (!joint) return null;
  const { leader, follows: [, factor] } = joint;
  const [[axis, pivot], start] = [joints.axis(joint), joints.value(leader)];
  const made = (by, step) => {
    const value = start + by / factor;
    return [[leader.name, [joints.tidy(leader, snapped(value, joint.slides ? step : step && 15 * DEGREE))]]];
  };
  const along = dot(axis, view.forward);
  if (joint.slides) return 1 - along ** 2 < END_ON ** 2 ? null : alongAxis(point, axis, made);
  const middle = add(pivot, axis, dot(sub(point, pivot), axis));
  if (Math.abs(along) >= END_ON) return aboutAxis(middle, axis, made);
  // Its circle is seen from the edge: the side before the axis follows the pointer.
  const [way, radius] = [unit(cross(view.forward, axis)), Math.hypot(...sub(point, middle))];
  return alongAxis(point, way, (far, step) => made(far / radius, step));
}

function rings(shape, middle, pixel, leans, toEye) {
  const size = RING_SIZE * pixel;
  return WORLD.flatMap((axis, k) => {
    if (leans[k] < EDGE_ON) return [];
    const [x, y] = [WORLD[(k + 1) % 3], WORLD[(k + 2) % 3]];
    const points = Array.from({ length: PIECES + 1 }, (_, n) => {
      const angle = (2 * Math.PI * n) / PIECES;
      return add(add(middle, x, size * Math.cos(angle)), y, size * Math.sin(angle));
    });
    const grab = aboutAxis(middle, axis, (angle, step) => {
      return turnedRow(shape, turnAbout(axis, snapped(angle, step && 15 * DEGREE)));
    });
    const near = (point) => dot(sub(point, middle), toEye) > -0.04 * size;
    return [{ is: "Stroke", role: ROLES[k], points, near, grab }];
  });
}

function dots(shape, middle, pixel, view, toEye) {
  const { kind, fields, row } = shape;
  const dotAt = (role, at, grab) => ({ is: "Marker", role, points: [at], from: middle, grab });
  const set = (numbers) => changedRow(shape, (name, own) => numbers[name] ?? own);
  const found = [];
  if (fields.radius) {
    const radius = row[fields.radius[0]];
    const sized = (way, step) => set({ radius: [Math.max(snapped(radius + way, step), 0)] });
    const grab = alongAxis(middle, view.right, sized);
    found.push(dotAt("handle", add(middle, view.right, Math.max(radius, NEAREST_DOT * pixel)), grab));
  }
  for (const name of fields.start ? ["start", "end"] : []) {
    const at = row.slice(fields[name][0], fields[name][0] + 3);
    found.push(dotAt("handle", at, inPlaneAt(at, view.forward, (from, to) => movedRow(shape, sub(to, from), name))));
  }
  if (!fields.lower && !fields.half_extents) return found;
  const { axes, half } = solidOf(kind, row);
  for (const [k, side] of [0, 1, 2].flatMap((axis) => [[axis, 1], [axis, -1]])) {
    const axis = scaled(axes[k], side);
    if (1 - dot(axis, toEye) ** 2 < END_ON ** 2) continue;
    const grab = alongAxis(middle, axis, (way, step) => {
      const grown = 0.5 * (Math.max(snapped(2 * half[k] + way, step), 0) - 2 * half[k]); // the other side stays
      const size = half.map((x, n) => (n === k ? x + grown : x));
      if (fields.half_extents) return set({ center: add(middle, axis, grown), half_extents: size });
      const [name, at] = [side > 0 ? "upper" : "lower", middle[k] + side * (half[k] + 2 * grown)];
      return changedRow(shape, (field, own) => own.map((x, n) => (field === name && n === k ? at : x)));
    });
    const role = dot(axis, toEye) < -END_ON ? `${ROLES[k]}-faint` : ROLES[k];
    found.push(dotAt(role, add(middle, axis, Math.max(half[k], NEAREST_DOT * pixel)), grab));
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
  for (const handle of handles) {
    const away = (points) => {
      const places = points.map((point) => view.pixelOf(point));
      const pieces = places.map((place, k) => [places[Math.max(k - 1, 0)], place]);
      return Math.min(...pieces.map(([a, b]) => (a && b ? besides(pixel, a, b) : Infinity)));
    };
    if (handle.is === "Arrow" && wide > 1 && away([handle.from]) <= wide * ARROW_START) continue;
    const far = away(handle.points);
    if (far <= wide * (handle.is === "Marker" ? DOT_REACH : LINE_REACH) && far < best[0]) best = [far, handle];
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
    const faint = role.startsWith("axis") && !role.endsWith("faint") ? `${role}-faint` : role;
    const line = (shown, pairs, kind = "Stroke") => {
      return { is: kind, role: shown, start: pairs.map(([a]) => a), end: pairs.map(([, b]) => b) };
    };
    const stalk = role === "handle" ? "view-plane" : faint;
    if (is === "Marker") return [line(stalk, [[from, points[0]]]), { is, role: own, points }];
    const pairs = points.slice(1).map((point, n) => [points[n], point]);
    if (!near) return [line(own, pairs, is)];
    const there = ([point]) => near(point);
    return [line(k === hot ? own : faint, pairs.filter((pair) => !there(pair))), line(own, pairs.filter(there))];
  });
}
