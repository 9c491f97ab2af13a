// The texts around the picture, as HTML for all hands, eyes and ears. Names are text, never markup.
import { anglesOf } from "./vectors.mjs";
import { counted, gap, isRounding, number, sizeOf } from "./words.mjs";
import { shownAs, withAngles, wrongWith } from "./document.mjs";
import { MODES } from "./handles.mjs";
import { FLAGS } from "./marks.mjs";

/** So many rows a table shows at most. */
const MOST_ROWS = 200;

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

const cssOf = (rgb) => `rgb(${rgb.join(" ")})`;

/** Return the sign of a role or of a flag. */
function swatch(theme, key) {
  const sign = made("span", { class: "swatch", "aria-hidden": "true" });
  const paint = theme.paints[key];
  if (paint) {
    sign.style.background = paint.stripe
      ? `repeating-linear-gradient(135deg, ${cssOf(paint.stripe)} 0 ${2 * (paint.stripe_width ?? 1)}px, ${cssOf(paint.color)} 0 4px)`
      : cssOf(paint.color);
  } else {
    const style = theme.styles[key];
    sign.classList.add(style.sign);
    sign.style.background = style.dashed ? `repeating-linear-gradient(90deg, ${cssOf(style.color)} 0 4px, transparent 0 6px)` : cssOf(style.color);
  }
  return sign;
}

/** The table of pairs that touch. */
export class PairTable {
  constructor(app) {
    this.app = app;
    const { at } = app;
    this.sorting = "distance";
    this.way = 1;
    this.filter = "";
    this.listed = [];
    this.isOpen = !app.narrow && app.root.host.clientHeight > 480;
    for (const button of at("list").querySelectorAll("[data-sort]")) {
      button.onclick = () => {
        this.way = this.sorting === button.dataset.sort ? -this.way : 1;
        this.sorting = button.dataset.sort;
        this.show();
      };
    }
    at("filter").querySelector("input").oninput = (event) => {
      this.filter = event.target.value.trim().toLowerCase();
      this.show();
    };
  }

  /** Show the rows, or only how many pairs there are. */
  open(isOpen) {
    this.isOpen = isOpen;
    this.show();
  }

  /** Return the pairs in the order of the table. */
  sorted() {
    const { names, contacts } = this.app.world;
    const key = { a: (c) => names[c.i], b: (c) => names[c.j], distance: (c) => c.distance }[this.sorting];
    const has = (element) => names[element].toLowerCase().includes(this.filter);
    const kept = [...contacts.values()].filter(({ i, j }) => !this.filter || has(i) || has(j));
    const order = (x, y) => (x < y ? -this.way : x > y ? this.way : 0);
    return kept.sort((a, b) => order(key(a), key(b)) || a.i - b.i || a.j - b.j);
  }

  show() {
    const { at, world, theme, pair } = this.app;
    let touching = 0;
    for (const contact of world.contacts.values()) touching += contact.touching;
    const { size } = world.contacts;
    const colliding = size - touching;
    const beside = touching ? `, ${touching.toLocaleString("en-US")} touching` : "";
    const words = colliding ? `${counted(colliding, "colliding pair")}${beside}` : touching ? counted(touching, "touching pair") : "no collisions";
    const shown = `${theme.background} ${words}`;
    if (this.shown !== shown) at("count").replaceChildren(...(size ? [swatch(theme, colliding ? FLAGS.HIT : FLAGS.TOUCHING)] : []), words);
    this.shown = shown;
    at("count").disabled = !size;
    at("count").setAttribute("aria-expanded", String(this.isOpen));
    at("list").hidden = !size || !this.isOpen;
    at("filter").hidden = size < 8 && !this.filter;
    for (const button of at("list").querySelectorAll("[data-sort]")) {
      const own = button.dataset.sort === this.sorting;
      button.parentElement.setAttribute("aria-sort", own ? (this.way > 0 ? "ascending" : "descending") : "none");
    }
    this.listed = this.sorted();
    const body = at("rows").querySelector("tbody");
    const rows = this.listed.slice(0, MOST_ROWS);
    while (body.rows.length > rows.length) body.lastChild.remove();
    rows.forEach((contact, k) => this.fill(body.rows[k] ?? body.appendChild(this.row()), contact, pair));
    const { length } = this.listed;
    at("note").textContent = this.app.facts.note;
    at("note").hidden = !this.app.facts.note || this.app.narrow;
    at("more").textContent = length > MOST_ROWS ? `the first ${MOST_ROWS} of ${length.toLocaleString("en-US")}` : this.filter && !length ? "none has this in its name" : "";
  }

  /** Return a row of which `fill` says what it is about. */
  row() {
    const row = made("tr", {}, ...[0, 1].map(() => made("td", {}, made("button", { type: "button" }))), made("td"));
    row.onclick = () => this.app.showPair(row.contact.i, row.contact.j);
    return row;
  }

