// The shapes in the memory of the kernels. Each verdict, distance, contact and pick is a call of these.
import { load } from "./collision.mjs";
import { numbersOf } from "./data.mjs";
import { dot, sub } from "./vectors.mjs";

/** Kinds without an end: the search in trees leaves them out. */
const ENDLESS = ["Ray", "Line", "HalfSpace"];

/** Kinds without a surface: a line of sight that passes near them meets them. */
const THIN = ["Point", "Segment", "Ray", "Line"];

/** So many shapes are asked one by one, before the tree is made anew. */
const MOST_LOOSE = 64;

/** Return a point, or a direction, of many. */
const three = (numbers, k) => [...numbers.subarray(3 * k, 3 * k + 3)];

/** The shapes of a scene, and which of them touch. */
export class World {
  /** `collision` is what `load` of collision.mjs returns, `facts` what `facts.py` writes of a scene. */
  constructor(collision, facts) {
    this.collision = collision;
    this.names = facts.entries.flatMap(([name, axes]) => namesIn(name, axes));
    this.batches = facts.groups.map(({ kind, name, elements, numbers, more = {} }) => {
      const beside = Object.fromEntries(Object.entries(more).map(([field, rows]) => [field, numbersOf(rows)]));
      return { kind, name, elements, beside, shapes: collision.shapes(kind, numbersOf(numbers), beside) };
    });
    /** Of each element its batch, and its row there. */
    this.place = new Map();
    this.batches.forEach(({ elements }, number) => {
      elements.forEach((element, row) => this.place.set(element, [number, row]));
    });
    this.elements = [...this.place.keys()].sort((a, b) => a - b);
    this.ignored = facts.ignored.map((sides) => sides.map((side) => new Set(side)));
    /** The pairs that touch, by a number of their own: `{ i, j, distance, onA, onB, normal, touching }`. */
    this.contacts = new Map();
    this.ended = this.batches.filter(({ kind }) => !ENDLESS.includes(kind));
    this.numbered = this.ended.flatMap(({ elements }) => elements);
    this.endless = this.elements.filter((element) => this.isEndless(element));
    /** Over the boxes of what has an end, but for what is loose: that has moved since. */
    this.tree = null;
    this.loose = new Set();
    this.find();
  }

  kind(element) {
    return this.batches[this.place.get(element)[0]].kind;
  }

  /** What its kind is called in files, and so wherever one reads of it. */
  kindName(element) {
    return this.batches[this.place.get(element)[0]].name;
  }

  isEndless(element) {
    return ENDLESS.includes(this.kind(element));
  }

  /** Where each field of a kind begins, and how many numbers it has. */
  fields(kind) {
    return this.collision.tables.kinds[kind].fields;
  }

  /** Whether an element has no surface, as a hull of one or two corners without a radius. */
  isThin(element) {
    const kind = this.kind(element);
    if (kind !== "ConvexHull") return THIN.includes(kind);
    return this.beside(element).numbers[0] < 3 && !this.row(element)[this.fields(kind).radius[0]];
  }

  /** Return a copy of the numbers of an element. */
  row(element) {
    const [number, row] = this.place.get(element);
    const { shapes } = this.batches[number];
    return [...shapes.numbers.subarray(row * shapes.width, (row + 1) * shapes.width)];
  }

  /** Return what an element has beside its numbers, by field: of a hull its points, and its corners and faces. */
  beside(element) {
    const [number, row] = this.place.get(element);
    const { beside, shapes: { count } } = this.batches[number];
    const part = (rows) => rows.subarray((row * rows.length) / count, ((row + 1) * rows.length) / count);
    return Object.fromEntries(Object.entries(beside).map(([field, rows]) => [field, part(rows)]));
  }

  /** Give elements other numbers, and judge all their pairs anew. */
  write(rows) {
    for (const [element, numbers] of rows) {
      const [number, row] = this.place.get(element);
      const { shapes } = this.batches[number];
      shapes.numbers.set(numbers, row * shapes.width);
    }
    if (rows.length <= Math.min(MOST_LOOSE, this.numbered.length / 4)) this.judge(rows.map(([element]) => element));
    else this.find();
  }

