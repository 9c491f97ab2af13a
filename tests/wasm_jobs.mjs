// What tests ask of the module, in Node.js as in a browser: `answered` answers jobs with numbers.

function ask(collision, question, shapes, extra) {
  const [a, b] = shapes;
  if (question === "collidingPairs") return collision.collidingPairs(shapes);
  if (question === "contacts") return contactsOf(collision, a, b, ...extra);
  if (question === "moved") return moved(collision, shapes, ...extra);
  if (question === "tree") return treeOf(collision, a, b, ...extra);
  return collision[question](a, b, ...extra);
}

// Pairs of the bounds of a; which of them the lines b meet, and which those of b in motion along them.
function treeOf(collision, a, b, margin) {
  const { lower, upper } = collision.bounds(a);
  const tree = collision.tree(lower, upper);
  const [origins, directions] = [0, 3].map((first) => b.numbers.filter((_, k) => k % 6 >= first && k % 6 < first + 3));
  const lines = collision.met(tree, "lines", [origins, directions, new Float64Array(b.count)], margin);
  const ends = [origins, origins.map((x) => x + 1)];
  const boxes = collision.met(tree, "boxes", ends, margin);
  const swept = collision.met(tree, "swept", [...ends, directions], margin);
  const sides = collision.met(tree, "half_spaces", [origins, directions], margin);
  return [collision.pairs(tree, margin), lines, boxes, swept, sides];
}

// What there is to know of those pairs that are near: the numbers of the pairs come first.
function contactsOf(collision, a, b, pairs, margin) {
  const { near, ...parts } = collision.contacts(a, b, pairs, margin);
  const listed = pairs.filter((_, k) => near[k >> 1]);
  const width = (part) => part.length / near.length;
  return [listed, ...Object.values(parts).map((part) => part.filter((_, k) => near[Math.floor(k / width(part))]))];
}

// The elements that touch the first of all, in each of some places, one after the other, as a drag asks for them.
function moved(collision, batches, rows) {
  const boxes = batches.map((shapes) => collision.bounds(shapes));
  const corners = (side) => Float64Array.from(boxes.flatMap((box) => [...box[side]]));
  const old = collision.tree(corners("upper"), corners("upper"));
  const tree = collision.tree(corners("lower"), corners("upper"), old);
  const [first] = batches;
  const found = [];
  for (let k = 0; k < rows.length; k += first.width) {
    first.numbers.set(rows.subarray(k, k + first.width));
    collision.scope(() => {
      const one = first.element(0);
      const { lower, upper } = collision.bounds(one);
      const met = collision.met(tree, "boxes", [lower, upper]).filter((_, place) => place % 2);
      let start = 0;
      for (const shapes of batches) {
        const own = [...met].filter((other) => other && other >= start && other < start + shapes.count).sort((a, b) => a - b);
        const touches = collision.touches(one, shapes, own.flatMap((other) => [0, other - start]));
        found.push(...own.filter((_, place) => touches[place]));
        start += shapes.count;
      }
    });
    found.push(-1);
  }
  return Float64Array.from(found);
}

function timed(work, repeats) {
  let [best, result] = [Infinity, null];
  for (let k = 0; k < repeats; k++) {
    const start = performance.now();
    result = work();
    best = Math.min(best, performance.now() - start);
  }
  return [result, best / 1e3];
}

/** Answer jobs, of which `numbers` reads the arrays by their names: all numbers of each answer, and its seconds. */
export async function answered(load, bytes, tables, { repeats, jobs }, numbers) {
  const answers = [];
  for (const job of jobs) {
    const collision = await load(bytes, tables); // new memory for each, which grows as it needs
    const shapes = job.shapes.map(([kind, name, beside]) => {
      return collision.shapes(kind, numbers(name), beside ? { numbers: numbers(beside) } : {});
    });
    const extra = job.extra.map((value) => (typeof value === "string" ? numbers(value) : value));
    const [answer, seconds] = timed(() => ask(collision, job.question, shapes, extra), repeats);
    const parts = ArrayBuffer.isView(answer) ? [answer] : Object.values(answer);
    const all = new Float64Array(parts.reduce((count, part) => count + part.length, 0));
    parts.reduce((start, part) => (all.set(part, start), start + part.length), 0);
    answers.push({ all, seconds });
  }
  return answers;
}
