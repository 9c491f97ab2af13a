// The texts around the picture, as HTML for all hands, eyes and ears. Names are text, never markup.
import { anglesOf, DEGREE, sub, unit } from "./vectors.mjs";
import { counted, gapOf, isRounding, number, sizeOf } from "./words.mjs";
import { changedRow, PLACES, shownAs, WAYS, withAngles, wrongWith } from "./document.mjs";
import { MODES } from "./handles.mjs";
import { FLAGS } from "./marks.mjs";

/** So many rows a table shows at most; in a list of so few there is nothing to filter. */
const [MOST_ROWS, FEW_ROWS] = [200, 8];

/** Return an element with texts and elements in it. */
function made(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...inside);
  return element;
}

const button = (text, onclick, attributes = {}) => made("button", { type: "button", onclick, ...attributes }, text);

/** Set a text, where it is another one: what stays is not read out again. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return the sign of a role or of a flag. */
function swatch({ paints, styles }, key) {
  const css = (rgb) => `rgb(${rgb.join(" ")})`;
  const { stripe, stripe_width: wide = 1, color } = paints[key] ?? {};
  const { sign = "", dashed } = styles[key] ?? {};
  const own = css(color ?? styles[key].color);
  let background = own;
  if (stripe) background = `repeating-linear-gradient(135deg, ${css(stripe)} 0 ${2 * wide}px, ${own} 0 4px)`;
  if (dashed) background = `repeating-linear-gradient(90deg, ${own} 0 4px, transparent 0 6px)`;
  const element = made("span", { class: `swatch ${sign}`, "aria-hidden": "true" });
  element.style.background = background;
  return element;
}

/** Return a row of a list: what it is about, and what there is of it. */
const lineOf = (name, inside, attributes = {}) => made("li", attributes, made("span", { title: name }, name), ...inside);

/** Return a number as it was typed; NaN where that is none. */
const typedNumber = (text) => (text === "" ? NaN : Number(text.replace("\u2212", "-").replace(",", ".")));

/**
 * Return the input of a number, and what shows it; what is being typed stays. `read()` returns the number and what its
 * rounding is relative to, `take(value)` takes another one, or says in words why not.
 */
function numberInput(app, wrong, { label, title, read, take, digits = 6 }) {
  const input = made("input", { inputmode: "text", autocomplete: "off", "aria-label": title });
  const show = () => {
    if (input === app.root.activeElement && input.value !== input.defaultValue) return;
    const [value, scale] = read();
    input.value = input.defaultValue = isRounding(value, scale) ? "0" : String(+value.toPrecision(digits));
    input.ariaInvalid = "false";
  };
  input.onchange = () => {
    if (input.value === input.defaultValue) return;
    const typed = input.value.trim();
    const value = typedNumber(typed);
    const is = Number.isFinite(value);
    wrong.textContent = is ? take(value) : `${label}: expected a number, got ${typed || "nothing"}`;
    input.ariaInvalid = String(wrong.textContent !== "");
    if (!wrong.textContent) input.defaultValue = input.value;
  };
  input.onkeydown = (event) => {
    if (event.key === "Enter") input.onchange();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    input.value = input.defaultValue;
    wrong.textContent = "";
    show();
    input.blur();
  };
  return { input, show };
}

/** What is in a panel that is opened and closed by its heading, and filtered by names. */
class List {
  constructor(app, id, isOpen) {
    const section = app.at(id);
    Object.assign(this, { app, isOpen, head: section.querySelector(".opens") });
    this.label = section.querySelector(".filter");
    this.search = this.label.querySelector("input");
    this.search.oninput = () => this.show();
    this.head.onclick = () => {
      this.isOpen = !this.isOpen;
      // In a narrow page there is room for one.
      for (const other of [app.table, app.joints]) if (other !== this && this.isOpen && app.narrow) other.isOpen = false;
      app.showPanels();
    };
  }

  /** Show what is open, of so many, and return what the names that are wanted have in them. */
  filter(count) {
    const filter = this.search.value.trim().toLowerCase();
    this.head.ariaExpanded = String(this.isOpen);
    this.head.nextElementSibling.hidden = !count || !this.isOpen;
    this.label.hidden = count < FEW_ROWS && !filter;
    return filter;
  }
}