  fill(row, contact, pair) {
    const chosen = String(Boolean(pair && pair[0] === contact.i && pair[1] === contact.j));
    if (row.ariaSelected !== chosen) row.ariaSelected = chosen;
    if (row.contact === contact) return;
    row.contact = contact;
    const { names } = this.app.world;
    [contact.i, contact.j].forEach((element, k) => {
      const button = row.cells[k].firstChild;
      if (button.title !== names[element]) button.title = button.textContent = names[element];
    });
    row.cells[2].textContent = contact.touching ? "touching" : number(contact.distance, sizeOf(contact.onA, contact.onB));
  }
}

/** Show what the colours mean, of those that are in the picture. */
export function showLegend({ at, facts, theme, flags, stage: { marks } }) {
  const roles = new Set(marks.map((mark) => mark.role));
  const seen = facts.legend.filter(([key]) => (typeof key === "number" ? flags.some((flag) => flag & key) : roles.has(key)));
  const rows = new Map(seen.map(([key, text]) => [text, key]).reverse());
  const order = [...new Set(seen.map(([, text]) => text))];
  const shown = `${theme.background} ${order}`;
  if (at("legend").dataset.shown === shown) return;
  at("legend").dataset.shown = shown;
  at("legend").replaceChildren(...order.map((text) => made("li", {}, swatch(theme, rows.get(text)), text)));
  at("legend").hidden = !order.length;
}

/** The card of what is selected: every number can be typed. */
export class Card {
  constructor(app) {
    this.app = app;
    this.shown = null;
    app.at("card").onkeydown = (event) => {
      if (event.key === "Escape") app.select([]);
    };
  }

  show() {
    const { app } = this;
    const { selected, pair } = app;
    const card = app.at("card");
    const key = pair ? `pair ${pair}` : selected.size === 1 ? [...selected].join() : "";
    card.hidden = !key;
    if (!key) {
      this.shown = null;
      return;
    }
    if (this.shown !== key) {
      card.replaceChildren();
      this.shown = key;
      this.inputs = [];
      if (pair) this.makePair(card);
      else this.make(card, [...selected][0]);
    }
    if (pair) this.fillPair();
    else this.fill([...selected][0]);
  }

  make(card, element) {
    const { app } = this;
    const fields = app.fields(element);
    const modes = Object.entries(MODES).map(([key, mode]) => made("button", { type: "button", title: `${mode} (${key})`, "data-mode": mode, onclick: () => app.setMode(mode) }, mode));
    const head = made("div", { class: "head" }, made("h2", { title: app.world.names[element] }, app.world.names[element], made("small", {}, app.world.kindName(element))), made("span", { role: "group", "aria-label": "What the handles do" }, ...modes));
    card.append(head);
    for (const [name, [start, length]] of Object.entries(fields)) {
      const turning = name === "axes";
      const [label, factor] = shownAs(name);
      const set = made("fieldset", {}, made("legend", {}, made("span", {}, label)));
      for (let k = 0; k < (turning ? 3 : length); k++) {
        const axis = length === 1 ? "" : ` ${"xyz"[k]}`;
        const input = made("input", { inputmode: "text", autocomplete: "off", "aria-label": `${label}${axis}${turning ? " in degrees" : ""}` });
        const own = { input, read: turning ? (row) => anglesOf(row.slice(start, start + 9))[k] : (row) => factor * row[start + k], name, start, k, turning };
        input.onchange = () => this.type(element, own);
        input.onkeydown = (event) => {
          if (event.key === "Enter") this.type(element, own);
          if (event.key === "Escape") {
            this.fill(element, true);
            event.stopPropagation();
            input.blur();
          }
        };
        this.inputs.push(own);
        set.append(input);
      }
      card.append(set);
    }
    this.wrong = made("p", { class: "wrong", role: "alert" });
    this.near = made("p");
    card.append(this.wrong, this.near);
  }

