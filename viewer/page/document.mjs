// The scene as it is now: the numbers of the file, the moment of its motion, and what was changed by hand.
import { numbersOf } from "./data.mjs";
import { Joints } from "./joints.mjs";
import { add, byAngles, cross, dot, inverse, mean, product, rotated, sub, transposed, unit } from "./vectors.mjs";

/** Fields that are places: a move adds to them. */
export const PLACES = new Set(["position", "start", "end", "origin", "point", "center", "middle", "lower", "upper"]);
/** Fields that are directions: a turn turns them. */
export const WAYS = new Set(["direction", "normal"]);

export class Document {
  /** `moved(elements)` is called after each change of what is in hand, and once more when nothing is any more. */
  constructor(world, { motion, robot }, moved) {
    Object.assign(this, { world, moved, joints: robot ? new Joints(robot) : null });
    this.rest = new Map(world.elements.map((element) => [element, world.row(element)]));
    this.times = motion?.times ?? [];
    this.moving = motion?.elements ?? [];
    this.tracks = motion ? numbersOf(motion.numbers) : [];
    /** Of each element that turns two matrices a moment: its own turn, and that of the way to another place at rest. */
    this.turns = new Map();
    for (const { elements, numbers } of motion?.turns ?? []) {
      const matrices = numbersOf(numbers);
      elements.forEach((element) => this.turns.set(element, matrices));
    }
    this.moment = 0;
    /** The moment after the last: where the file has the shapes, which no motion has moved. */
    this.atRest = this.times.length;
    /** Of what was changed, an element or a joint by its name, `{ row, moment }`: a new map after each change. */
    this.edits = new Map();
    [this.past, this.future] = [[], []];
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
    const place = this.joints?.places.get(this.joints.movedBy.get(element));
    if (place) return placedRow({ ...this.kindOf(element), row: now }, place.turn, [0, 0, 0], place.shift);
    if (!edit) return now;
    if (edit.moment === moment || !this.moving.includes(element)) return [...edit.row];
    const then = this.base(element, edit.moment);
    const edited = { ...this.kindOf(element), row: edit.row };
    const along = (own, start) => add(now.slice(start, start + 3), sub(own, then.slice(start, start + 3)));
    const matrices = this.turns.get(element);
    if (!matrices) return changedRow(edited, (name, own, start) => (PLACES.has(name) ? along(own, start) : own));
    const matrix = (which, at) => [...matrices.subarray(18 * at + 9 * which, 18 * at + 9 * which + 9)];
    const [turn, way] = [0, 1].map((which) => product(matrix(which, moment), inverse(matrix(which, edit.moment))));
    const [middle, was, is] = [edit.row, then, now].map((row) => pivotOf({ ...edited, row }));
    const to = add(is, rotated(way, sub(middle, was)));
    if (!edited.fields.lower) return placedRow(edited, turn, middle, to);
    return changedRow(edited, (name, own, start) => add(along(own, start), sub(sub(to, is), sub(middle, was))));
  }

  kindOf(element) {
    const kind = this.world.kind(element);
    return { kind, fields: this.world.fields(kind) };
  }

  /** Return the kind of an element, its fields, and its numbers now. */
  shape(element) {
    return { ...this.kindOf(element), row: this.row(element) };
  }

  /** Whether an element is of a robot: then its joints alone move it. */
  isRigid(element) {
    return this.joints?.movedBy.has(element) ?? false;
  }

  /** The elements that are not as in the file. */
  get changed() {
    const { edits, joints } = this;
    const moved = joints?.all.flatMap((joint) => (joints.places.has(joint) ? joint.elements : [])) ?? [];
    return [...moved, ...[...edits.keys()].filter((key) => !joints?.byName.has(key))];
  }

  /** Take other edits. */
  take(edits) {
    const before = this.changed;
    this.edits = edits;
    this.joints?.put(edits);
    this.write([...new Set([...before, ...this.changed])]);
  }

  /** Go to a moment of the motion. */
  go(moment) {
    this.moment = moment;
    this.write(this.moving);
  }

  /** Have elements in the world as they are now. */
  write(elements) {
    const rows = elements.map((element) => [element, this.row(element)]);
    const changed = rows.filter(([element, row]) => this.world.row(element).some((x, k) => !Object.is(x, row[k])));
    if (changed.length) this.world.write(changed);
    this.moved(changed.map(([element]) => element));
  }