/** The table of pairs that touch. */
export class PairTable extends List {
  constructor(app) {
    super(app, "pairs", !app.narrow && app.root.host.clientHeight > 480);
    [this.sorting, this.way] = ["distance", 1];
    this.listed = []; // the pairs, in the order of the table
    this.heads = [...app.at("list").querySelectorAll("[data-sort]")];
    for (const head of this.heads) {
      head.onclick = () => {
        [this.sorting, this.way] = [head.dataset.sort, this.sorting === head.dataset.sort ? -this.way : 1];
        this.show();
      };
    }
  }

  show() {
    const { at, world: { contacts, names }, theme } = this.app;
    const pairs = [...contacts.values()];
    const touching = pairs.filter((contact) => contact.touching).length;
    const colliding = pairs.length - touching;
    const beside = colliding && touching ? `, ${touching.toLocaleString("en-US")} touching` : "";
    const words = colliding ? `${counted(colliding, "colliding pair")}${beside}` : counted(touching, "touching pair");
    const shown = `${theme.background} ${words}`;
    if (this.shown !== shown) {
      const sign = pairs.length ? [swatch(theme, colliding ? FLAGS.HIT : FLAGS.TOUCHING)] : [];
      at("count").replaceChildren(...sign, pairs.length ? words : "no collisions");
    }
    this.shown = shown;
    const filter = this.filter(pairs.length);
    at("count").disabled = !pairs.length || this.app.few;
    for (const head of this.heads) {
      const order = this.way > 0 ? "ascending" : "descending";
      head.parentElement.ariaSort = head.dataset.sort === this.sorting ? order : "none";
    }
    const has = (element) => `${names[element]}\n${this.app.links.get(element) ?? ""}`.toLowerCase().includes(filter);
    const key = { a: ({ i }) => names[i], b: ({ j }) => names[j], distance: ({ distance }) => distance }[this.sorting];
    const order = (x, y) => this.way * ((x > y) - (x < y));
    this.listed = (filter ? pairs.filter(({ i, j }) => has(i) || has(j)) : pairs)
      .sort((a, b) => order(key(a), key(b)) || a.i - b.i || a.j - b.j);
    const { length } = this.listed;
    const none = filter && !length ? "none has this in its name" : "";
    say(at("more"), length > MOST_ROWS ? `the first ${MOST_ROWS} of ${length.toLocaleString("en-US")}` : none);
    const [body] = at("rows").querySelector("table").tBodies;
    const rows = this.listed.slice(0, MOST_ROWS);
    while (body.rows.length > rows.length) body.lastChild.remove();
    rows.forEach((contact, k) => this.fill(body.rows[k] ?? body.appendChild(this.row()), contact));
  }

  /** Return a row of which `fill` says what it is about. */
  row() {
    const names = [0, 1].map(() => made("td", {}, button("")));
    const row = made("tr", {}, ...names, made("td"));
    row.onclick = () => this.app.showPair(row.contact.i, row.contact.j);
    return row;
  }

  fill(row, contact) {
    const { pair, world } = this.app;
    row.ariaSelected = String(pair !== null && pair[0] === contact.i && pair[1] === contact.j);
    if (row.contact === contact) return;
    row.contact = contact;
    [contact.i, contact.j].forEach((element, k) => {
      const name = row.cells[k].firstChild;
      const link = this.app.links.get(element);
      name.title = world.names[element] + (link ? `, of the link ${link}` : "");
      say(name, world.names[element]);
    });
    const { touching, distance, onA, onB } = contact;
    say(row.cells[2], touching ? "touching" : number(distance, sizeOf(onA, onB)));
  }
}

/** Show what the colours mean, of those that are in the picture. */
export function showLegend({ at, facts, theme, flags, marks }) {
  const roles = new Set(marks.map((mark) => mark.role));
  const all = flags.reduce((some, flag) => some | flag, 0);
  const rows = new Map(); // of each text its first sign
  for (const [key, text] of facts.legend) {
    if ((typeof key === "number" ? all & key : roles.has(key)) && !rows.has(text)) rows.set(text, key);
  }
  const shown = `${theme.background} ${[...rows.keys()]}`;
  if (at("legend").dataset.shown === shown) return;
  at("legend").dataset.shown = shown;
  at("legend").replaceChildren(...[...rows].map(([text, key]) => made("li", {}, swatch(theme, key), text)));
  at("legend").hidden = !rows.size;
}

