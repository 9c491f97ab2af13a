// The page: holds what is seen and selected, and has it drawn when anything of it has changed.
import { load } from "./collision.mjs";
import { asCommand, asFragment, asPose, asPython, asToml, fromFragment } from "./copies.mjs";
import { Missing, numbersOf, unpacked, unpackedJson } from "./data.mjs";
import { Document, turnedRow, turns } from "./document.mjs";
import { handleMarks, handlesOf } from "./handles.mjs";
import { Hands } from "./hands.mjs";
import { Labels } from "./labels.mjs";
import { closeMarks, FLAGS, flagsOf, inWorld, labelAt, marksOf, remade } from "./marks.mjs";
import { squareOf, thinMarks, withoutRepeats } from "./marks.mjs";
import { Card, JointList, PairTable, showLegend, Strip } from "./panels.mjs";
import { solidOf, Stage } from "./stage.mjs";
import { add, dot, mean, range, scaled, sub, turnAbout, View, WORLD } from "./vectors.mjs";
import { World } from "./world.mjs";

/** All entries are named in a scene of so few, and all elements of so few; else those that collide, up to so many. */
const [FEW, MANY] = [12, 24];

/** A picture that takes no longer than this, in milliseconds, is drawn finer when all is still. */
const QUICK = 60;

/** As a part of its size, how far from a floor something may be that stands on it; how flat and how wide a floor is. */
const [HAIR, FLAT, WIDE] = [1e-6, 0.25, 0.8];

/** What is so small in the picture of the file, in pixels, is brought near: far from the origin its camera is, too. */
const SPECK = 4;

/** From where else, in degrees, a narrow picture may be seen. */
const SIDES = [-60, -45, -30, 30, 45, 60].flatMap((azimuth) => [[azimuth, 0], [azimuth, 15]]);

const isInside = (pixel, { width, height }) => pixel?.slice(0, 2).every((x, k) => x >= 0 && x <= [width, height][k]);

class App {
  /** `options` are those of `mount`. */
  constructor(element, facts, collision, options) {
    Object.assign(this, options, { facts });
    this.root = element.shadowRoot;
    this.at = (id) => this.root.getElementById(id);
    this.canvas = this.at("canvas");
    const began = performance.now();
    this.world = new World(collision, facts);
    this.startTime = performance.now() - began; // what it took to find all pairs
    this.doc = new Document(this.world, facts, (elements) => this.moved(elements));
    const record = (is) => facts.picture.records.find((one) => one.is === is);
    this.ground = record("Ground") ?? null;
    this.shadowed = (record("Shadows")?.floors ?? []).slice(0, 3);
    this.grid = this.ground?.spacing ?? 1;
    this.shows = facts.shows.map((show) => {
      return { ...show, ...marksOf(show.records), elements: this.elementsOf(show.names) };
    });
    this.more = { marks: [], labels: [] }; // what is drawn beside the scene
    this.squares = new Map(); // that are drawn of half-spaces
    for (const { elements, squares } of facts.groups.filter((group) => group.squares)) {
      elements.forEach((one, k) => this.squares.set(one, [...numbersOf(squares).subarray(7 * k, 7 * k + 7)]));
    }
    /** The links of a robot that have shapes of other names, by these. */
    this.links = new Map((facts.robot?.links ?? []).flatMap(([link, own]) => own.map((element) => [element, link])));
    const { elements, names } = this.world;
    this.thin = elements.filter((one) => !this.solid(one) || this.world.isThin(one));
    const single = elements.filter((one) => !names[one].includes("[") || elements.length <= FEW);
    this.alwaysNamed = single.filter((one) => facts.entries.length <= FEW || this.world.kind(one) === "Point");
    this.selected = new Set();
    this.pair = null; // the two that are looked at
    this.hovered = null;
    this.mode = "Move";
    this.hot = -1; // the handle under the pointer, or in hand
    // What follows from these, as it was drawn: see `draw`.
    Object.assign(this, { flags: new Uint8Array(names.length), nearest: null, handles: [], marks: [], texts: [] });
    this.view = this.opening = new View(facts.camera, 1, 1);
    const boxes = this.world.boxes(elements);
    this.extent = this.wholeBox();
    this.floors = new Set(elements.filter((one, k) => this.looksLikeFloor(one, boxes[k])));
    this.labels = new Labels(this.at("labels"));
    this.table = new PairTable(this);
    this.joints = new JointList(this);
    this.card = new Card(this);
    this.strip = new Strip(this);
    this.hands = new Hands(this);
    this.buttons();
    this.live(element);
  }

