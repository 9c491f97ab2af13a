// The page: holds what is seen and selected, and has it drawn when anything of it has changed.
import { load } from "./collision.mjs";
import { asFragment, asPython, asToml, fromFragment } from "./copies.mjs";
import { Missing, numbersOf, unpacked, unpackedJson } from "./data.mjs";
import { Document, turnedRow, turns } from "./document.mjs";
import { handleMarks, handlesOf } from "./handles.mjs";
import { Hands } from "./hands.mjs";
import { Labels } from "./labels.mjs";
import { closeMarks, flagsOf, marksOf, normalScale, remade, squareOf, thinMarks, withoutRepeats } from "./marks.mjs";
import { Card, PairTable, showLegend, Strip } from "./panels.mjs";
import { solidOf, Stage } from "./stage.mjs";
import { add, dot, mean, range, scaled, sub, turnAbout, View } from "./vectors.mjs";
import { World } from "./world.mjs";

/** All entries are named in a scene of so few, and all elements of so few; else those that collide, up to so many. */
const [FEW, MANY] = [12, 24];

/** A picture that takes no longer than this, in milliseconds, is drawn finer when all is still. */
const QUICK = 60;

/** As a part of its size, how far from a floor something may be that stands on it; how flat and how wide a floor is. */
const [HAIR, FLAT, WIDE] = [1e-6, 0.25, 0.8];

const isInside = (pixel, { width, height }) => pixel && pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] <= width && pixel[1] <= height;

