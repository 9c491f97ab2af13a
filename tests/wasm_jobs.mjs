// What tests ask of the module, in Node.js as in a browser: `answered` answers jobs with numbers.

function ask(collision, question, shapes, extra) {
  const [a, b] = shapes;
  if (question === "collidingPairs") return collision.collidingPairs(shapes);
  if (question === "tree") return treeOf(collision, a, b, ...extra);
  if (question !== "distance") return collision[question](a, b, ...extra);
  return Float64Array.from({ length: a.count }, (_, k) => collision.distance(a, k, b, k)); // one by one
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
    const shapes = job.shapes.map(([kind, name]) => collision.shapes(kind, numbers(name)));
    const extra = job.extra.map((value) => (typeof value === "string" ? numbers(value) : value));
    const [answer, seconds] = timed(() => ask(collision, job.question, shapes, extra), repeats);
    const parts = ArrayBuffer.isView(answer) ? [answer] : Object.values(answer);
    const all = new Float64Array(parts.reduce((count, part) => count + part.length, 0));
    parts.reduce((start, part) => (all.set(part, start), start + part.length), 0);
    answers.push({ all, seconds });
  }
  return answers;
}