  fill(element, all = false) {
    if (all) this.wrong.textContent = "";
    const row = this.app.doc.row(element);
    const size = sizeOf(row);
    for (const { input, read } of this.inputs) {
      if (!all && input === this.app.root.activeElement && input.dataset.typed) continue;
      input.value = isRounding(read(row), size) ? "0" : String(+read(row).toPrecision(6));
      delete input.dataset.typed;
      input.setAttribute("aria-invalid", "false");
      input.oninput = () => (input.dataset.typed = "yes");
    }
    for (const button of this.app.at("card").querySelectorAll("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === this.app.mode));
    }
    const nearest = this.app.nearest;
    this.near.replaceChildren();
    if (nearest) {
      const { i, j, distance, touching, onA, onB } = nearest;
      const other = i === element ? j : i;
      const look = made("button", { type: "button", onclick: () => this.app.showPair(i, j) }, this.app.world.names[other]);
      this.near.append("nearest: ", look, ` ${gap(distance, sizeOf(onA, onB), touching)}`);
    }
  }

  /** Take a number that was typed, or say what is wrong with it. */
  type(element, { input, name, start, k, turning }) {
    if (!input.dataset.typed) return;
    const { app } = this;
    const kind = app.world.kind(element);
    const fields = app.world.fields(kind);
    const text = input.value.trim().replace("\u2212", "-").replace(",", ".");
    const value = text === "" ? NaN : Number(text);
    const [label, factor] = shownAs(name);
    let row = app.doc.row(element);
    let wrong = Number.isFinite(value) ? "" : `${label}: expected a number, got ${input.value.trim() || "nothing"}`;
    if (!wrong) {
      if (turning) {
        const angles = anglesOf(row.slice(start, start + 9));
        angles[k] = value;
        row = withAngles(fields, row, angles);
      } else if (name === "direction" || name === "normal") {
        row[start + k] = value;
        const long = Math.hypot(...row.slice(start, start + 3));
        for (let n = start; n < start + 3; n++) row[n] /= long;
      } else {
        row[start + k] = value / factor;
      }
      wrong = wrongWith(kind, fields, row);
    }
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    this.wrong.textContent = wrong;
    if (wrong) return;
    delete input.dataset.typed;
    app.change([[element, row]]);
  }

  makePair(card) {
    this.rows = made("dl");
    this.title = made("h2");
    card.append(this.title, this.rows, made("button", { type: "button", onclick: () => this.app.select([]) }, "Show all again"));
  }

  fillPair() {
    const { world, pair } = this.app;
    const contact = this.app.contactOf(...pair);
    const { onA, onB, distance, normal, touching } = contact;
    const scale = sizeOf(onA, onB);
    this.title.textContent = `${world.names[pair[0]]} \u00b7 ${world.names[pair[1]]}`;
    const three = (vector, size) => vector.map((x) => number(x, size, 6)).join("  ");
    const told = [["", gap(distance, scale, touching)], ["normal", three(normal, 1)], [`on ${world.names[pair[0]]}`, three(onA, scale)], [`on ${world.names[pair[1]]}`, three(onB, scale)]];
    this.rows.replaceChildren(...told.flatMap(([what, text]) => [made("dt", {}, what), made("dd", {}, text)]));
  }
}

/** The strip of a motion. */
export class Strip {
  constructor(app) {
    this.app = app;
    const { at, doc } = app;
    this.record = app.facts.picture.records.find((record) => record.is === "Timeline");
    at("strip").hidden = !doc.times.length;
    at("page").classList.toggle("moves", doc.times.length > 0);
    if (!doc.times.length) return;
    const scrub = at("scrub");
    scrub.max = String(doc.times.length - 1);
    scrub.oninput = () => {
      this.stop();
      app.go(Number(scrub.value));
    };
    at("play").onclick = () => (this.playing ? this.stop() : this.play());
    const [start, stop] = [doc.times[0], doc.times.at(-1)];
    const rows = (this.record?.rows ?? []).map(({ pair, intervals }) => {
      const bar = made("i", { "aria-hidden": "true" });
      for (const { begin, end, touching } of intervals) {
        const piece = made("b", touching ? { class: "touching" } : {});
        piece.style.left = `${(100 * (begin - start)) / (stop - start)}%`;
        piece.style.width = `${(100 * (end - begin)) / (stop - start)}%`;
        bar.append(piece);
      }
      const words = intervals.map(({ begin, end, touching }) => `${number(begin)} to ${number(end)} s${touching ? ", touching" : ""}`).join("; ");
      return made("li", { title: words }, made("span", {}, `${pair[0]} \u00b7 ${pair[1]}`), bar);
    });
    if (this.record?.more) rows.push(made("li", {}, `and ${this.record.more} more`));
    at("intervals").replaceChildren(...rows);
  }

  play() {
    const { app } = this;
    const { times } = app.doc;
    if (app.doc.moment === times.length - 1) app.go(0);
    const [from, began] = [app.doc.time, performance.now()];
    app.at("play").textContent = "\u275a\u275a";
    app.at("play").setAttribute("aria-label", "Pause");
    const step = () => {
      const time = from + (performance.now() - began) / 1000;
      let moment = app.doc.moment;
      while (moment < times.length - 1 && times[moment + 1] <= time) moment++;
      if (moment !== app.doc.moment) app.go(moment);
      if (moment === times.length - 1) this.stop();
      else this.playing = requestAnimationFrame(step);
    };
    this.playing = requestAnimationFrame(step);
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.app.at("play").textContent = "\u25b6";
    this.app.at("play").setAttribute("aria-label", "Play");
  }

  show() {
    const { at, doc } = this.app;
    if (!doc.times.length) return;
    at("scrub").value = String(doc.moment);
    at("scrub").setAttribute("aria-valuetext", `${number(doc.time)} s`);
    at("time").textContent = `${number(doc.time)} s`;
    at("stale").hidden = !doc.edits.size;
  }
}
