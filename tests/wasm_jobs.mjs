// Does what tests ask: answers each job in the jobs.json of a folder with a file of numbers.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [script, module, folder] = process.argv.slice(2);
const { load } = await import(pathToFileURL(script));
const tables = JSON.parse(fs.readFileSync(path.join(module, "collision.json"), "utf8"));
const bytes = fs.readFileSync(path.join(module, "collision.wasm"));

function numbers(name) {
  const file = fs.readFileSync(path.join(folder, name));
  return new Float64Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length));
}

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

const seconds = [];
const { repeats, jobs } = JSON.parse(fs.readFileSync(path.join(folder, "jobs.json"), "utf8"));
for (const job of jobs) {
  const collision = await load(bytes, tables); // new memory for each, which grows as it needs
  const shapes = job.shapes.map(([kind, file]) => collision.shapes(kind, numbers(file)));
  const extra = job.extra.map((value) => (typeof value === "string" ? numbers(value) : value));
  const [answer, best] = timed(() => ask(collision, job.question, shapes, extra), repeats);
  const parts = ArrayBuffer.isView(answer) ? [answer] : Object.values(answer);
  const arrays = parts.map((array) => Float64Array.from(array));
  fs.writeFileSync(path.join(folder, job.answer), Buffer.concat(arrays.map((array) => Buffer.from(array.buffer))));
  seconds.push(best);
}
console.log(JSON.stringify(seconds));
