// The shapes in the memory of the kernels. Each verdict, distance, contact and pick is a call of these.
import { load } from "./collision.mjs";
import { numbersOf } from "./data.mjs";

/** Kinds without an end: the search in trees leaves them out. */
const ENDLESS = ["Ray", "Line", "HalfSpace"];

/** Kinds without a surface: a line of sight that passes near them meets them. */
const THIN = ["Point", "Segment", "Ray", "Line"];

/** So many shapes may have moved before the tree is made anew. */
const MOST_LOOSE = 64;

/** Of each solid, which columns of the rows of its core are its fields, in their order; -1 is its radius. */
const COLUMNS = {
  Sphere: [0, 1, 2, -1],
  Capsule: [0, 1, 2, 6, 7, 8, -1],
  AABB: [12, 13, 14, 15, 16, 17],
  OrientedBox: [0, 1, 2, 3, 6, 9, 4, 7, 10, 5, 8, 11, 15, 16, 17],
};

/** Return the fields of solids, row after row, from a record. */
function rowsOfSolid(solid, kind) {
  const [cores, radii, columns] = [numbersOf(solid.rows), numbersOf(solid.radii), COLUMNS[kind]];
  const wide = solid.rows.shape[1];
  const rows = new Float64Array(radii.length * columns.length);
  for (let k = 0; k < radii.length; k++) {
    columns.forEach((column, n) => (rows[k * columns.length + n] = column < 0 ? radii[k] : cores[k * wide + column]));
  }
  return rows;
}

/** The shapes of a scene, and which of them touch. */
export class World {
  /**
   * @param {Collision} collision what `load` of collision.mjs returns
   * @param {object} facts of the scene; the numbers of its solids are in the records of its picture
   */
  constructor(collision, facts) {
    this.collision = collision;
    const solids = facts.picture.records.filter((record) => record.is === "Solid");
    this.names = facts.entries.flatMap(([name, axes]) => namesIn(name, axes));
    this.batches = [];
    this.place = new Map(); // of each element its batch, and its row there
    for (const group of facts.groups) {
      const rows = group.numbers ? numbersOf(group.numbers) : rowsOfSolid(solids.shift(), group.kind);
      const shapes = collision.shapes(group.kind, rows);
      const number = this.batches.push({ kind: group.kind, shapes, elements: group.elements }) - 1;
      group.elements.forEach((element, row) => this.place.set(element, [number, row]));
    }
    this.elements = [...this.place.keys()].sort((a, b) => a - b);
    const flags = (numbers) => numbers.reduce((all, k) => ((all[k] = 1), all), new Uint8Array(this.names.length));
    this.ignored = facts.ignored.map((sides) => sides.map(flags));
    /** The pairs that touch, by a number of their own: `{ i, j, distance, onA, onB, normal, touching }`. */
    this.contacts = new Map();
    /** The pairs of each element. */
    this.of = new Map(this.elements.map((element) => [element, new Set()]));
    this.loose = new Set(); // what has moved since the tree was made
    this.ended = this.batches.filter(({ kind }) => !ENDLESS.includes(kind));
    this.numbered = this.ended.flatMap(({ elements }) => elements);
    this.endless = this.elements.filter((element) => ENDLESS.includes(this.kind(element)));
    this.tree = null;
    this.find();
  }

  kind(element) {
    return this.batches[this.place.get(element)[0]].kind;
  }

  /** Where each field of a kind begins, and how many numbers it has. */
  fields(kind) {
    return this.collision.tables.kinds[kind].fields;
  }

  /** Return a copy of the numbers of an element. */
  row(element) {
    const [number, row] = this.place.get(element);
    const { shapes } = this.batches[number];
    return [...shapes.numbers.subarray(row * shapes.width, (row + 1) * shapes.width)];
  }

  /** Give elements other numbers, and judge all their pairs anew. */
  write(rows) {
    for (const [element, numbers] of rows) {
      const [number, row] = this.place.get(element);
      const { shapes } = this.batches[number];
      shapes.numbers.set(numbers, row * shapes.width);
    }
    if (rows.length > MOST_LOOSE) {
      this.tree = null;
      this.find();
    } else {
      this.judge(rows.map(([element]) => element));
    }
  }

  tested(i, j) {
    if (i === j) return false;
    if (this.kind(i) === "HalfSpace" && this.kind(j) === "HalfSpace") return false;
    return !this.ignored.some(([a, b]) => (a[i] && b[j]) || (b[i] && a[j]));
  }

