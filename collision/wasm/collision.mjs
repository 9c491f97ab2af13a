// Collision tests in a web page, or in Node: loads collision.wasm, keeps shapes in its memory, and calls its loops.
// Answers are those of the Python package, to the last bit. README.md beside this file says what lies beneath.
//
//     import { load } from "./collision.mjs";
//     const collision = await load(bytes, tables); // of collision.wasm; what is in collision.json
//     const balls = collision.shapes("Sphere", [[0, 0, 3, 1], [5, 0, 0, 1]]);
//     const floor = collision.shapes("AABB", [[-9, -9, -1, 9, 9, 0]]);
//     collision.distances(balls, floor); // Float64Array [ 2, -1 ]

const NUMBER = 8; // bytes: of a float64, and of an int64
const PAGE = 65536; // bytes: by so many memory grows

/**
 * Make the module ready.
 *
 * @param {BufferSource} bytes of collision.wasm
 * @param {object} tables what is in collision.json
 * @returns {Promise<Collision>}
 */
export async function load(bytes, tables) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const missing = Object.keys(tables.loops).filter((name) => !(name in instance.exports));
  if (missing.length) throw new Error(`the module is not that of the tables: it has no ${missing[0]}`);
  return new Collision(instance.exports, tables);
}

/** Shapes of one kind in memory, a row of numbers each: the fields of the kind, as `tables.kinds` has them. */
class Shapes {
  constructor(collision, kind, count, more) {
    const known = collision.tables.kinds[kind];
    if (!known) throw new Error(`kind must be one of ${Object.keys(collision.tables.kinds).join(", ")}, got ${kind}`);
    this.collision = collision;
    this.kind = kind;
    this.core = known.core;
    this.width = known.numbers;
    this.count = count;
    this.address = collision.reserve(count * this.width);
    /** Where rows of no fixed length are that the core refers to; 0 without any. */
    this.beside = 0;
    /** Of each operand its address, and how many numbers there are of it in a row: none of a constant. */
    this.parts = known.operands.map((operand) => {
      if (Array.isArray(operand)) return [collision.stored(operand.map(Number)), 0];
      if (typeof operand === "number") return [this.address + NUMBER * operand, this.width];
      if (!more[operand]) return [0, 0]; // nothing that kernels read
      this.beside = collision.stored(more[operand]);
      return [this.beside, more[operand].length / count];
    });
    this.call();
  }

  /** Have the tables of operands and of strides. One shape stands for as many as there are of the other kind. */
  call() {
    this.operands = this.collision.table(this.parts.map(([address]) => address));
    this.strides = this.collision.integers(this.parts.map(([, width]) => (this.count > 1 ? width : 0)));
  }

  /** Return one of them, where it is. */
  element(row) {
    const one = Object.assign(Object.create(Shapes.prototype), this, { count: 1 });
    one.address += NUMBER * this.width * row;
    one.parts = this.parts.map(([address, width]) => [address + NUMBER * width * row, width]);
    one.beside = one.parts[this.parts.findIndex(([address]) => address === this.beside)]?.[0] ?? 0;
    one.call();
    return one;
  }

  /** The numbers of all, row after row, to read and to write: a view that is good until memory is reserved again. */
  get numbers() {
    return this.collision.floats(this.address, this.count * this.width);
  }
}

/** What `load` makes. Where two batches of shapes are given, either may be a single shape, which stands for many. */
class Collision {
  #top; // from here on memory is free

  constructor(exports, tables) {
    this.exports = exports;
    this.tables = tables;
    this.#top = exports.__heap_base.value;
    this.curve = twice(tables.tree.curve);
  }

  // --- memory -------------------------------------------------------------------------------------------------------

