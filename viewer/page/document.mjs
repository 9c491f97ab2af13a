// The scene as it is now: the numbers of the file, the moment of its motion, and what was changed by hand.
import { numbersOf } from "./data.mjs";
import { add, between, byAngles, cross, dot, mean, product, sub, rotated, unit } from "./vectors.mjs";

/** Fields that are places: a move adds to them. */
const PLACES = new Set(["position", "start", "end", "origin", "point", "center", "lower", "upper"]);
/** Fields that are directions: a turn turns them. */
const WAYS = new Set(["direction", "normal"]);

export class Document {
  constructor(world, facts) {
    this.world = world;
    this.rest = new Map(world.elements.map((element) => [element, world.row(element)]));
    const { motion } = facts;
    this.times = motion ? motion.times : [];
    this.moving = motion ? motion.elements : [];
    this.tracks = motion ? numbersOf(motion.numbers) : [];
    this.moment = 0;
    /** The moment after the last: where the file has the shapes, which no motion has moved. */
    this.atRest = this.times.length;
    /** Of each element that was changed, `{ row, moment }`. A change is a new map, so that none is lost to undo. */
    this.edits = new Map();
    this.past = [];
    this.future = [];
    this.before = null; // the edits before what is in hand
    this.held = []; // the elements in hand
    this.followed = new Map(); // edits of elements that follow what is in hand
  }

  get time() {
    return this.times.length ? this.times[this.moment] : 0;
  }

  /** Return the numbers of an element in the file, at a moment. */
  base(element, moment) {
    const rest = this.rest.get(element);
    let from = (this.tracks.length / (this.times.length + 1)) * moment;
    for (const other of this.moving) {
      const width = this.rest.get(other).length;
      if (other === element) return [...this.tracks.slice(from, from + width)];
      from += width;
    }
    return [...rest];
  }

  /** Return the numbers of an element now, or at another moment. A change of what moves is carried along. */
  row(element, moment = this.moment) {
    const edit = this.edits.get(element);
    const now = this.base(element, moment);
    if (!edit) return now;
    if (edit.moment === moment || !this.moving.includes(element)) return [...edit.row];
    const then = this.base(element, edit.moment);
    const row = [...edit.row];
    for (const [name, [start, length]] of Object.entries(this.world.fields(this.world.kind(element)))) {
      if (PLACES.has(name)) for (let k = start; k < start + length; k++) row[k] = now[k] + (edit.row[k] - then[k]);
      if (name === "axes") {
        const turn = between(then.slice(start, start + 9), edit.row.slice(start, start + 9));
        row.splice(start, 9, ...product(turn, now.slice(start, start + 9)));
      }
    }
    return row;
  }

  /** Take other edits, and return the elements that have other numbers now. */
  take(edits) {
    const some = new Set([...this.edits.keys(), ...edits.keys()]);
    this.edits = edits;
    return this.write(some);
  }

  write(elements) {
    const rows = [...elements].map((element) => [element, this.row(element)]);
    const changed = rows.filter(([element, row]) => this.world.row(element).some((x, k) => !Object.is(x, row[k])));
    if (changed.length) this.world.write(changed);
    return changed.map(([element]) => element);
  }

  /** Change elements in hand: the step of the history comes with `commit`. */
  preview(rows) {
    this.before ??= this.edits;
    this.held = rows.map(([element]) => element);
    const edits = new Map([...this.before, ...this.followed]);
    for (const [element, row] of rows) edits.set(element, { row, moment: this.moment });
    return this.take(edits);
  }

  commit() {
    if (this.before && this.before !== this.edits) {
      this.past.push(this.before);
      this.future = [];
    }
    this.letGo();
  }

  cancel() {
    const changed = this.before ? this.take(this.before) : [];
    this.letGo();
    return changed;
  }

  letGo() {
    [this.before, this.held, this.followed] = [null, [], new Map()];
  }

  change(rows) {
    const changed = this.preview(rows);
    this.commit();
    return changed;
  }

  undo() {
    if (!this.past.length) return [];
    this.future.push(this.edits);
    return this.take(this.past.pop());
  }

  redo() {
    if (!this.future.length) return [];
    this.past.push(this.edits);
    return this.take(this.future.pop());
  }

  /** Go to a moment of the motion. */
  go(moment) {
    this.moment = moment;
    return this.write(this.moving);
  }
}

/** Return the numbers of a shape that is moved; of an end alone, where only that is. */
export function movedRow(fields, row, offset, part = "body") {
  const moved = [...row];
  for (const [name, [start]] of Object.entries(fields)) {
    if (PLACES.has(name) && (part === "body" || part === name)) moved.splice(start, 3, ...add(row.slice(start, start + 3), offset));
  }
  return moved;
}

/** Return the point that a shape turns about. */
export function pivotOf(fields, row) {
  const at = (name) => row.slice(fields[name][0], fields[name][0] + 3);
  if (fields.start) return mean(at("start"), at("end"));
  if (fields.lower) return mean(at("lower"), at("upper"));
  return at(Object.keys(fields).find((name) => PLACES.has(name)));
}

/** Return the numbers of a shape that is turned about a point of its own. */
export function turnedRow(fields, row, turn) {
  const pivot = pivotOf(fields, row);
  const made = [...row];
  for (const [name, [start, length]] of Object.entries(fields)) {
    const own = row.slice(start, start + length);
    if (WAYS.has(name)) made.splice(start, 3, ...unit(rotated(turn, own)));
    else if (name === "axes") made.splice(start, 9, ...product(turn, own));
    else if ((name === "start" || name === "end")) made.splice(start, 3, ...add(pivot, rotated(turn, sub(own, pivot))));
  }
  return made;
}

/** Whether a kind can be turned. */
export const turns = (kind) => !["Point", "Sphere", "AABB"].includes(kind);

/** Return what a field is called where one reads it, as in files, and by what its numbers are larger there. */
export const shownAs = (name) => ({ half_extents: ["size", 2], axes: ["rotation", 1] })[name] ?? [name, 1];

/** Say what is wrong with the numbers of a shape; nothing where they are those of one. */
export function wrongWith(kind, fields, row) {
  for (const [name, [start, length]] of Object.entries(fields)) {
    const [label, factor] = shownAs(name);
    const own = row.slice(start, start + length).map((x) => factor * x);
    const bad = own.find((x) => !Number.isFinite(x) || Math.abs(x) > 1e72);
    if (bad !== undefined) return `${label}: expected a finite number up to 1e72, got ${bad}`;
    if ((name === "radius" || name === "half_extents") && own.some((x) => x < 0)) return `${label}: expected zero or more, got ${Math.min(...own)}`;
    if (WAYS.has(name) && Math.abs(Math.hypot(...own) - 1) > 1e-9) return `${label}: expected a direction of length 1, got ${own.join(", ")}`;
  }
  if (fields.axes) {
    const axes = [0, 1, 2].map((k) => [0, 1, 2].map((n) => row[fields.axes[0] + k + 3 * n]));
    const crooked = axes.some((own, k) => axes.some((other, n) => Math.abs(dot(own, other) - (k === n)) > 1e-9));
    if (crooked || dot(cross(axes[0], axes[1]), axes[2]) < 0) return "axes: expected three axes of a rotation";
  }
  if (kind === "AABB" && [0, 1, 2].some((k) => row[k] > row[3 + k])) return "lower: expected no corner above the upper one";
  return "";
}

/** Return the numbers of a shape whose rotation is given by angles in degrees. */
export function withAngles(fields, row, angles) {
  const made = [...row];
  made.splice(fields.axes[0], 9, ...byAngles(angles));
  return made;
}