  tested(i, j) {
    if (i === j || (this.kind(i) === "HalfSpace" && this.kind(j) === "HalfSpace")) return false;
    return !this.ignored.some(([a, b]) => (a.has(i) && b.has(j)) || (b.has(i) && a.has(j)));
  }

  /** Find all pairs. */
  find() {
    this.contacts.clear();
    this.grow();
    const found = this.collision.pairs(this.tree);
    const pair = (k) => [this.numbered[found[2 * k]], this.numbered[found[2 * k + 1]]];
    this.keep(Array.from({ length: found.length / 2 }, (_, k) => pair(k)));
    this.judge(this.endless);
  }

  /** Make the tree anew. */
  grow() {
    const [lower, upper] = [0, 1].map(() => new Float64Array(3 * this.numbered.length));
    let start = 0;
    for (const { shapes } of this.ended) {
      const box = this.collision.bounds(shapes);
      lower.set(box.lower, start);
      upper.set(box.upper, start);
      start += 3 * shapes.count;
    }
    this.tree = this.collision.tree(lower, upper, this.tree);
    this.loose.clear();
  }

  /** Judge the pairs of some elements anew: the tree finds what may touch, and the kernels decide. */
  judge(elements) {
    const own = new Set(elements);
    for (const [key, { i, j }] of this.contacts) if (own.has(i) || own.has(j)) this.contacts.delete(key);
    for (const element of own) if (!this.isEndless(element)) this.loose.add(element);
    const pairs = new Map();
    for (const element of own) {
      for (const other of this.near(element)) pairs.set(this.key(element, other), [element, other]);
    }
    this.keep([...pairs.values()]);
  }

  key(i, j) {
    return Math.min(i, j) * this.names.length + Math.max(i, j);
  }

  /** Return what may be no farther from an element than a margin, and itself. */
  near(element, margin = 0) {
    return this.isEndless(element) ? this.elements : [...this.met("boxes", this.box(element), margin), ...this.endless];
  }

  /** Return whose boxes meet a volume, of all that have an end; what is loose is always said. */
  met(volumes, arrays, margin = 0) {
    if (this.loose.size > MOST_LOOSE) this.grow();
    const pairs = this.collision.met(this.tree, volumes, arrays, margin);
    const found = new Set(this.loose);
    for (let k = 1; k < pairs.length; k += 2) found.add(this.numbered[pairs[k]]);
    return found;
  }

  /** Return the corners of the box around an element, `[lower, upper]`. */
  box(element) {
    const { collision } = this;
    const [number, row] = this.place.get(element);
    const { lower, upper } = collision.scope(() => collision.bounds(this.batches[number].shapes.element(row)));
    return [[...lower], [...upper]];
  }

  /** Return the corners of the boxes around elements. */
  boxes(elements) {
    const bounds = this.batches.map(({ shapes }) => this.collision.bounds(shapes));
    return elements.map((element) => {
      const [number, row] = this.place.get(element);
      return [three(bounds[number].lower, row), three(bounds[number].upper, row)];
    });
  }

  /** Return pairs of elements by the two batches that they are in, and their rows there. */
  *parted(pairs) {
    const parts = new Map();
    for (const [a, b] of pairs) {
      const [i, j] = a < b ? [a, b] : [b, a];
      const [[first, row], [second, other]] = [this.place.get(i), this.place.get(j)];
      const part = first * this.batches.length + second;
      const batches = { a: this.batches[first].shapes, b: this.batches[second].shapes };
      if (!parts.has(part)) parts.set(part, { ...batches, pairs: [], rows: [] });
      const { pairs: own, rows } = parts.get(part);
      own.push([i, j]);
      rows.push(row, other);
    }
    for (const part of parts.values()) yield { ...part, rows: Int32Array.from(part.rows) };
  }