  /** Return the address of memory for so many numbers, reserved until the scope ends that this is called in. */
  reserve(count) {
    const address = Math.ceil(this.#top / 16) * 16;
    const end = address + count * NUMBER;
    const { memory } = this.exports;
    if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE));
    this.#top = end;
    return address;
  }

  /** Do some work, and free all memory that was reserved meanwhile. */
  scope(work) {
    const top = this.#top;
    try {
      return work();
    } finally {
      this.#top = top;
    }
  }

  /** Return a view of numbers in memory: of no use any more once memory has grown. */
  floats(address, count) {
    return new Float64Array(this.exports.memory.buffer, address, count);
  }

  /** Store numbers, in memory that is theirs or in new memory, and return their address. */
  stored(numbers, address = this.reserve(numbers.length)) {
    this.floats(address, numbers.length).set(numbers);
    return address;
  }

  /** Store integers of up to 31 bits and a sign, as `stored` does numbers, and return their address. */
  integers(values, address = this.reserve(values.length)) {
    const halves = new Int32Array(this.exports.memory.buffer, address, 2 * values.length);
    for (let k = 0; k < values.length; k++) {
      halves[2 * k] = values[k]; // the low half comes first
      halves[2 * k + 1] = values[k] < 0 ? -1 : 0;
    }
    return address;
  }

  /** Store a table of addresses, and return its own. */
  table(addresses) {
    const address = this.reserve(Math.ceil(addresses.length / 2)); // they have four bytes
    new Uint32Array(this.exports.memory.buffer, address, addresses.length).set(addresses);
    return address;
  }

  /** Call a loop by its name. Numbers are given as numbers, memory by its address, and what is not needed as 0. */
  run(name, ...values) {
    const { arguments: kinds, result } = this.tables.loops[name];
    const given = values.map((value, k) => (kinds[k] === "int64" ? BigInt(value) : value));
    const returned = this.exports[name](...given);
    return result === "int64" ? Number(returned) : returned;
  }

  // --- shapes, and questions about them -----------------------------------------------------------------------------

  /** Store shapes of a kind: rows of numbers, or all of them one after the other; `more` has rows of no fixed length. */
  shapes(kind, rows, more = {}) {
    const numbers = ArrayBuffer.isView(rows) ? rows : rows.flat();
    const width = this.tables.kinds[kind]?.numbers ?? 1;
    if (numbers.length % width) throw new Error(`a ${kind} has ${width} numbers, got ${numbers.length} in all`);
    const made = new Shapes(this, kind, numbers.length / width, more);
    made.numbers.set(numbers);
    return made;
  }

  /**
   * Return signed distances: of element k of the one and element k of the other, or of pairs of elements.
   *
   * Pairs are given one after the other: i, j, i, j and so on. Distances are less by `tolerance` times the largest
   * number that the two shapes are given by.
   */
  distances(a, b, pairs, tolerance = 0) {
    return this.#both("distance", a, b, pairs, [1], [tolerance])[0];
  }

  /** Tell for each pair whether the two touch or overlap, to rounding: 1 or 0. */
  touches(a, b, pairs) {
    return Uint8Array.from(this.distances(a, b, pairs, this.tables.touch), (distance) => distance <= 0);
  }

  /** Return signed distances, the points of both where they are nearest or deepest, and unit normals from a to b. */
  records(a, b, pairs) {
    const { distance, onA, onB, normal } = this.contacts(a, b, pairs);
    return { distance, onA, onB, normal };
  }

  /**
   * Return what `Scene.contacts` in Python tells of pairs; and which of them are near, as it lists no others: 1 or 0.
   *
   * These touch, or are no farther apart than a margin. `onlyTouching` tells which touch to rounding, and no more;
   * `point` is midway between the points of both.
   */
  contacts(a, b, pairs, margin = 0) {
    const [distance, size, onLower, onHigher, own] = this.#both("record", a, b, pairs, [1, 1, 3, 3, 3]);
    const [onA, onB] = a.core <= b.core ? [onLower, onHigher] : [onHigher, onLower];
    const normal = a.core <= b.core ? own : own.map((x) => 0 - x);
    const { touch } = this.tables;
    const near = Uint8Array.from(distance, (gap, k) => gap <= margin + touch * size[k]);
    const onlyTouching = Uint8Array.from(distance, (gap, k) => Math.abs(gap) <= touch * size[k]);
    const point = onA.map((x, k) => 0.5 * x + 0.5 * onB[k]);
    return { near, distance, point, normal, onA, onB, onlyTouching };
  }

  /** Return the lower and the upper corners of the boxes around shapes; infinite for what has no end. */
  bounds(shapes) {
    const { count } = shapes;
    return this.scope(() => {
      const [lower, upper] = [this.reserve(3 * count), this.reserve(3 * count)];
      this.run(this.tables.cores[shapes.core].bounds, count, shapes.operands, shapes.strides, lower, upper);
      return { lower: this.floats(lower, 3 * count).slice(), upper: this.floats(upper, 3 * count).slice() };
    });
  }

  /** Return where rays enter and leave shapes, the points and the outward normals where they enter; NaN for a miss. */
  hits(rays, shapes, pairs, farthest = Infinity) {
    const loop = this.tables.cores[shapes.core].hits;
    const limits = ([enter], count) => this.floats(enter, count).fill(farthest);
    const [enter, leave, point, normal] = this.#over(loop, rays, shapes, pairs, [1, 1, 3, 3], { before: limits });
    return { enter, leave, point, normal };
  }

  /**
   * Return which part of its motion each shape of a has done when it first touches one of b, where, and the normal.
   *
   * Motions are three numbers for all, or for each pair. What is missed has NaN.
   */
  sweeps(a, b, motions, pairs) {
    const swap = a.core > b.core; // seen from a, it is b that moves, the other way
    const [first, second] = swap ? [b, a] : [a, b];
    const loop = this.tables.sweep;
    const [fraction, point, normal] = this.scope(() => {
      const numbers = [first.core, second.core, first.beside, second.beside, this.reserve(loop.memory)];
      const given = { vectors: swap ? motions.map((x) => -x) : motions, numbers };
      return this.#over(loop.pairs, first, second, swap ? turned(pairs) : pairs, [1, 3, 3], given);
    });
    if (!swap) return { fraction, point, normal };
    const way = (k) => motions[motions.length > 3 ? k : k % 3];
    const there = point.map((x, k) => x + fraction[Math.floor(k / 3)] * way(k));
    return { fraction, point: there, normal: normal.map((x) => 0 - x) };
  }

  /**
   * Return the tree over boxes, by their corners: three numbers each, all finite. It stays in memory, as shapes do.
   *
   * A tree finds what may touch; whether it does, `touches` tells. A tree over as many boxes that is of no use any more
   * can be given, for its memory.
   */
  tree(lower, upper, old = null) {
    const { build, leaf, block, frame, work, widening } = this.tables.tree;
    const count = lower.length / 3;
    const starts = levels(count, leaf);
    const order = Array.from({ length: leaf * starts[2] }, (_, k) => (k < count ? k : -1));
    if (old && old.count !== count) throw new Error(`the old tree must have ${count} boxes, got ${old.count}`);
    const blocks = (block / 2) * starts[starts.length - 1]; // of numbers of four bytes
    const sizes = [blocks, order.length, starts.length, frame, lower.length, upper.length];
    const addresses = old?.addresses ?? sizes.map((size) => this.reserve(size));
    const tree = { count, leaves: starts[2], addresses };
    this.integers(order, addresses[1]);
    this.integers(starts, addresses[2]);
    this.stored(lower, addresses[4]);
    this.stored(upper, addresses[5]);
    this.scope(() => {
      const memory = [this.integers(this.curve), this.reserve(work[0] + work[1] * count)];
      this.run(build, 0, 0, 0, count, ...tree.addresses, ...memory, widening); // all stages of it
    });
    return tree;
  }

  /** Return the pairs of boxes of a tree that overlap, or are no farther apart than a margin: i, j, i, j and so on. */
  pairs(tree, margin = 0) {
    const { pairs, widening } = this.tables.tree;
    return this.#found(pairs, tree, [0, tree.leaves, ...tree.addresses, widening, margin * (1 + widening)]);
  }

  /**
   * Return which volumes meet which boxes of a tree, or are no farther apart than a margin: volume, box, volume, box.
   *
   * Volumes are "boxes" (lower and upper corners), "lines" (origins, directions, and the distances at which they start:
   * 0 for a ray, -Infinity for a line), "half_spaces" (points, normals) or "swept" boxes (corners, and their ways).
   */
  met(tree, volumes, arrays, margin = 0) {
    const { met, widening } = this.tables.tree;
    return this.scope(() => {
      const [one, other, more = 0] = arrays.map((array) => this.stored(array));
      const given = [0, arrays[0].length / 3, one, other, more, widening, margin * (1 + widening), ...tree.addresses];
      return this.#found(met[volumes], tree, given);
    });
  }

  /**
   * Return the pairs that touch or overlap among all shapes of some batches, in order: i, j, i, j, with i less than j.
   *
   * Shapes are numbered batch after batch. All of them have an end: no rays, lines and half-spaces.
   */
  collidingPairs(batches) {
    const { pairs, memory } = this.tables.scene;
    const starts = [0];
    for (const shapes of batches) starts.push(starts[starts.length - 1] + shapes.count);
    const count = starts[starts.length - 1];
    return this.scope(() => {
      const entries = [
        this.integers(batches.map((shapes) => shapes.core)),
        this.integers(starts),
        this.table(batches.map((shapes) => shapes.operands)),
        this.table(batches.map((shapes) => shapes.strides)),
        this.integers(batches.map(({ beside }) => beside / NUMBER)), // as numbers are counted from address 0 on
        0,
      ];
      const curve = this.integers(this.curve);
      for (let capacity = 2 * count + 64; ; ) {
        const work = this.reserve(Math.ceil(memory[0] + memory[1] * capacity + memory[2] * count));
        const found = this.reserve(2 * capacity);
        const total = count && this.run(pairs, count, capacity, ...entries, work, curve, found);
        if (total >= 0) return this.#pairsAt(found, total);
        capacity = -total;
      }
    });
  }

  /** Run a search in a tree, and once more with memory for all where there are more pairs than one would think. */
  #found(search, tree, given) {
    return this.scope(() => {
      const guess = 16 * tree.leaves + 64;
      let address = this.reserve(2 * guess);
      const total = tree.count ? this.run(search, ...given, address, guess) : 0;
      if (total > guess) this.run(search, ...given, (address = this.reserve(2 * total)), total);
      return this.#pairsAt(address, total);
    });
  }

  /** Return a copy of pairs in memory, which are low and high halves there. */
  #pairsAt(address, total) {
    const halves = new Int32Array(this.exports.memory.buffer, address, 4 * total);
    return Int32Array.from({ length: 2 * total }, (_, k) => halves[2 * k]);
  }

  /** Run one of the loops of two cores, which take the lower core first. */
  #both(question, a, b, pairs, widths, numbers = []) {
    if (a.core > b.core) [a, b, pairs] = [b, a, turned(pairs)];
    return this.#over(this.tables.pairs[`${a.core} ${b.core}`][question], a, b, pairs, widths, { numbers });
  }

  /** Run a loop over pairs, and return copies of what it stored: so many numbers a pair in each array. */
  #over(loop, a, b, pairs, widths, { numbers = [], vectors = null, before = () => {} } = {}) {
    return this.scope(() => {
      const count = pairs ? pairs.length / 2 : Math.min(a.count, b.count) && Math.max(a.count, b.count);
      const column = (first) => (pairs ? this.integers(pairs.filter((_, k) => k % 2 === first)) : 0);
      const index = [column(0), column(1)];
      const more = vectors ? this.table([this.stored(vectors)]) : 0;
      const step = this.integers([vectors && vectors.length > 3 ? 3 : 0]);
      const addresses = widths.map((width) => this.reserve(width * count));
      const out = this.table(addresses);
      const given = [a.operands, a.strides, index[0], b.operands, b.strides, index[1], more, step, out];
      before(addresses, count);
      this.run(loop, 0, count, pairs ? 1 : 0, ...given, ...numbers);
      return addresses.map((address, k) => this.floats(address, widths[k] * count).slice());
    });
  }
}

/** Return how many levels a tree of so many boxes has, and where the blocks of each begin; the last is the end. */
function levels(count, leaf) {
  const starts = [0];
  for (let blocks = Math.max(Math.ceil(count / leaf), 1); ; blocks = Math.ceil(blocks / leaf)) {
    starts.push(starts[starts.length - 1] + blocks);
    if (blocks === 1) return [starts.length - 1, ...starts];
  }
}

/** Return pairs the other way round. */
function turned(pairs) {
  return pairs && pairs.map((_, k) => pairs[k ^ 1]);
}

/** Return the table of a curve for two octants, one in the other, from that for one. */
function twice(one) {
  return Array.from({ length: 8 * one.length }, (_, k) => {
    const [first, second] = [one[k >> 3], one[(one[k >> 3] & ~7) | (k & 7)]];
    return 8 * (first & 7) + (second & 7) + 64 * (second >> 3);
  });
}