  /** Find all pairs. */
  find() {
    this.contacts.clear();
    for (const pairs of this.of.values()) pairs.clear();
    const found = this.collision.collidingPairs(this.ended.map(({ shapes }) => shapes));
    const pairs = Array.from({ length: found.length / 2 }, (_, k) => [this.numbered[found[2 * k]], this.numbered[found[2 * k + 1]]]);
    for (const element of this.endless) {
      const others = this.elements.filter((other) => other < element || !ENDLESS.includes(this.kind(other)));
      pairs.push(...this.touching(others.map((other) => [element, other]).filter(([i, j]) => this.tested(i, j))));
    }
    this.keep(pairs.filter(([i, j]) => this.tested(i, j)));
  }

  /** Judge the pairs of some elements anew: the tree finds what may touch, and the kernels decide. */
  judge(elements) {
    const own = new Set(elements);
    for (const element of own) {
      for (const key of this.of.get(element)) {
        const { i, j } = this.contacts.get(key);
        this.contacts.delete(key);
        this.of.get(i === element ? j : i).delete(key);
      }
      this.of.get(element).clear();
      this.loose.add(element);
    }
    const pairs = new Map();
    const consider = (i, j) => {
      if (this.tested(i, j)) pairs.set(this.key(i, j), [i, j]);
    };
    for (const element of own) {
      for (const other of this.near(element)) consider(element, other);
    }
    this.keep(this.touching([...pairs.values()]));
  }

  key(i, j) {
    return Math.min(i, j) * this.names.length + Math.max(i, j);
  }

  /** Make the tree over the boxes of what has an end, where there is none that is good still. */
  plant() {
    if (this.tree && this.loose.size <= MOST_LOOSE) return;
    const boxes = this.ended.map(({ shapes }) => this.collision.bounds(shapes));
    const whole = (name) => Float64Array.from(boxes.flatMap((box) => [...box[name]]));
    this.tree = this.collision.tree(whole("lower"), whole("upper"), this.tree);
    this.loose.clear();
  }

  /** Return what may be no farther from an element than a margin, and itself. */
  near(element, margin = 0) {
    if (ENDLESS.includes(this.kind(element))) return this.elements;
    const { lower, upper } = this.box(element);
    return [...this.met("boxes", [lower, upper], margin), ...this.endless];
  }

  /** Return whose boxes meet a volume, of all that have an end; what has moved since the tree was made is always said. */
  met(volumes, arrays, margin = 0) {
    this.plant();
    const pairs = this.collision.met(this.tree, volumes, arrays, margin);
    const found = [...this.loose].filter((element) => !ENDLESS.includes(this.kind(element)));
    for (let k = 1; k < pairs.length; k += 2) {
      const element = this.numbered[pairs[k]];
      if (!this.loose.has(element)) found.push(element);
    }
    return found;
  }

  /** Return the corners of the box around an element. */
  box(element) {
    return this.alone(element, (shapes) => this.collision.bounds(shapes));
  }

  /** Return the corners of the boxes around elements, `[lower, upper]` each. */
  boxes(elements) {
    const bounds = this.batches.map(({ shapes }) => this.collision.bounds(shapes));
    return elements.map((element) => {
      const [number, row] = this.place.get(element);
      return [bounds[number].lower, bounds[number].upper].map((corners) => [...corners.subarray(3 * row, 3 * row + 3)]);
    });
  }

  /** Do something with an element as shapes of their own. */
  alone(element, work) {
    return this.collision.scope(() => work(this.collision.shapes(this.kind(element), this.row(element))));
  }

  /** Return pairs of elements by the two batches that they are in, and their rows there. */
  *parted(pairs) {
    const parts = new Map();
    for (const [a, b] of pairs) {
      const [i, j] = a < b ? [a, b] : [b, a];
      const [[first, row], [second, other]] = [this.place.get(i), this.place.get(j)];
      const part = first * this.batches.length + second;
      if (!parts.has(part)) parts.set(part, { a: this.batches[first].shapes, b: this.batches[second].shapes, pairs: [], rows: [] });
      const { pairs: own, rows } = parts.get(part);
      own.push([i, j]);
      rows.push(row, other);
    }
    for (const part of parts.values()) yield { ...part, rows: Int32Array.from(part.rows) };
  }