  /** Have it drawn from now on: as large as it is, in the colours that a reader wants, while it is in sight. */
  live(element) {
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
    this.watching = new ResizeObserver(() => this.resize());
    this.watching.observe(this.canvas.parentElement);
    this.sight = new IntersectionObserver((seen) => (seen.at(-1).isIntersecting ? this.wake() : this.sleep()));
    this.sight.observe(element);
    this.resize();
    if (!this.alone) return;
    this.follow();
    addEventListener("hashchange", () => this.follow());
  }

  restyle() {
    const { themes } = this.facts;
    this.theme = themes[""] ?? themes[this.dark.matches ? "dark" : "light"];
    for (const [name, color] of Object.entries(this.theme.css)) this.at("page").style.setProperty(name, color);
    this.stage.setTheme(this.theme);
    this.redraw();
  }

  /** Have all drawn from now on, with a context of WebGL that knows nothing yet. */
  openStage() {
    const { facts: { picture: { origin } }, ground, shadowed: floors, world } = this;
    const size = 2 ** Math.round(Math.log2(this.reach(origin)));
    this.stage = new Stage(this.canvas, { origin, size, count: world.names.length, ground, floors });
    this.setSolids(world.elements);
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
    const { at, facts, world, doc, doc: { joints } } = this;
    const title = facts.title || "A scene";
    at("title").textContent = title;
    at("caption").textContent = facts.caption;
    at("note").textContent = facts.note;
    this.canvas.setAttribute("aria-label", facts.caption ? `${title}. ${facts.caption}` : title);
    at("page").classList.toggle("few", this.few);
    at("page").classList.toggle("alone", this.alone);
    at("panels").hidden = this.bare;
    at("caption").hidden = !facts.caption;
    at("link").hidden = !this.alone || location.protocol === "about:"; // a frame has no address
    if (joints) at("toml").textContent = "Copy as command";
    const actions = {
      undo: () => doc.undo(),
      redo: () => doc.redo(),
      fit: () => this.fit(),
      turn: (event) => this.turn(event.shiftKey ? 0 : 2, Math.PI / 12),
      link: () => this.copy(this.link(), "The link is copied"),
      toml: () => this.copy(...(joints ? [asCommand(joints), "The command is copied"] : [asToml(facts, world, doc), "The scene is copied as TOML"])),
      python: () => this.copy(joints ? asPose(joints) : asPython(facts, world, doc), "It is copied as Python"),
      save: () => this.save(),
    };
    for (const [id, action] of Object.entries(actions)) at(id).onclick = action;
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

  // --- what there is in the scene ------------------------------------------------------------------------------------

  elementsOf(names) {
    const { elements, names: all } = this.world;
    return names.flatMap((name) => elements.filter((one) => all[one] === name || all[one].startsWith(`${name}[`)));
  }

  solid(element) {
    return solidOf(this.world.kind(element), this.doc.row(element), this.world.beside(element).numbers);
  }

  /** Return an element without a surface; of a solid that has none, the segment that it is. */
  thinShape(element) {
    const { center, axes: [, , z] = [], half } = this.solid(element) ?? {};
    if (!center) return this.doc.shape(element);
    return { kind: "Segment", row: [...add(center, z, -half[2]), ...add(center, z, half[2])] };
  }

  /** Return the square that is drawn of a half-space. */
  square(element) {
    return squareOf(this.doc.row(element), this.squares.get(element));
  }

  /** Return the corners of the boxes around elements, of what has an end. */
  corners(elements) {
    const boxes = this.world.boxes(elements).filter((box) => box.flat().every(Number.isFinite));
    const corner = (box, k) => [0, 1, 2].map((axis) => box[(k >> axis) & 1][axis]);
    return boxes.flatMap((box) => Array.from({ length: 8 }, (_, k) => corner(box, k)));
  }

  wholeBox() {
    const boxes = this.world.boxes(this.world.numbered);
    if (!boxes.length) return [[-1, -1, -1], [1, 1, 1]];
    return [0, 1].map((side) => [0, 1, 2].map((axis) => range(boxes.map((box) => box[side][axis]))[side]));
  }

  looksLikeFloor(element, box) {
    const kind = this.world.kind(element);
    if (kind !== "AABB" && kind !== "OrientedBox") return kind === "HalfSpace";
    const [half, whole] = [box, this.extent].map(([lower, upper]) => scaled(sub(upper, lower), 0.5));
    const wide = half[0] >= WIDE * whole[0] && half[1] >= WIDE * whole[1];
    return wide && half[2] <= FLAT * Math.min(half[0], half[1]) && half.some((x, k) => x !== whole[k]);
  }

  /** Return how high the top of a floor is. */
  level(floor) {
    const [, , z, , , up] = this.doc.row(floor);
    if (this.world.kind(floor) === "HalfSpace") return up === 1 ? z : NaN;
    return this.world.box(floor)[1][2];
  }

  /** Whether a solid stands on the ground or on a floor: then a drag leaves it there. */
  stands(element) {
    if (!this.solid(element)) return false;
    if (this.floors.has(element)) return true;
    const [lower, upper] = this.world.box(element);
    const size = Math.max(...sub(upper, lower), 1e-30);
    const levels = [...this.floors].map((floor) => this.level(floor));
    return [...levels, this.ground?.z].some((level) => Math.abs(lower[2] - level) <= HAIR * size);
  }

  /** Whether a point of an element is in the picture: a half-space is drawn as a square. */
  isDrawn(element, point) {
    if (!this.squares.has(element)) return true;
    const { center, x, y } = this.square(element);
    const off = sub(point, center);
    return [x, y].every((side) => Math.abs(dot(off, side)) <= dot(side, side));
  }

  contactOf(i, j) {
    return this.world.contacts.get(this.world.key(i, j)) ?? this.world.records([[i, j]])[0];
  }

  // --- changes -------------------------------------------------------------------------------------------------------

  turn(axis, angle) {
    if (!this.loose.length) return;
    const shapes = this.loose.map((element) => [element, this.doc.shape(element)]);
    const turned = shapes.filter(([, { kind }]) => turns(kind));
    const [[first]] = shapes;
    const { names } = this.world;
    const why = `${names[first]} cannot be turned: it is of kind ${this.world.kindName(first)}`;
    if (!turned.length) return this.say(why);
    this.doc.change(turned.map(([element, shape]) => [element, turnedRow(shape, turnAbout(WORLD[axis], angle))]));
  }

  /** Follow elements that have other numbers now. */
  moved(elements) {
    this.setSolids(elements);
    this.redraw();
    this.onchange(this, this.doc.before === null);
  }

  setSolids(elements) {
    for (const element of elements) {
      const solid = this.solid(element);
      if (solid) this.stage.setSolid(element, solid);
    }
  }

  /** What is selected, but for a robot's shapes: its joints alone move them. */
  get loose() {
    return [...this.selected].filter((element) => !this.doc.isRigid(element));
  }

  // --- what is selected and looked at --------------------------------------------------------------------------------

  select(elements) {
    this.pair = null;
    this.selected = new Set(elements);
    this.redraw();
  }

  click(element, more) {
    if (element === null) return this.select([]);
    const kept = new Set(more ? this.selected : []);
    if (!kept.delete(element)) kept.add(element);
    this.select(kept);
    this.uncover();
    this.say(`${this.world.names[element]} is selected`, true);
  }

  selectNext(step) {
    const { elements, names } = this.world;
    if (!elements.length) return;
    const [first] = this.selected;
    const now = first === undefined ? Math.min(-step, 0) : elements.indexOf(first);
    const next = elements[(now + step + elements.length) % elements.length];
    this.select([next]);
    this.say(`${names[next]} is selected`);
  }

  hover(element) {
    const found = this.floors.has(element) && !this.selected.has(element) ? null : element;
    if (found === this.hovered) return;
    this.hovered = found;
    this.redraw();
  }

  /** Have a handle stand out. */
  point(handle) {
    const hot = this.handles.indexOf(handle);
    if (hot === this.hot) return;
    this.hot = hot;
    this.redraw();
  }

  setMode(mode) {
    this.mode = mode;
    this.redraw();
  }

  look(view) {
    this.view = view;
    this.redraw();
  }

  /** Look at two shapes from near; all others are faded. */
  showPair(i, j) {
    this.select([i, j]);
    this.pair = [i, j];
    this.card.show();
    this.look(this.view.framed(this.corners([i, j]), this.room(0.2)));
  }

  fit() {
    this.look(this.view.framed(this.subject(), this.room(0.06, this.few)));
  }

  /** Shift the view, where the card has just covered what it is about. */
  uncover() {
    if (!this.narrow || this.selected.size !== 1) return;
    this.card.show();
    const pixels = this.corners([...this.selected]).map((point) => this.view.pixelOf(point)).filter(Boolean);
    const [low, high] = range(pixels.map(([, y]) => y));
    const [, top, , bottom] = this.room(0.03);
    const shift = Math.max(bottom - high, Math.min(top - low, 0));
    if (pixels.length && shift < 0) this.look(this.view.pan(0, shift));
  }

  /** The corners of what a picture is about: of all but floors. */
  subject() {
    const { elements } = this.world;
    const points = this.corners(elements.filter((element) => !this.floors.has(element)));
    if (!points.length) return this.corners(elements);
    const marks = this.shows.filter(({ query }) => query !== "meeting").flatMap((show) => show.marks);
    const ends = ({ points: dots, start = [], end = [], about }) => dots ?? (about ? [] : [...start, ...end]);
    return [...points, ...marks.flatMap(ends)];
  }

  /** Whether panels are a column over the picture, and not beside its middle. */
  get narrow() {
    return !this.few && this.root.host.clientWidth <= 720;
  }

  /** Where panels are, as boxes in pixels of the canvas. */
  panels() {
    const { left, top } = this.canvas.getBoundingClientRect();
    const boxes = [...this.root.querySelectorAll(".panel:not(.quiet)")].map((panel) => panel.getBoundingClientRect());
    const seen = boxes.filter(({ width }) => width);
    return seen.map((box) => [box.left - left, box.top - top, box.right - left, box.bottom - top]);
  }

  /** Return the edges, in pixels, of the part of the picture that panels leave free, within a margin. */
  room(margin, beside = false) {
    const { width, height } = this.view;
    const gap = margin * Math.min(width, height);
    const boxes = this.narrow || beside ? this.panels() : [];
    const above = boxes.filter(([, top, , bottom]) => top < 0.3 * height && bottom < 0.6 * height);
    const first = Math.max(0, ...above.map(([, , , bottom]) => bottom));
    const below = boxes.filter(([, top, , bottom]) => bottom > 0.7 * height && top > first + 0.2 * height);
    const last = Math.min(height, ...below.map(([, top]) => top));
    return [gap, first + gap, width - gap, last - gap];
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    const first = this.view === this.opening; // nobody has looked elsewhere yet
    this.view = (first ? new View(this.facts.camera, 1, 1) : this.view).resized(width, height);
    this.draw(1);
    if (first) this.opening = this.view = this.firstView();
    this.draw(1);
    this.redraw();
  }

  /**
   * See in a narrow picture what that of the file sees, as large as it can be: from another side where that is much,
   * but not where the text beside it says what lies to the right.
   */
  firstView() {
    const { view, facts: { aspect } } = this;
    const all = this.subject();
    const pixels = all.map((point) => view.pixelOf(point)).filter(Boolean);
    const spans = [0, 1].map((k) => range(pixels.map((pixel) => pixel[k])));
    if (spans.every(([low, high]) => high - low < SPECK)) return view.framed(all, this.room(0.06));
    if (view.width / view.height >= aspect) return view;
    this.showPanels(); // they are as large as they will be
    const seen = view.resized(aspect * view.height, view.height);
    const points = all.filter((point) => isInside(seen.pixelOf(point), seen));
    if (!this.narrow && points.every((point) => isInside(view.pixelOf(point), view))) return view;
    const room = this.room(0.06);
    const straight = view.framed(points, room);
    if (this.few || view.parallel || points.length > 2000) return straight;
    const size = (one) => one.pixelAt(one.camera.target);
    const sides = SIDES.map((angles) => view.turned(...angles).framed(points, room));
    const best = sides.reduce((found, one) => (size(one) < size(found) ? one : found));
    return size(best) < 0.8 * size(straight) ? best : straight;
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw(1);
      this.showPanels();
      this.showTexts(1);
      clearTimeout(this.later);
      this.later = setTimeout(() => this.rest(), 150);
    });
  }

  /** All is still, or nothing was drawn for a while: draw finer, and place all texts. */
  rest() {
    const still = !this.strip.playing && !this.doc.held.length;
    if (still && this.drawTime < QUICK) this.draw(2);
    this.showTexts(Infinity);
  }

  /** Draw the scene as it is; finer when all is still. */
  draw(finer) {
    const { canvas, view, stage } = this;
    if (stage.lost) return;
    const began = performance.now();
    const ratio = finer * Math.min(devicePixelRatio || 1, 2);
    const [wide, high] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    const side = Math.min(view.height, 0.9 * view.width);
    this.flags = flagsOf(this.world, this);
    this.gather();
    const unit = ratio * Math.max(side / 960, Math.min(0.8, side / 480));
    stage.draw(view, this.flags, this.marks, this.reach(stage.origin), unit);
    canvas.style.cursor = this.hovered === null && this.hot < 0 ? "default" : "grab";
    this.at("held").hidden = true;
    this.drawAxes();
    this.drawTime = performance.now() - began;
  }

  /** Draw where the axes of the world point; the nearest last. */
  drawAxes() {
    const { right, up, forward } = this.view;
    const lines = [0, 1, 2].sort((a, b) => forward[b] - forward[a]).map((k) => {
      const color = `rgb(${this.theme.styles[`axis-${"xyz"[k]}`].color})`;
      const [x, y] = [right[k], -up[k]];
      const drawn = `<path d="M0 0L${22 * x} ${22 * y}"/><text x="${30 * x}" y="${30 * y}">${"xyz"[k]}</text>`;
      return `<g stroke="${color}" fill="${color}">${drawn}</g>`;
    });
    this.at("axes").innerHTML = lines.join("");
  }

  /** Return how far from an origin there is anything to see. */
  reach(origin) {
    const { extent, ground } = this;
    const away = (point) => Math.hypot(...sub(point, origin));
    const far = Math.max(...extent.map(away));
    const floor = ground ? away([...ground.center, ground.z]) + 1.5 * ground.half_size : 0;
    const moved = this.doc.changed.map((element) => away(this.world.row(element)) + far);
    return 1.1 * Math.max(far, floor, ...moved) || 1;
  }

  /** Draw other marks, with labels, beside those of the scene, such as what a step of an explanation speaks of. */
  drawAlso(more) {
    this.more = more;
    this.redraw();
  }

  /** Tell no numbers, and nothing that answers a question, or tell them again. */
  veil(veiled) {
    this.veiled = veiled;
    this.at("page").classList.toggle("veiled", veiled);
    this.redraw();
  }

  /** Gather the marks and the texts of the scene as it is, what is nearest, and handles. */
  gather() {
    const { world, doc, view, flags, pair, selected } = this;
    const one = selected.size === 1 && !pair ? [...selected][0] : null;
    this.nearest = one === null ? null : world.nearest(one);
    this.handles = one === null || doc.isRigid(one) ? [] : handlesOf(this.mode, doc.shape(one), view);
    const looked = pair ? this.contactOf(...pair) : this.nearest;
    const thin = this.thin.flatMap((element) => {
      const square = this.squares.has(element) ? this.square(element) : null;
      return thinMarks(this.thinShape(element), flags[element], square);
    });
    const parts = [
      { marks: thin, labels: [] },
      this.more,
      ...(pair || this.veiled ? [] : this.shows.map((show) => this.showNow(show)).filter(Boolean)),
      ...(looked ? [closeMarks(looked, Boolean(pair))] : []),
      { marks: handleMarks(this.handles, this.hot), labels: [] },
    ];
    this.marks = parts.flatMap(({ marks }) => marks.map((mark) => inWorld(mark, view)));
    this.texts = withoutRepeats(parts.flatMap(({ labels }) => labels.map((label) => labelAt(label, view))));
  }

  /** Return a show as it came along, or remade where a shape of it was changed; null where only Python can. */
  showNow(show) {
    const { doc, world } = this;
    const same = show.elements.every((element) => {
      const base = doc.base(element, 0);
      return world.row(element).every((x, k) => Object.is(x, base[k]));
    });
    return same ? show : show.elements.length === 2 && remade(show, this.contactOf(...show.elements));
  }

  showPanels() {
    const { at, doc, world } = this;
    at("undo").disabled = !doc.past.length;
    at("redo").disabled = !doc.future.length;
    at("turn").hidden = !this.loose.some((element) => turns(world.kind(element)));
    at("note").hidden = !this.facts.note || this.narrow;
    this.table.show();
    this.joints.show();
    this.card.show();
    this.strip.show();
    showLegend(this);
  }

  /** Place texts: those of names for which there is time, in milliseconds. */
  showTexts(time) {
    const { view, world } = this;
    const texts = this.texts.map(({ point, text }) => ({ pixel: view.pixelOf(point), text, name: false }));
    const until = performance.now() + time;
    for (const element of this.named()) {
      if (performance.now() > until) break;
      texts.push({ pixel: this.anchor(element), text: world.names[element], name: true });
    }
    this.labels.show(texts, this.panels(), this.marks.flatMap((mark) => this.boxesOf(mark)));
  }

  /** Return boxes, in pixels, of what a text had better not cover: dots, and what lies between two points. */
  boxesOf({ points, start = [], end }) {
    const pixelOf = (point) => this.view.pixelOf(point);
    const lines = start.length > 8 ? [] : start.map((tail, k) => [pixelOf(tail), pixelOf(end[k])]);
    const along = lines.filter(([a, b]) => a && b).flatMap(([a, b]) => {
      return [0, 0.2, 0.4, 0.6, 0.8, 1].map((part) => [0, 1].map((k) => a[k] + part * (b[k] - a[k])));
    });
    const dots = points?.map(pixelOf).filter(Boolean) ?? along;
    return dots.map(([x, y]) => [x - 5, y - 5, x + 5, y + 5]);
  }

  /** The elements whose names are written, the most important first. */
  named() {
    const found = new Set([...this.selected, ...(this.hovered === null ? [] : [this.hovered]), ...this.alwaysNamed]);
    for (const { i, j } of this.table.listed) {
      if (found.size >= MANY) break;
      found.add(i).add(j);
    }
    return [...found].filter((element) => !(this.flags[element] & FLAGS.FADED));
  }

  /** Return a pixel at which an element is seen; null where it is hidden. */
  anchor(element) {
    const { view } = this;
    const { kind, row } = this.doc.shape(element);
    if (kind === "Point") return view.pixelOf(row);
    const [center, way] = this.middle(element, kind, [row.slice(0, 3), row.slice(3, 6)]);
    const pixels = [0, 0.5, -0.5, 0.9, -0.9].map((part) => view.pixelOf(add(center, way, part)));
    return pixels.find((pixel) => pixel && this.hands.target(pixel)?.element === element) ?? null;
  }

  /** Return the middle of an element, and the way from there to an end. */
  middle(element, kind, [a, b]) {
    const solid = this.solid(element);
    if (solid) return [solid.center, scaled(solid.axes[2], solid.half[2])];
    if (kind === "HalfSpace") return [this.square(element).center, this.square(element).x];
    if (kind === "Segment") return [mean(a, b), scaled(sub(b, a), 0.5)];
    return [add(a, b, 0.2 * this.view.distance), [0, 0, 0]];
  }

  // --- what is taken along -------------------------------------------------------------------------------------------

  link() {
    const address = new URL(location.href);
    address.hash = asFragment(this.doc);
    return address.href;
  }

  /** Take the changes that the address holds. */
  follow() {
    try {
      const edits = fromFragment(location.hash, this.doc);
      if (!edits) return;
      this.doc.past.push(this.doc.edits);
      this.doc.take(edits);
    } catch (error) {
      this.say(error.message);
    }
  }

  async copy(text, words) {
    this.copied = text;
    this.at("take").open = false;
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
    this.say(words);
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
  const refused = new Missing("WebAssembly, which decides what collides, is refused here");
  if (typeof WebAssembly === "undefined") throw refused;
  const bytes = await unpacked(KERNELS);
  try {
    return await load(bytes, TABLES);
  } catch (error) {
    throw error instanceof WebAssembly.CompileError ? refused : error;
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
