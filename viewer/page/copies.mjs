// What a reader takes along: a link with the changes, the scene as TOML or as Python.
import { wrongWith } from "./document.mjs";
import { add, product, rotated, sub, transposed } from "./vectors.mjs";
import { counted } from "./words.mjs";

/** Return a number as both TOML and Python read it, to the last bit. */
function written(x) {
  if (Object.is(x, -0)) return "-0.0";
  return Number.isInteger(x) && Math.abs(x) < 1e15 ? `${x}.0` : String(x).replace("e+", "e");
}

/** Return numbers in lists as deep as their axes. */
function nested(numbers, axes) {
  if (!axes.length) return written(numbers[0]);
  const each = numbers.length / axes[0];
  const part = (k) => nested(numbers.slice(k * each, (k + 1) * each), axes.slice(1));
  const parts = Array.from({ length: axes[0] }, (_, k) => part(k));
  return `[${parts.join(", ")}]`;
}

const AXES = { axes: [3, 3], radius: [] };

/** Return the fields of an entry at a moment as text, all its elements one after the other. */
function* fieldsOf(world, doc, first, axes, moment) {
  const elements = Array.from({ length: axes.reduce((all, axis) => all * axis, 1) }, (_, k) => first + k);
  const fields = world.fields(world.kind(first));
  const has = world.beside(first).points;
  if (has) {
    const points = elements.map((element) => pointsNow(world, doc, element, moment));
    let { length } = points[0];
    // Beside hulls of more points the last one is repeated.
    while (length > 1 && points.every((own) => `${own[length - 1]}` === `${own[length - 2]}`)) length--;
    yield ["points", nested(points.flatMap((own) => own.slice(0, length)).flat(), [...axes, length, 3])];
  }
  for (const [name, [start, length]] of Object.entries(fields).filter(([name]) => !has || name === "radius")) {
    const numbers = elements.map((element) => doc.row(element, moment).slice(start, start + length));
    yield [name, nested(numbers.flat(), [...axes, ...(AXES[name] ?? [3])])];
  }
}

/** Return the points of a hull where it is at a moment. */
function pointsNow(world, doc, element, moment) {
  const points = world.beside(element).points;
  const [was, is] = [doc.rest.get(element), doc.row(element, moment)];
  const { middle: [at], axes: [turn] } = world.fields(world.kind(element));
  const [from, to] = [was, is].map((row) => row.slice(at, at + 3));
  const [before, now] = [was, is].map((row) => row.slice(turn, turn + 9));
  const stays = now.every((x, k) => x === before[k]);
  const way = product(now, transposed(before));
  const moved = (point) => (stays ? add(point, sub(to, from)) : add(to, rotated(way, sub(point, from))));
  return Array.from({ length: points.length / 3 }, (_, k) => moved([...points.subarray(3 * k, 3 * k + 3)]));
}

/** Yield the entries of a scene, each with the number of its first element. */
function* entriesOf(facts) {
  let first = 0;
  for (const [name, axes] of facts.entries) {
    yield [name, axes, first];
    first += axes.reduce((all, axis) => all * axis, 1);
  }
}

/** Return the scene as the text of a scene file, with the changes in it: at rest, as the motion is in it, too. */
export function asToml(facts, world, doc) {
  const changed = new Set(doc.changed);
  let text = facts.toml;
  for (const [name, axes, first] of entriesOf(facts)) {
    const count = axes.reduce((all, axis) => all * axis, 1);
    if (![...changed].some((element) => element >= first && element < first + count)) continue;
    const key = /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name).replaceAll("\x7f", "\\u007f");
    const header = `[shapes.${key}]\n`;
    const start = text.startsWith(header) ? 0 : text.indexOf(`\n${header}`) + 1;
    const end = text.indexOf("\n\n[", start);
    const kind = text.slice(start).match(/^kind = .*$/m)[0];
    const lines = [...fieldsOf(world, doc, first, axes, doc.atRest)].map(([field, value]) => `${field} = ${value}`);
    text = text.slice(0, start) + [header.trimEnd(), kind, ...lines].join("\n") + (end < 0 ? "\n" : text.slice(end));
  }
  return text;
}