  /** Return what the kernels say of pairs of elements, of those that are no farther apart than a margin. */
  records(pairs, margin = Infinity) {
    return [...this.parted(pairs)].flatMap(({ a, b, pairs: own, rows }) => {
      const { near, distance, onA, onB, normal, onlyTouching } = this.collision.contacts(a, b, rows, margin);
      const record = ([i, j], k) => ({
        ...{ i, j, distance: distance[k], touching: onlyTouching[k] === 1 },
        ...{ onA: three(onA, k), onB: three(onB, k), normal: three(normal, k) },
      });
      return own.map((pair, k) => near[k] && record(pair, k)).filter(Boolean);
    });
  }

  /** Keep those of some pairs that are tested and touch. */
  keep(pairs) {
    const tested = pairs.filter(([i, j]) => this.tested(i, j));
    for (const contact of this.records(tested, 0)) this.contacts.set(this.key(contact.i, contact.j), contact);
  }

  /** Return the record of an element and the other that is nearest, of those that are tested; null without one. */
  nearest(element) {
    const nearer = (best, one) => (best && best.distance <= one.distance ? best : one);
    const least = (records) => records.reduce(nearer, null);
    const own = [...this.contacts.values()].filter(({ i, j }) => i === element || j === element);
    if (own.length) return least(own);
    const [lower, upper] = this.box(element);
    const size = Math.max(...sub(upper, lower));
    const few = !(size > 0 && size < Infinity) || this.elements.length <= MOST_LOOSE;
    for (let margin = few ? Infinity : size; ; margin = margin > 1e4 * size ? Infinity : 8 * margin) {
      const others = margin < Infinity ? [...this.near(element, margin)] : this.elements;
      const pairs = others.filter((other) => this.tested(element, other)).map((other) => [element, other]);
      const found = least(this.records(pairs));
      if (margin === Infinity || found?.distance <= margin) return found;
    }
  }

  /**
   * Return what a line of sight meets first: `{ element, point, way }`. What is thin counts within a reach, which may
   * depend on the point, and is `wide` times as long for a finger; the reader of `seen` says whether a point of a
   * half-space is drawn.
   */
  pick(start, direction, reach, wide, seen) {
    let best = null;
    const offer = (element, way, point) => {
      if (way >= 0 && (!best || way < best.way) && seen(element, point)) best = { element, way, point };
    };
    const near = new Set([...this.met("lines", [start, direction, [0]]), ...this.endless]);
    this.collision.scope(() => {
      const ray = this.collision.shapes("Ray", [...start, ...direction]);
      for (const { kind, shapes, elements } of this.batches) {
        const { numbers, width } = shapes;
        const isGrown = (row) => kind === "ConvexHull" && numbers[row * width + this.fields(kind).radius[0]] > 0;
        const [byDistance, byRay] = [[], []]; // a ray passes by the round edges of a grown hull
        elements.forEach((element, row) => {
          if (this.isThin(element) || (near.has(element) && isGrown(row))) byDistance.push(0, row);
          else if (near.has(element)) byRay.push(0, row);
        });
        const { distance, onA, onB } = this.collision.records(ray, shapes, Int32Array.from(byDistance));
        distance.forEach((gap, k) => {
          const [at, point] = [three(onA, k), three(onB, k)];
          const element = elements[byDistance[2 * k + 1]];
          const within = this.isThin(element) ? reach(point) : 0;
          const way = dot(sub(at, start), direction) - 2 * within;
          if (gap <= wide * within) offer(element, way, point);
        });
        const { enter, point } = this.collision.hits(ray, shapes, Int32Array.from(byRay));
        enter.forEach((way, k) => offer(elements[byRay[2 * k + 1]], way, three(point, k)));
      }
    });
    return best;
  }
}

/** Return the names of the elements of an entry. */
function namesIn(name, axes) {
  if (!axes.length) return [name];
  const longer = (all, axis) => all.flatMap((index) => Array.from({ length: axis }, (_, k) => [...index, k]));
  return axes.reduce(longer, [[]]).map((index) => `${name}[${index.join(",")}]`);
}