/**
 * Yield the fields on the card of a shape: what each is called, and its numbers, of which `read(shape, size)` returns
 * one with what its rounding is relative to, and `write(shape, value)` the numbers of the shape with another one.
 */
function* fieldsOn({ fields }) {
  for (const [name, [start, length]] of Object.entries(fields)) {
    const own = ({ row }) => row.slice(start, start + length);
    const changed = (numbers, k, value) => numbers.map((x, n) => (n === k ? value : x));
    const [label, factor] = shownAs(name);
    const numberOf = (k) => {
      if (name === "axes") {
        const read = (shape) => [anglesOf(own(shape))[k], 180];
        return { read, write: (shape, value) => withAngles(shape, changed(anglesOf(own(shape)), k, value)) };
      }
      const write = (shape, value) => {
        const made = changed(own(shape), k, value / factor);
        return changedRow(shape, (field, numbers) => (field !== name ? numbers : WAYS.has(name) ? unit(made) : made));
      };
      // A place is as exact as what is there is large; what was given as a size is no rounding.
      const scale = (shape, size) => (WAYS.has(name) ? 1 : PLACES.has(name) ? Math.min(size, sizeOf(own(shape))) : 0);
      return { read: (shape, size) => [factor * own(shape)[k], scale(shape, size)], write };
    };
    yield { label, numbers: Array.from({ length: name === "axes" ? 3 : length }, (_, k) => numberOf(k)) };
  }
}

/** The card of what is selected: every number can be typed. */
export class Card {
  constructor(app) {
    this.app = app;
    this.shown = "";
    this.fill = () => {}; // shows the numbers of what the card is about
    app.at("card").onkeydown = ({ key }) => {
      if (key === "Escape") app.select([]);
    };
  }

  show() {
    const { selected, pair, at } = this.app;
    const key = pair ? `pair ${pair}` : selected.size === 1 ? [...selected].join() : "";
    at("card").hidden = !key;
    if (this.shown !== key) {
      this.shown = key;
      at("card").replaceChildren(...(pair ? this.ofPair(...pair) : key ? this.ofShape([...selected][0]) : []));
    }
    if (key) this.fill();
  }

  ofShape(element) {
    const { app } = this;
    const { world, doc } = app;
    const [name, shape] = [world.names[element], doc.shape(element)];
    const modes = Object.entries(MODES).map(([key, mode]) => {
      return button(mode, () => app.setMode(mode), { title: `${mode} (${key})` });
    });
    const heading = made("h2", { title: name }, name, made("small", {}, world.kindName(element)));
    const group = made("span", { role: "group", "aria-label": "What the handles do" }, ...modes);
    group.hidden = doc.isRigid(element);
    const head = made("div", { class: "head" }, heading, group);
    const wrong = made("p", { class: "wrong", role: "alert" });
    const [look, gap] = [button("", () => app.showPair(app.nearest.i, app.nearest.j)), made("span")];
    const near = made("p", {}, "nearest: ", look, " ", gap);
    const inputs = [];
    const last = ({ label }) => label === "radius";
    const sets = [...fieldsOn(shape)].sort((a, b) => last(a) - last(b)).map(({ label, numbers }) => {
      const own = numbers.map((one, k) => {
        const title = `${label}${numbers.length > 1 ? ` ${"xyz"[k]}` : ""}${label === "rotation" ? " in degrees" : ""}`;
        const read = () => one.read(doc.shape(element), this.size);
        const take = (value) => {
          const old = doc.shape(element);
          const row = one.write(old, value);
          const fault = wrongWith({ ...old, row });
          if (!fault) doc.change([[element, row]]);
          return fault;
        };
        return numberInput(app, wrong, { label, title, read, take });
      });
      inputs.push(...own);
      return made("fieldset", {}, made("legend", {}, made("span", {}, label)), ...own.map(({ input }) => input));
    });
    this.fill = () => {
      this.size = Math.max(...sub(...world.box(element).reverse()));
      for (const { input, show } of inputs) {
        show();
        input.readOnly = doc.isRigid(element);
      }
      for (const one of modes) one.ariaPressed = String(one.textContent === app.mode);
      near.hidden = !app.nearest;
      if (!app.nearest) return;
      const { i, j } = app.nearest;
      say(look, world.names[i === element ? j : i]);
      say(gap, gapOf(app.nearest));
    };
    const [corners, faces, , dimension] = world.beside(element).numbers ?? [];
    const words = () => `${counted(corners, "corner")}, ${counted([0, 0, 2][dimension] ?? faces, "face")}`;
    return [head, ...(corners ? [made("p", {}, words())] : []), ...sets, wrong, near];
  }