class App {
  constructor(element, facts, collision, { onchange, alone, few, bare }) {
    this.root = element.shadowRoot;
    this.at = (id) => this.root.getElementById(id);
    this.onchange = onchange;
    this.alone = alone;
    this.bare = bare;
    this.few = few;
    this.facts = facts;
    this.more = { marks: [], labels: [] };
    this.at("page").classList.toggle("few", few);
    this.canvas = this.at("canvas");
    const began = performance.now();
    this.world = new World(collision, facts);
    this.startTime = performance.now() - began; // what it took to find all pairs
    this.doc = new Document(this.world, facts);
    const [ground, shadows] = ["Ground", "Shadows"].map((is) => facts.picture.records.find((record) => record.is === is));
    this.ground = ground ?? null;
    this.shadowed = (shadows?.floors ?? []).slice(0, 3);
    this.grid = ground?.spacing ?? 1;
    this.shows = facts.shows.map((show) => ({ ...show, ...marksOf(show.records), elements: this.elementsOf(show.names) }));
    this.squares = new Map();
    for (const group of facts.groups.filter(({ squares }) => squares)) {
      const numbers = numbersOf(group.squares);
      group.elements.forEach((element, k) => this.squares.set(element, [...numbers.subarray(7 * k, 7 * k + 7)]));
    }
    this.solids = this.world.elements.filter((element) => solidOf(this.world.kind(element), this.doc.row(element)));
    this.solidNumber = new Map(this.solids.map((element, k) => [element, k]));
    this.thin = this.world.elements.filter((element) => !this.solidNumber.has(element));
    const { elements, names } = this.world;
    const single = elements.filter((element) => !names[element].includes("[") || elements.length <= FEW);
    this.alwaysNamed = single.filter((element) => facts.entries.length <= FEW || this.world.kind(element) === "Point");
    this.selected = new Set();
    this.flags = new Uint8Array(this.world.names.length);
    this.hovered = null;
    this.mode = "Move";
    this.handles = [];
    this.hot = null; // the handle under the pointer, or in hand
    this.pair = null;
    this.nearest = null;
    this.view = this.opening = new View(facts.camera, 1, 1);
    this.extent = this.wholeBox();
    const boxes = this.world.boxes(this.world.elements);
    this.floors = new Set(this.world.elements.filter((element, k) => this.looksLikeFloor(element, boxes[k])));
    this.labels = new Labels(this.at("labels"));
    this.table = new PairTable(this);
    this.card = new Card(this);
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark.onchange = () => this.restyle();
    [this.awake, this.released] = [true, false]; // whether it is in sight; whether its context can be brought again
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      setTimeout(() => {
        this.released = true;
        if (this.awake) this.stage.open();
      });
    });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.released = false;
      this.openStage();
    });
    this.openStage();
    this.strip = new Strip(this);
    this.hands = new Hands(this);
    this.buttons();
    this.watching = new ResizeObserver(() => this.resize());
    this.watching.observe(this.canvas.parentElement);
    this.sight = new IntersectionObserver((seen) => (seen.at(-1).isIntersecting ? this.wake() : this.sleep()));
    this.sight.observe(element);
    this.resize();
    if (this.alone) {
      this.follow();
      addEventListener("hashchange", () => this.follow());
    }
    this.changed();
  }

  restyle() {
    const { themes } = this.facts;
    this.theme = themes[""] ?? themes[this.dark.matches ? "dark" : "light"];
    for (const [name, color] of Object.entries(this.theme.css)) this.at("page").style.setProperty(name, color);
    this.stage.setTheme(this.theme);
    if (this.hands) this.changed();
  }

  /** Have all drawn from now on, with a context of WebGL that knows nothing yet. */
  openStage() {
    const size = 2 ** Math.round(Math.log2(this.reachOf(this.facts.picture.origin)));
    this.stage = new Stage(this.canvas, this.facts.picture.origin, size);
    this.stage.ground = this.ground;
    this.stage.floors = this.shadowed;
    this.stage.setSolids(this.solids.map((element) => this.solid(element)));
    this.restyle();
  }

  /** Give the context of WebGL back, of which a browser has few, and leave the picture. */
  sleep() {
    this.awake = false;
    if (this.stage.lost) return;
    this.strip.stop();
    this.draw(1);
    this.at("held").style.backgroundImage = `url(${this.canvas.toDataURL()})`;
    this.at("held").hidden = false;
    this.stage.close();
  }

  wake() {
    this.awake = true;
    if (this.stage.lost && this.released) this.stage.open();
  }

  buttons() {
    const { facts } = this;
    const title = facts.title || "A scene";
    this.at("title").textContent = title;
    this.canvas.setAttribute("aria-label", facts.caption ? `${title}. ${facts.caption}` : title);
    this.at("link").hidden = !this.alone || location.protocol === "about:"; // a frame has no address
    this.at("panels").hidden = this.bare;
    this.at("caption").textContent = facts.caption;
    this.at("caption").hidden = !facts.caption;
    this.at("count").onclick = () => this.table.open(!this.table.isOpen);
    this.at("undo").onclick = () => this.undo();
    this.at("redo").onclick = () => this.redo();
    this.at("fit").onclick = () => this.fit();
    this.at("turn").onclick = (event) => [...this.selected].forEach((element) => this.turn(element, event.shiftKey ? 0 : 2, Math.PI / 12));
    const copies = { link: () => this.link(), toml: () => asToml(facts, this.world, this.doc), python: () => asPython(facts, this.world, this.doc) };
    for (const [id, text] of Object.entries(copies)) this.at(id).onclick = () => this.copy(text(), id);
    this.at("save").onclick = () => this.save();
  }

  /** End it: another scene can be mounted where it was. */
  close() {
    this.strip.stop();
    this.watching.disconnect();
    this.sight.disconnect();
    this.dark.onchange = null;
    clearTimeout(this.later);
    cancelAnimationFrame(this.frame);
    this.frame = 0; // nothing is drawn from now on
    this.awake = false;
    this.stage.close();
    this.root.replaceChildren(document.createElement("slot"));
  }

  // --- what is asked about the scene --------------------------------------------------------------------------------

  elementsOf(names) {
    const { world } = this;
    return names.flatMap((name) => world.elements.filter((element) => world.names[element] === name || world.names[element].startsWith(`${name}[`)));
  }

  fields(element) {
    return this.world.fields(this.world.kind(element));
  }

  solid(element) {
    return solidOf(this.world.kind(element), this.doc.row(element));
  }

  /** Return the corners of the boxes around elements, of what has an end. */
  corners(elements) {
    const boxes = this.world.boxes(elements).filter((box) => box.flat().every(Number.isFinite));
    return boxes.flatMap((box) => Array.from({ length: 8 }, (_, k) => [0, 1, 2].map((axis) => box[(k >> axis) & 1][axis])));
  }

  wholeBox() {
    const boxes = this.world.boxes(this.world.ended.flatMap(({ elements }) => elements));
    const sides = [0, 1].map((side) => [0, 1, 2].map((axis) => range(boxes.map((box) => box[side][axis]))[side]));
    return boxes.length ? sides : [[-1, -1, -1], [1, 1, 1]];
  }

  looksLikeFloor(element, [lower, upper]) {
    const kind = this.world.kind(element);
    if (kind === "HalfSpace") return true;
    if (kind !== "AABB" && kind !== "OrientedBox") return false;
    const [half, whole] = [[lower, upper], this.extent].map(([low, high]) => scaled(sub(high, low), 0.5));
    return half[2] <= FLAT * Math.min(half[0], half[1]) && half[0] >= WIDE * whole[0] && half[1] >= WIDE * whole[1] && half.some((x, k) => x !== whole[k]);
  }

  isFloor(element) {
    return this.floors.has(element);
  }

  /** Whether a solid stands on the ground or on a floor: then a drag leaves it there. */
  stands(element) {
    if (!this.solidNumber.has(element)) return false;
    const [lower, upper] = this.world.box(element);
    const size = Math.max(...sub(upper, lower), 1e-30);
    const levels = [...this.floors].filter((floor) => floor !== element).map((floor) => (this.world.kind(floor) === "HalfSpace" ? this.levelOf(floor) : this.world.box(floor)[1][2]));
    if (this.ground) levels.push(this.ground.z);
    return this.isFloor(element) || levels.some((level) => Math.abs(lower[2] - level) <= HAIR * size);
  }

  levelOf(floor) {
    const row = this.doc.row(floor);
    return row[5] === 1 ? row[2] : NaN;
  }

  /** Whether a point of an element is in the picture: a half-space is drawn as a square. */
  isDrawn(element, point) {
    const square = this.squares.get(element);
    if (!square) return true;
    const { center, x, y } = squareOf(this.doc.row(element), square);
    const off = sub(point, center);
    return Math.abs(dot(off, x)) <= dot(x, x) && Math.abs(dot(off, y)) <= dot(y, y);
  }

  contactOf(i, j) {
    return this.world.contacts.get(this.world.key(i, j)) ?? this.world.records([[i, j]])[0];
  }

  // --- changes --------------------------------------------------------------------------------------------------------

  preview(rows) {
    this.moved(this.doc.preview(rows));
  }

  commit() {
    this.doc.commit();
    this.settled();
  }

  cancel() {
    this.moved(this.doc.cancel());
    this.settled();
  }

  change(rows) {
    this.moved(this.doc.change(rows));
    this.settled();
  }

  undo() {
    this.moved(this.doc.undo());
    this.settled();
  }

  redo() {
    this.moved(this.doc.redo());
    this.settled();
  }

  go(moment) {
    this.moved(this.doc.go(moment));
    this.strip.show();
  }

  turn(element, axis, angle) {
    const { world, doc } = this;
    if (!turns(world.kind(element))) return this.say(`${world.names[element]} cannot be turned: it is of kind ${world.kindName(element)}`);
    const turn = turnAbout([0, 1, 2].map((k) => +(k === axis)), angle);
    this.change([[element, turnedRow(this.fields(element), doc.row(element), turn)]]);
  }

  /** Follow elements that have other numbers now. */
  moved(elements) {
    for (const element of elements) {
      const number = this.solidNumber.get(element);
      if (number !== undefined) this.stage.setSolid(number, this.solid(element));
    }
    this.repaint();
    this.onchange(this, false);
  }

  /** A change is done, and no longer in hand. */
  settled() {
    this.changed();
    this.onchange(this, true);
  }

  /** Paint flags, marks and texts anew. */
  repaint() {
    const { world } = this;
    const faded = this.pair ? new Set(this.pair) : null;
    this.flags = flagsOf(world, { selected: this.selected, hovered: this.hovered, faded });
    this.stage.setFlags(Uint8Array.from(this.solids, (element) => this.flags[element]));
    this.dirty = true;
    this.redraw();
  }

  /** Paint all anew, and all panels. */
  changed() {
    this.repaint();
    this.nearest = this.selected.size === 1 && !this.pair ? this.world.nearest([...this.selected][0]) : null;
    this.at("undo").disabled = !this.doc.past.length;
    this.at("redo").disabled = !this.doc.future.length;
    this.at("turn").hidden = ![...this.selected].some((element) => turns(this.world.kind(element)));
    this.strip.show();
  }

  // --- what is selected and looked at ---------------------------------------------------------------------------------

  select(elements) {
    this.pair = null;
    this.selected = new Set(elements);
    this.changed();
  }

  /** Shift the view, where the card has just covered what it is about. */
  uncover(elements) {
    this.card.show();
    const pixels = this.corners(elements).map((point) => this.view.pixelOf(point)).filter(Boolean);
    const [low, high] = range(pixels.map(([, y]) => y));
    const [, top, , bottom] = this.room(0.03);
    const shift = Math.max(bottom - high, Math.min(top - low, 0));
    if (pixels.length && high > bottom && shift < 0) this.look(this.view.pan(0, shift));
  }

  click(element, more) {
    if (element === null) return this.select([]);
    const kept = more ? new Set(this.selected) : new Set();
    if (more && kept.has(element)) kept.delete(element);
    else kept.add(element);
    this.select([...kept]);
    if (kept.size === 1 && this.narrow) this.uncover([...kept]);
    this.say(`${this.world.names[element]} is selected`, true);
  }

  selectNext(step) {
    const { elements, names } = this.world;
    if (!elements.length) return;
    const now = elements.indexOf([...this.selected][0]);
    const next = elements[(((now < 0 ? (step > 0 ? 0 : -1) : now + step) % elements.length) + elements.length) % elements.length];
    this.select([next]);
    this.say(`${names[next]} is selected`);
  }

  hover(element) {
    const floor = element !== null && this.isFloor(element) && !this.selected.has(element);
    const found = floor ? null : element;
    this.canvas.style.cursor = found === null ? "default" : "grab";
    if (found === this.hovered) return;
    this.hovered = found;
    this.repaint();
  }

  /** Look at two shapes from near; all others are faded. */
  showPair(i, j) {
    this.pair = [i, j];
    this.selected = new Set([i, j]);
    this.changed();
    this.card.show();
    this.look(this.view.framed(this.corners([i, j]), this.room(0.2)));
  }

  fit() {
    this.look(this.view.framed(this.subject(), this.room(0.06)));
  }

  /** The corners of what a picture is about: of all but floors. */
  subject() {
    const { elements } = this.world;
    const points = this.corners(elements.filter((element) => !this.isFloor(element)));
    if (!points.length) return this.corners(elements);
    const shown = this.shows.filter(({ query }) => query !== "meeting").flatMap(({ marks }) => marks.flatMap(({ points: dots, start, end, about }) => dots ?? (about ? [] : [...start, ...end])));
    return [...points, ...shown];
  }

  /** Whether panels are a column over the picture, and not beside its middle. */
  get narrow() {
    return !this.few && this.root.host.clientWidth <= 720;
  }

  /** Where panels are, as boxes in pixels of the canvas. */
  panels() {
    const { left, top } = this.canvas.getBoundingClientRect();
    const boxes = [...this.root.querySelectorAll(".panel:not(.quiet)")].map((panel) => panel.getBoundingClientRect());
    return boxes.filter(({ width }) => width).map((box) => [box.left - left, box.top - top, box.right - left, box.bottom - top]);
  }

  /** Return the edges, in pixels, of the part of the picture that panels leave free, within a margin. */
  room(margin) {
    const { width, height } = this.view;
    const gap = margin * Math.min(width, height);
    const boxes = this.narrow ? this.panels() : [];
    const top = Math.max(0, ...boxes.filter((box) => box[1] < 0.3 * height && box[3] < 0.6 * height).map((box) => box[3]));
    const bottom = Math.min(height, ...boxes.filter((box) => box[3] > 0.7 * height && box[1] > top + 0.2 * height).map((box) => box[1]));
    return [gap, top + gap, width - gap, bottom - gap];
  }

  setMode(mode) {
    this.mode = mode;
    this.changed();
  }

  /** Have a handle stand out. */
  point(handle) {
    const number = this.handles.indexOf(handle);
    if ((number < 0 ? null : number) === this.hot) return;
    this.hot = number < 0 ? null : number;
    if (handle) this.canvas.style.cursor = "grab";
    this.dirty = true;
    this.redraw();
  }

  look(view) {
    this.view = view;
    this.dirty = true;
    this.redraw();
  }

  // --- drawing --------------------------------------------------------------------------------------------------------

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    const first = this.view === this.opening; // nobody has looked elsewhere yet
    if (first) this.view = new View(this.facts.camera, 1, 1);
    const seen = first && this.view.resized(this.facts.aspect * height, height);
    this.view = this.view.resized(width, height);
    if (first && width / height < this.facts.aspect) {
      this.changed();
      this.texts(0); // panels are as large as they will be
      const points = this.subject().filter((point) => isInside(seen.pixelOf(point), seen));
      if (this.narrow || !points.every((point) => isInside(this.view.pixelOf(point), this.view))) this.view = this.filled(points);
    }
    if (first) this.opening = this.view;
    this.dirty = true;
    this.draw(1);
    this.redraw();
  }

  /** See in a narrow picture what that of the file sees, as large as it can be: from another side where that is much. */
  filled(points) {
    const room = this.room(0.06);
    const straight = this.view.framed(points, room);
    if (this.few) return straight; // the text beside it says what lies to the right
    if (this.view.parallel || points.length > 2000) return straight;
    const sides = [-60, -45, -30, 30, 45, 60].flatMap((azimuth) => [0, 15].map((elevation) => this.view.turned(azimuth, elevation).framed(points, room)));
    const size = (view) => view.pixelAt(view.camera.target);
    const best = sides.reduce((found, view) => (size(view) < size(found) ? view : found));
    return size(best) < 0.8 * size(straight) ? best : straight;
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (this.dirty) {
        this.dirty = false;
        this.draw(1);
        this.texts(1);
        clearTimeout(this.later);
        this.later = setTimeout(() => this.rest(), 150);
      }
    });
  }

  /** All is still: draw finer, and place all texts. */
  rest() {
    if (this.drawTime < QUICK) this.draw(2);
    this.texts(Infinity);
  }

  /** Draw; finer when all is still. */
  draw(finer) {
    const { canvas, view, stage } = this;
    if (stage.lost) return;
    const began = performance.now();
    const ratio = finer * Math.min(devicePixelRatio || 1, 2);
    const [wide, high] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    const side = Math.min(view.height, 0.9 * view.width);
    const unitSize = ratio * Math.max(side / 960, Math.min(0.8, side / 480));
    const { marks, labels } = this.marksNow();
    this.texted = labels;
    const pixels = normalScale(view.width, view.height, ratio) / ratio;
    stage.marks = marks.map((mark) => (mark.about ? { ...mark, pixels } : mark));
    stage.reach = this.reachOf(stage.origin);
    stage.draw(view, unitSize);
    this.at("held").hidden = true;
    this.drawAxes();
    this.drawTime = performance.now() - began;
  }

  /** Draw where the axes of the world point; the nearest last. */
  drawAxes() {
    const { right, up, forward } = this.view;
    const colors = ["axis-x", "axis-y", "axis-z"].map((role) => `rgb(${this.theme.styles[role].color})`);
    const axes = [0, 1, 2].sort((a, b) => forward[b] - forward[a]);
    const lines = axes.map((k) => `<g stroke="${colors[k]}" fill="${colors[k]}"><path d="M0 0L${22 * right[k]} ${-22 * up[k]}"/><text x="${30 * right[k]}" y="${-30 * up[k]}">${"xyz"[k]}</text></g>`);
    this.at("axes").innerHTML = lines.join("");
  }

  /** Return how far from an origin there is anything to see. */
  reachOf(origin) {
    const { extent, ground } = this;
    const far = Math.max(...extent.map((corner) => Math.hypot(...sub(corner, origin))));
    const floor = ground ? Math.hypot(...sub([...ground.center, ground.z], origin)) + 1.5 * ground.half_size : 0;
    const moved = Math.max(0, ...[...this.doc.edits.values()].map(({ row }) => Math.hypot(...sub(row.slice(0, 3), origin)) + far));
    return 1.1 * Math.max(far, floor, moved) || 1;
  }

  /** Draw other marks, with labels, beside those of the scene, such as what a step of an explanation speaks of. */
  drawAlso(more) {
    this.more = more;
    this.dirty = true;
    this.redraw();
  }

  /** Tell no numbers, and nothing that answers a question, or tell them again. */
  veil(veiled) {
    this.veiled = veiled;
    this.at("page").classList.toggle("veiled", veiled);
    this.dirty = true;
    this.redraw();
  }

  /** Return the marks and the labels of the scene as it is. */
  marksNow() {
    const { world, doc, view, flags } = this;
    const marks = this.thin.flatMap((element) => thinMarks(world.kind(element), doc.row(element), flags[element], this.squares.get(element), view));
    marks.push(...this.more.marks);
    const labels = [...this.more.labels];
    for (const show of this.pair || this.veiled ? [] : this.shows) {
      const same = show.elements.every((element) => doc.row(element).every((x, k) => Object.is(x, doc.base(element, 0)[k])));
      const now = same ? show : show.elements.length === 2 && remade(show, this.contactOf(...show.elements));
      if (!now) continue;
      marks.push(...now.marks);
      labels.push(...now.labels);
    }
    const looked = this.pair ? this.contactOf(...this.pair) : this.selected.size === 1 ? this.nearest && world.nearest([...this.selected][0]) : null;
    if (looked) {
      const close = closeMarks(looked, Boolean(this.pair));
      marks.push(...close.marks);
      labels.push(close.label);
      if (!this.pair) this.nearest = looked;
    }
    this.handles = [];
    if (this.selected.size === 1 && !this.pair) {
      const [element] = this.selected;
      this.handles = handlesOf(this.mode, world.kind(element), this.fields(element), doc.row(element), view);
      marks.push(...handleMarks(this.handles, this.hot));
    }
    return { marks, labels: withoutRepeats(labels) };
  }

  /** Fill the panels, and place texts: those of names for which there is time, in milliseconds. */
  texts(time) {
    const { view, world } = this;
    this.table.show();
    this.card.show();
    showLegend(this);
    const texts = (this.texted ?? []).map(({ point, text }) => ({ pixel: view.pixelOf(point), text, name: false }));
    const [names, until] = [[], performance.now() + time];
    for (const element of this.named()) {
      if (performance.now() > until) break;
      names.push({ pixel: this.anchor(element), text: world.names[element], name: true });
    }
    this.labels.show([...texts, ...names], this.panels(), this.stage.marks.flatMap((mark) => this.boxesOf(mark)));
  }

  /** Return boxes, in pixels, of what a text had better not cover: dots, and what lies between two points. */
  boxesOf({ is, points, start, end, about, pixels }) {
    const box = ([x, y]) => [x - 5, y - 5, x + 5, y + 5];
    if (is === "Marker") return points.map((point) => this.view.pixelOf(point)).filter(Boolean).map(box);
    if (!start || start.length > 8) return [];
    return start.flatMap((tail, k) => {
      const size = about ? this.view.pixelAt(about[k]) * pixels : 1;
      const [a, b] = [tail, end[k]].map((point) => this.view.pixelOf(about ? add(about[k], point, size) : point));
      if (!a || !b) return [];
      return [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => box([0, 1].map((axis) => a[axis] + part * (b[axis] - a[axis]))));
    });
  }

  /** The elements whose names are written, the most important first. */
  named() {
    const { world } = this;
    const found = new Set([...this.selected, ...(this.hovered === null ? [] : [this.hovered])]);
    this.alwaysNamed.forEach((element) => found.add(element));
    for (const { i, j } of this.table.listed) {
      if (found.size >= MANY) break;
      found.add(i).add(j);
    }
    return [...found].filter((element) => !(this.flags[element] & 4));
  }

  /** Return a pixel at which an element is seen; null where it is hidden. */
  anchor(element) {
    const { world, view, doc } = this;
    const row = doc.row(element);
    const kind = world.kind(element);
    if (kind === "Point") return view.pixelOf(row);
    const solid = this.solid(element);
    const square = this.squares.get(element);
    const [center, way] = solid
      ? [solid.center, scaled(solid.axes[2], solid.half[2])]
      : square ? [squareOf(row, square).center, squareOf(row, square).x] : kind === "Segment" ? [mean(row.slice(0, 3), row.slice(3, 6)), scaled(sub(row.slice(3, 6), row.slice(0, 3)), 0.5)] : [add(row.slice(0, 3), row.slice(3, 6), 0.2 * view.distance), [0, 0, 0]];
    for (const part of [0, 0.5, -0.5, 0.9, -0.9]) {
      const pixel = view.pixelOf(add(center, way, part));
      if (pixel && this.hands.target(pixel)?.element === element) return pixel;
    }
    return null;
  }

  // --- what is taken along --------------------------------------------------------------------------------------------

  link() {
    const address = new URL(location.href);
    address.hash = asFragment(this.doc);
    return address.href;
  }

  /** Take the changes that the address holds. */
  follow() {
    try {
      const edits = fromFragment(location.hash, this.world, this.doc);
      if (edits) {
        this.doc.past.push(this.doc.edits);
        this.moved(this.doc.take(edits));
        this.settled();
      }
    } catch (error) {
      this.say(error.message);
    }
  }

  async copy(text, what) {
    const words = { link: "The link is copied", toml: "The scene is copied as TOML", python: "The scene is copied as Python" }[what];
    this.copied = text;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea"); // where a page may not write to the clipboard itself
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) return this.say("This browser lets no page copy; the address bar has the link after a reload");
    }
    this.at("take").open = false;
    return this.say(words);
  }

  save() {
    this.draw(2);
    const link = document.createElement("a");
    link.download = `${this.facts.title || "scene"}.png`;
    link.href = this.canvas.toDataURL("image/png");
    link.click();
    this.at("take").open = false;
    this.say("The picture is saved");
  }

  say(text, quiet = false) {
    const place = this.at("said");
    place.classList.toggle("quiet", quiet);
    place.textContent = text;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => (place.textContent = ""), 6000);
  }
}