  /** Change elements in hand: the step of the history comes with `commit`. */
  preview(rows) {
    this.before ??= this.edits;
    this.held = rows.map(([element]) => element);
    const edits = new Map([...this.before, ...this.followed]);
    for (const [element, row] of rows) edits.set(element, { row, moment: this.moment });
    this.take(edits);
  }

  /** Let go of what is in hand, as it is now, or with other edits, such as those before. */
  commit(edits = this.edits) {
    if (this.before && this.before !== edits) {
      this.past.push(this.before);
      this.future = [];
    }
    [this.before, this.held, this.followed] = [null, [], new Map()];
    this.take(edits);
  }

  cancel() {
    this.commit(this.before ?? this.edits);
  }

  change(rows) {
    this.preview(rows);
    this.commit();
  }

  /** Take back all that was changed. */
  reset() {
    this.before ??= this.edits;
    this.commit(new Map());
  }

  undo(from = this.past, to = this.future) {
    if (!from.length) return;
    to.push(this.edits);
    this.take(from.pop());
  }

  redo() {
    this.undo(this.future, this.past);
  }
}

/** Return the numbers of a shape, those of each field as `change(name, numbers, start)` returns them. */
export const changedRow = ({ fields, row }, change) =>
  Object.entries(fields).flatMap(([name, [start, length]]) => change(name, row.slice(start, start + length), start));

/** Return the numbers of a shape that is moved; of an end alone, where only that is. */
export const movedRow = (shape, offset, part = "body") =>
  changedRow(shape, (name, own) => (PLACES.has(name) && ["body", name].includes(part) ? add(own, offset) : own));

/** Return the numbers of a shape whose rotation is given by angles in degrees. */
export const withAngles = (shape, angles) =>
  changedRow(shape, (name, own) => (name === "axes" ? byAngles(angles) : own));

/** Return the point that a shape turns about. */
export function pivotOf({ fields, row }) {
  const at = (name) => row.slice(fields[name][0], fields[name][0] + 3);
  if (fields.start) return mean(at("start"), at("end"));
  if (fields.lower) return mean(at("lower"), at("upper"));
  return at(Object.keys(fields).find((name) => PLACES.has(name)));
}

/** Return the numbers of a shape that is turned by a matrix about a point, which comes to another one. */
export const placedRow = (shape, turn, from, to) =>
  changedRow(shape, (name, own) => {
    if (WAYS.has(name)) return unit(rotated(turn, own));
    if (name === "axes") return product(turn, own);
    return PLACES.has(name) ? add(to, rotated(turn, sub(own, from))) : own;
  });

/** Return the numbers of a shape that is turned about a point of its own. */
export const turnedRow = (shape, turn) => placedRow(shape, turn, pivotOf(shape), pivotOf(shape));

/** Whether a kind can be turned. */
export const turns = (kind) => !["Point", "Sphere", "AABB"].includes(kind);

/** Return what a field is called where one reads it, as in files, and by what its numbers are larger there. */
export const shownAs = (name) => ({ half_extents: ["size", 2], axes: ["rotation", 1], middle: ["center", 1] })[name] ?? [name, 1];

/** Say what is wrong with the numbers of a shape; nothing where they are those of one. */
export function wrongWith({ kind, fields, row }) {
  for (const [name, [start, length]] of Object.entries(fields)) {
    const [label, factor] = shownAs(name);
    const own = row.slice(start, start + length).map((x) => factor * x);
    const bad = own.find((x) => !Number.isFinite(x) || Math.abs(x) > 1e72);
    const least = name === "radius" || name === "half_extents" ? Math.min(...own) : 0;
    if (bad !== undefined) return `${label}: expected a finite number up to 1e72, got ${bad}`;
    if (least < 0) return `${label}: expected zero or more, got ${least}`;
    if (WAYS.has(name) && Math.abs(Math.hypot(...own) - 1) > 1e-9) {
      return `${label}: expected a direction of length 1, got ${own.join(", ")}`;
    }
    const crooked = () => product(transposed(own), own).some((x, k) => Math.abs(x - (k % 4 === 0)) > 1e-9);
    if (name === "axes" && (crooked() || dot(cross(own, own.slice(3)), own.slice(6)) < 0)) {
      return "axes: expected three axes of a rotation";
    }
  }
  const crossed = kind === "AABB" && [0, 1, 2].some((k) => row[k] > row[3 + k]);
  return crossed ? "lower: expected no corner above the upper one" : "";
}