  ofPair(i, j) {
    const { app } = this;
    const names = [i, j].map((element) => app.world.names[element]);
    const [heading, rows] = [made("h2", {}, names.join(" \u00b7 ")), made("dl")];
    this.fill = () => {
      const contact = app.contactOf(i, j);
      const [onA, onB] = i < j ? [contact.onA, contact.onB] : [contact.onB, contact.onA];
      const three = (vector, scale) => vector.map((x) => number(x, scale, 6)).join("  ");
      const size = sizeOf(onA, onB);
      const points = [["normal", contact.normal, 1], [`on ${names[0]}`, onA, size], [`on ${names[1]}`, onB, size]];
      const told = [["", gapOf(contact)], ...points.map(([what, vector, scale]) => [what, three(vector, scale)])];
      rows.replaceChildren(...told.flatMap(([what, text]) => [made("dt", {}, what), made("dd", {}, text)]));
    };
    return [heading, rows, button("Show all again", () => app.select([]))];
  }
}

/** How the line of a joint is marked that turns, and of one that slides. */
const SIGN = [{ class: "turns" }, {}];

/** The joints of a robot, each with a slider and a number to type, and its poses; along a trajectory they only tell. */
export class JointList extends List {
  constructor(app) {
    const { at, doc, facts: { along } } = app;
    super(app, "joints", !along || !app.narrow);
    at("joints").hidden = !doc.joints && !along;
    this.rows = along?.map((joint) => this.told(joint));
    if (doc.joints) this.begin(doc.joints);
    if (this.rows) at("joints").querySelector(".rows").append(...this.rows.map(({ line }) => line));
  }

  begin({ all, poses }) {
    const { app: { at, doc } } = this;
    this.reset = button("Reset", () => doc.reset());
    this.poses = poses.map(([name, values]) => {
      const rows = Object.entries(values).map(([number, value]) => [all[number].name, [value]]);
      const shown = button(name, () => doc.change(rows));
      shown.title = name;
      return { rows, shown };
    });
    at("poses").append(this.reset, ...this.poses.map(({ shown }) => shown));
    this.wrong = at("joints").querySelector(".wrong");
    this.rows = all.map((joint) => (joint.leader === joint ? this.row(joint) : this.follower(joint)));
  }

  /** Return the line of a joint that goes along a trajectory. */
  told(joint) {
    const { name, slides, values, limits } = joint;
    const [min, max] = [limits[0] ?? Math.min(...values), limits[1] ?? Math.max(...values)];
    const slider = made("input", { type: "range", min, max, step: "any", disabled: "", "aria-label": name });
    const value = made("output");
    const fill = (now) => {
      slider.value = String(now);
      say(value, number(slides ? now : now / DEGREE, 180, 4));
    };
    return { joint, line: lineOf(name, [slider, value], SIGN[+slides]), fill };
  }

  /** Return the line of a joint, and what shows its value. */
  row(joint) {
    const { app, app: { doc, doc: { joints } } } = this;
    const { name, unit, least, most, slides } = joint;
    const told = (value) => `${number(value / unit, 180, 4)}${slides ? "" : "\u00b0"}`;
    const between = [least, most].map((end) => (Number.isFinite(end) ? told(end) : "no limit"));
    const away = slides ? Math.max(...sub(...app.extent.toReversed()), 1) : Math.PI;
    const ends = { min: Number.isFinite(least) ? least : -away, max: Number.isFinite(most) ? most : away };
    const slider = made("input", { type: "range", ...ends, step: "any", "aria-label": name });
    slider.oninput = () => doc.preview([[name, [joints.tidy(joint, Number(slider.value))]]]);
    slider.onchange = () => doc.commit();
    const take = (typed) => {
      const value = typed * unit;
      if (!(value >= least && value <= most)) return `${name}: expected ${between.join(" to ")}, got ${typed}`;
      doc.change([[name, [value]]]);
      return "";
    };
    const read = () => [joints.value(joint) / unit, 180];
    const title = `${name}${slides ? "" : " in degrees"}`;
    const { input, show } = numberInput(app, this.wrong, { label: name, title, read, take, digits: 5 });
    const line = lineOf(name, [slider, input], { title: between.join(" to "), ...SIGN[+slides] });
    const fill = (value) => {
      slider.value = String(value);
      slider.setAttribute("aria-valuetext", told(value));
      show();
      input.ariaInvalid = String(value < least || value > most);
    };
    return { joint, line, fill };
  }