/** Return the shapes as they are now as Python that makes them. */
export function asPython(facts, world, doc) {
  const kinds = new Set();
  const lines = [];
  for (const [name, axes, first] of entriesOf(facts)) {
    if (!world.place.has(first)) continue; // hidden, or none
    const kind = world.kind(first);
    kinds.add(kind);
    const values = [...fieldsOf(world, doc, first, axes)].map(([, value]) => value);
    lines.push(`    ${JSON.stringify(name)}: ${kind}(${values.join(", ")}),`);
  }
  const known = ["Scene", ...[...kinds].sort()].join(", ");
  return [`from collision import ${known}`, "", "scene = Scene({", ...lines, "})", ""].join("\n");
}

/** Return the command that opens a robot as it is now. */
export function asCommand({ all, command, edits }) {
  const changed = all.filter(({ name }) => edits.has(name));
  const words = changed.map(({ name, unit, slides }) => {
    const [value] = edits.get(name).row;
    const degrees = +(value / unit).toPrecision(12);
    return `${name}=${!slides && degrees * unit === value ? `${degrees}deg` : value}`;
  });
  const quoted = (word) => (/^[\w.=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return [command, ...words.map((word) => `--joint ${quoted(word)}`)].join(" ");
}

/** Return the Python that loads a robot as it is now. */
export function asPose(joints) {
  const own = joints.all.filter((joint) => joint.leader === joint);
  const values = own.map((joint) => `${JSON.stringify(joint.name)}: ${written(joints.value(joint))}`);
  return `from collision.importers import load_model\n\nrobot = ${joints.loads}.at({${values.join(", ")}})\n`;
}

/** Return the changes as the fragment of an address. */
export function asFragment(doc) {
  if (!doc.edits.size) return "";
  const exact = (x) => (Object.is(x, -0) ? "-0" : x);
  const edits = [...doc.edits].map(([element, { row, moment }]) => [element, moment, ...row.map(exact)]);
  return `#edits=${encodeURIComponent(JSON.stringify(edits))}`;
}

/** Return the changes that a fragment holds; an error says in words what is wrong with it. */
export function fromFragment(text, doc) {
  const found = text.match(/^#edits=(.*)$/s);
  if (!found) return null;
  let given;
  try {
    given = JSON.parse(decodeURIComponent(found[1]));
  } catch {
    throw new Error("the link is broken: expected changes as a copied link has them");
  }
  if (!Array.isArray(given)) throw new Error("the link is broken: expected a list of changes");
  const edits = new Map();
  for (const one of given) {
    const [element, moment, ...numbers] = Array.isArray(one) ? one : [];
    const { rest, times, world } = doc;
    const joint = doc.joints?.byName.get(element);
    const known = joint || (rest.has(element) && !doc.isRigid(element));
    if (!known) throw new Error(`the link is of another scene: nothing there is called ${element}`);
    const [row, wide, moments] = [numbers.map(Number), rest.get(element)?.length ?? 1, Math.max(times.length, 1)];
    let wrong = joint ? "" : wrongWith({ ...doc.kindOf(element), row });
    if (!row.every(Number.isFinite)) wrong ||= "expected finite numbers";
    const isMoment = Number.isInteger(moment) && moment >= 0 && moment < moments;
    if (!isMoment) wrong ||= `expected a moment of the motion, got ${moment}`;
    if (row.length !== wide) wrong = `expected ${counted(wide, "number")}, got ${row.length}`;
    if (wrong) throw new Error(`the link is broken: ${joint ? element : world.names[element]}: ${wrong}`);
    edits.set(element, { row, moment });
  }
  return edits;
}