  /** Return those of some pairs that touch. */
  touching(pairs) {
    return [...this.parted(pairs)].flatMap(({ a, b, pairs: own, rows }) => {
      const touches = this.collision.touches(a, b, rows);
      return own.filter((_, k) => touches[k]);
    });
  }

  /** Return what the kernels say of pairs of elements. */
  records(pairs) {
    return [...this.parted(pairs)].flatMap(({ a, b, pairs: own, rows }) => {
      const { distance, onA, onB, normal, onlyTouching } = this.collision.contacts(a, b, rows);
      const three = (array, k) => [...array.subarray(3 * k, 3 * k + 3)];
      return own.map(([i, j], k) => ({
        ...{ i, j, distance: distance[k], touching: onlyTouching[k] === 1 },
        ...{ onA: three(onA, k), onB: three(onB, k), normal: three(normal, k) },
      }));
    });
  }

  keep(pairs) {
    for (const contact of this.records(pairs)) {
      const key = this.key(contact.i, contact.j);
      this.contacts.set(key, contact);
      this.of.get(contact.i).add(key);
      this.of.get(contact.j).add(key);
    }
  }

  /** Return the record of an element and the other that is nearest, of those that are tested; null without one. */
  nearest(element) {
    const own = [...this.of.get(element)].map((key) => this.contacts.get(key));
    if (own.length) return own.reduce((best, contact) => (contact.distance < best.distance ? contact : best));
    const { lower, upper } = this.box(element);
    const size = Math.max(...[0, 1, 2].map((k) => upper[k] - lower[k]));
    const few = !(size > 0 && size < Infinity) || this.elements.length <= MOST_LOOSE;
    for (let margin = few ? Infinity : size; ; margin = margin > 1e4 * size ? Infinity : 8 * margin) {
      const others = margin < Infinity ? this.near(element, margin) : this.elements;
      const [distance, other] = this.least(element, others.filter((one) => this.tested(element, one)));
      if (distance <= margin) return other === null ? null : this.records([[element, other]])[0];
    }
  }

  least(element, others) {
    let best = [Infinity, null];
    for (const { a, b, pairs, rows } of this.parted(others.map((other) => [element, other]))) {
      this.collision.distances(a, b, rows).forEach((distance, k) => {
        if (distance < best[0]) best = [distance, pairs[k][0] === element ? pairs[k][1] : pairs[k][0]];
      });
    }
    return best;
  }

  /**
   * Return what a line of sight meets first: `{ element, point, way }`. What is thin counts within a reach, which may
   * depend on the point; the reader of `seen` says whether a point of a half-space is drawn.
   */
  pick(start, direction, reach, seen) {
    let best = null;
    const offer = (element, way, point) => {
      if (way >= 0 && (!best || way < best.way) && seen(element, point)) best = { element, way, point };
    };
    const rows = this.batches.map(() => []);
    for (const element of [...this.met("lines", [start, direction, [0]]), ...this.endless]) {
      const [number, row] = this.place.get(element);
      rows[number].push(0, row);
    }
    this.collision.scope(() => {
      const ray = this.collision.shapes("Ray", [...start, ...direction]);
      this.batches.forEach(({ kind, shapes, elements }, number) => {
        if (THIN.includes(kind)) {
          const { distance, onA, onB } = this.collision.records(ray, shapes);
          distance.forEach((gap, k) => {
            const point = [...onB.subarray(3 * k, 3 * k + 3)];
            const way = [0, 1, 2].reduce((sum, axis) => sum + (onA[3 * k + axis] - start[axis]) * direction[axis], 0);
            if (gap <= reach(point)) offer(elements[k], way - 2 * reach(point), point);
          });
        } else if (rows[number].length) {
          const { enter, point } = this.collision.hits(ray, shapes, Int32Array.from(rows[number]));
          enter.forEach((way, k) => offer(elements[rows[number][2 * k + 1]], way, [...point.subarray(3 * k, 3 * k + 3)]));
        }
      });
    });
    return best;
  }
}

/** Return the names of the elements of an entry. */
function namesIn(name, axes) {
  const count = axes.reduce((all, axis) => all * axis, 1);
  if (!axes.length) return [name];
  return Array.from({ length: count }, (_, k) => {
    const index = [];
    for (let rest = k, axis = axes.length - 1; axis >= 0; axis--) {
      index.unshift(rest % axes[axis]);
      rest = Math.floor(rest / axes[axis]);
    }
    return `${name}[${index.join(",")}]`;
  });
}