/** Return kernels of their own, in memory of their own. */
async function kernels() {
  if (typeof WebAssembly === "undefined") throw new Missing("WebAssembly, which decides what collides, is refused here");
  const bytes = await unpacked(KERNELS);
  try {
    return await load(bytes, TABLES);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new Missing("WebAssembly, which decides what collides, is refused here");
  }
}

/**
 * Show a scene in an element, which has a size of its own, and return the page; null where the browser lacks what it
 * takes: then the element's children stay, such as a picture of the scene, and its last paragraph says what is missing.
 *
 * @param {Element} element what it holds is seen until the scene is alive
 * @param {object} facts of the scene, as `facts.py` writes them
 * @param {object} options `onchange(page, done)` is called after each change of shapes and of the moment, in hand and
 *   `done`; `alone` is for a page that is of this scene alone, which has its keys and its address; with `few` there are
 *   few panels, for where a text beside the scene says the rest, and one that is `bare` has none
 */
export async function mount(element, facts, { onchange = () => {}, alone = false, few = false, bare = false } = {}) {
  const say = (words) => {
    const place = element.querySelector("p:last-of-type") ?? element.appendChild(document.createElement("p"));
    place.textContent = words;
  };
  say("One moment ...");
  try {
    const collision = await kernels();
    (element.shadowRoot ?? element.attachShadow({ mode: "open" })).innerHTML = `<style>${STYLE}</style>${PANELS}`;
    return new App(element, facts, collision, { onchange, alone, few, bare });
  } catch (error) {
    if (element.shadowRoot) element.shadowRoot.innerHTML = "<slot></slot>";
    const known = error instanceof Missing;
    say(`This is a picture of the scene${known ? ": " : "; the page has a fault: "}${error.message}.`);
    if (known) return null;
    throw error;
  }
}

/** Show the scenes that lie packed in this document, each in the element that names it. */
export async function main() {
  const places = [...document.querySelectorAll("[data-scene]")];
  for (const place of places) {
    const facts = await unpackedJson(document.getElementById(place.dataset.scene).textContent);
    const page = await mount(place, facts, { alone: places.length === 1 });
    globalThis.page ??= page; // to try things in the browser's console
  }
}