  follower(joint) {
    const value = made("output");
    const line = lineOf(joint.name, [made("small", {}, `follows ${joint.leader.name}`), value], SIGN[+joint.slides]);
    return { joint, line, fill: (now) => say(value, number(now / joint.unit, 180, 4)) };
  }

  show() {
    const { app: { doc, doc: { joints }, selected } } = this;
    if (!this.rows) return;
    say(this.head, counted(this.rows.length, "joint"));
    const filter = this.filter(this.rows.length);
    const movers = new Set(joints ? [...selected].map((element) => joints.mover(element)?.leader) : []);
    for (const row of this.rows) {
      const { joint: { name }, line } = row;
      line.hidden = !name.toLowerCase().includes(filter);
      const current = doc.held.includes(name) || movers.has(row.joint);
      if (current && line.ariaCurrent !== "true") line.scrollIntoView({ block: "nearest" });
      line.ariaCurrent = String(current);
      const value = joints ? joints.value(row.joint) : row.joint.values[doc.moment];
      if (row.shown !== value) row.fill(value);
      row.shown = value;
    }
    if (!joints) return;
    this.reset.disabled = !doc.edits.size;
    for (const { rows, shown } of this.poses) {
      shown.ariaPressed = String(rows.every(([name, [value]]) => joints.value(joints.byName.get(name)) === value));
    }
  }
}

/** The strip of a motion. */
export class Strip {
  constructor(app) {
    this.app = app;
    const { at, doc } = app;
    at("strip").hidden = !doc.times.length;
    at("page").classList.toggle("moves", doc.times.length > 0);
    if (!doc.times.length) return;
    const scrub = at("scrub");
    scrub.max = String(doc.times.length - 1);
    scrub.oninput = () => {
      this.stop();
      doc.go(Number(scrub.value));
    };
    at("play").onclick = () => (this.playing ? this.stop() : this.play());
    const [start, stop] = [doc.times[0], doc.times.at(-1)];
    const record = app.facts.picture.records.find(({ is }) => is === "Timeline");
    const rows = (record?.rows ?? []).map(({ pair, intervals }) => {
      const bar = made("i", { "aria-hidden": "true" });
      for (const { begin, end, touching } of intervals) {
        const piece = made("b", touching ? { class: "touching" } : {});
        piece.style.left = `${(100 * (begin - start)) / (stop - start)}%`;
        piece.style.width = `${(100 * (end - begin)) / (stop - start)}%`;
        bar.append(piece);
      }
      const words = intervals.map(({ begin, end, touching }) => {
        return `${number(begin)} to ${number(end)} s${touching ? ", touching" : ""}`;
      });
      return lineOf(`${pair[0]} \u00b7 ${pair[1]}`, [bar], { title: words.join("; ") });
    });
    if (record?.more) rows.push(made("li", {}, `and ${record.more} more`));
    at("intervals").replaceChildren(...rows);
  }

  play() {
    const { doc } = this.app;
    const last = doc.times.length - 1;
    if (doc.moment === last) doc.go(0);
    const [from, began] = [doc.time, performance.now()];
    const step = () => {
      const time = from + (performance.now() - began) / 1000;
      let { moment } = doc;
      while (moment < last && doc.times[moment + 1] <= time) moment++;
      if (moment !== doc.moment) doc.go(moment);
      if (moment === last) this.stop();
      else this.playing = requestAnimationFrame(step);
    };
    this.playing = requestAnimationFrame(step);
    this.app.redraw();
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.app.redraw();
  }

  show() {
    const { at, doc } = this.app;
    if (!doc.times.length) return;
    at("scrub").value = String(doc.moment);
    at("scrub").setAttribute("aria-valuetext", `${number(doc.time)} s`);
    at("time").textContent = `${number(doc.time)} s`;
    at("stale").hidden = !doc.edits.size;
    say(at("play"), this.playing ? "\u275a\u275a" : "\u25b6");
    at("play").ariaLabel = this.playing ? "Pause" : "Play";
  }
}
