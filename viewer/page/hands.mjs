// Mouse, pen, fingers and keys: what a press takes, and which way it goes.
import { movedRow } from "./document.mjs";
import { handleAt, jointGrab, MODES } from "./handles.mjs";
import { add, alongLine, clamp, onPlane, scaled, sub } from "./vectors.mjs";

/** In pixels: how far a press may move and still be a click; how near a press takes an end, and a thin shape. */
const [CLICK, END, NEAR] = [4, 14, 8];

/** As a sine: how flat a plane may be seen for a drag in it. */
const FLATTEST = 0.12;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

const apart = ([x, y], [u, v]) => Math.hypot(x - u, y - v);

export class Hands {
  constructor(app) {
    this.app = app;
    this.fingers = new Map();
    /** What is pressed: what `found` or which `handle`, since `from`; `rows` gives the numbers of what is in hand. */
    this.drag = null;
    const { canvas } = app;
    canvas.onpointerdown = (event) => this.press(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.release(event);
    canvas.onpointercancel = (event) => this.release(event, true);
    canvas.onpointerleave = () => app.hover(null);
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.addEventListener("touchstart", (event) => this.keep(event), { passive: false });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    (app.alone ? document : app.root).addEventListener("keydown", (event) => this.key(event));
  }

  place(event) {
    const box = this.app.canvas.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  }

  /** Return what is under a pixel, nearest first. */
  target(pixel, wide = 1) {
    const { app } = this;
    const reach = (point) => NEAR * Math.max(app.view.pixelAt(point), 0);
    return app.world.pick(...app.view.ray(...pixel), reach, wide, (element, point) => app.isDrawn(element, point));
  }

  press(event) {
    const { app } = this;
    app.canvas.focus({ preventScroll: true });
    app.canvas.classList.add("pressed");
    app.canvas.setPointerCapture(event.pointerId);
    const from = this.place(event);
    this.fingers.set(event.pointerId, from);
    app.hover(null);
    if (this.fingers.size === 2) {
      if (this.drag?.rows) app.doc.cancel();
      this.drag = { pinch: [...this.fingers.values()] };
    }
    if (this.fingers.size > 1) return;
    const [first, coarse] = [event.button === 0, event.pointerType === "touch" ? 2 : 1];
    const handle = first ? handleAt(app.handles, app.view, from, coarse) : null;
    const found = first && !handle ? this.target(from, coarse) : null;
    this.drag = { from, last: from, looks: first ? "orbit" : "pan", found, handle, coarse, view: app.view, rows: null };
    if (event.shiftKey) this.drag.looks = "pan";
    if (handle) app.point(handle);
  }

  /** Take what was pressed in hand: `drag.rows` gives the numbers of what moves, of a line of sight. */
  take() {
    const { app, drag } = this;
    const { found, handle, from } = drag;
    const first = app.view.ray(...from);
    if (handle) {
      const [element] = app.selected;
      const pull = handle.grab(first);
      drag.rows = (ray, step) => {
        const row = pull(ray, step);
        return row && [[element, row]];
      };
      return;
    }
    if (!this.moves(found)) return;
    if (app.doc.isRigid(found.element)) {
      drag.rows = jointGrab(app.doc.joints, found, app.view)?.(first) ?? null;
      return;
    }
    if (!app.selected.has(found.element)) app.select([found.element]);
    const shapes = app.loose.map((element) => [element, app.doc.shape(element)]);
    const { fields, row } = app.doc.shape(found.element);
    const ends = shapes.length === 1 ? this.endsOf(fields, row) : {};
    const part = Object.keys(ends).find((name) => apart(ends[name], from) <= END * drag.coarse) ?? "body";
    const at = part === "body" ? found.point : row.slice(fields[part][0], fields[part][0] + 3);
    const stands = part === "body" && app.stands(found.element) && Math.abs(first[1][2]) >= FLATTEST;
    drag.rows = (ray) => {
      const plane = stands ? [0, 0, 1] : app.view.forward;
      const offset = fields.normal ? this.along(at, row.slice(3, 6), ray) : this.inPlane(at, plane, ray);
      return offset && shapes.map(([element, shape]) => [element, movedRow(shape, offset, part)]);
    };
  }

  /** Whether a drag moves what is under a pixel: a floor stays where it is unless it is selected, a robot has joints. */
  moves(found) {
    const { joints } = this.app.doc;
    if (found && this.app.doc.isRigid(found.element)) return joints.mover(found.element);
    return found && (!this.app.floors.has(found.element) || this.app.selected.has(found.element));
  }

  /** Keep fingers that are on something: in a document one finger beside it scrolls, and two turn. */
  keep(event) {
    const { drag } = this;
    if (drag?.pinch || drag?.handle || this.moves(drag?.found)) event.preventDefault();
  }

  along(at, axis, ray) {
    const way = alongLine(at, axis, ray);
    return Number.isFinite(way) ? scaled(axis, way) : null;
  }

  inPlane(at, normal, ray) {
    const to = onPlane(at, normal, ray);
    if (!to || Math.hypot(...sub(to, ray[0])) > 1e3 * this.app.view.distance) return null; // beyond the horizon
    const offset = sub(to, at);
    if (normal[2] === 1) offset[2] = 0; // not even by rounding does it leave its floor
    return offset;
  }

  /** Return the pixels of the ends of a shape, of which a press takes one alone; none where they are near. */
  endsOf(fields, row) {
    if (!fields.start) return {};
    const [start, end] = [fields.start, fields.end].map(([k]) => this.app.view.pixelOf(row.slice(k, k + 3)));
    return start && end && apart(start, end) >= 3 * END ? { start, end } : {};
  }

  move(event) {
    const { app, drag } = this;
    const place = this.place(event);
    if (!this.fingers.has(event.pointerId)) {
      if (event.pointerType === "touch" || event.buttons) return;
      const handle = handleAt(app.handles, app.view, place, 1);
      app.hover(handle ? null : this.target(place)?.element ?? null);
      return app.point(handle);
    }
    this.fingers.set(event.pointerId, place);
    if (!drag) return;
    if (drag.pinch) return this.pinch();
    if (!drag.moves) {
      if (apart(place, drag.from) < CLICK) return;
      drag.moves = true;
      this.take();
      app.at("page").classList.toggle("dragging", Boolean(drag.rows));
    }
    const way = [place[0] - drag.last[0], place[1] - drag.last[1]];
    drag.last = place;
    if (drag.rows) this.pull(place, event);
    else app.look(app.view[drag.looks](...way));
  }

  /** Change what is in hand, so that the point that was taken stays under the pointer; Ctrl snaps. */
  pull(place, event) {
    const { app, drag } = this;
    const began = performance.now();
    const rows = drag.rows(app.view.ray(...place), event.ctrlKey ? app.grid / 10 : 0);
    if (rows) app.doc.preview(rows);
    app.stepTime = performance.now() - began;
  }

  pinch() {
    const { app, drag } = this;
    const [before, now] = [drag.pinch, [...this.fingers.values()]];
    if (now.length < 2) return;
    const [[u, v], [x, y]] = [before, now].map(([a, b]) => [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]);
    const factor = clamp(apart(...before) / Math.max(apart(...now), 1), 0.2, 5);
    const moved = app.alone ? app.view.pan(x - u, y - v) : app.view.orbit(x - u, y - v);
    app.look(moved.zoom(factor, x, y));
    drag.pinch = now;
  }

  release(event, ended = false) {
    const { app, drag } = this;
    this.fingers.delete(event.pointerId);
    if (this.fingers.size) return;
    this.drag = null;
    app.point(null);
    app.at("page").classList.remove("dragging");
    if (!drag || drag.pinch) return;
    if (drag.rows) {
      ended ? app.doc.cancel() : app.doc.commit();
      return app.uncover();
    }
    if (ended) return app.look(drag.view); // the document scrolls instead
    if (drag.moves || event.button !== 0 || drag.handle) return;
    app.click(drag.found?.element ?? null, event.shiftKey || event.ctrlKey);
  }

  wheel(event) {
    const { app } = this;
    if (!app.alone && app.root.activeElement !== app.canvas && !event.ctrlKey) return; // it scrolls the document
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    app.look(app.view.zoom(Math.exp(clamp(event.deltaY * lines, -300, 300) * 0.0016), ...this.place(event)));
  }

  key(event) {
    const { app } = this;
    const { key, shiftKey } = event;
    app.canvas.classList.remove("pressed");
    const [target] = event.composedPath();
    const typing = target.closest?.("input:not([type=range]), textarea");
    const chord = event.ctrlKey || event.metaKey;
    const history = { z: shiftKey ? "redo" : "undo", y: "redo" }[key.toLowerCase()];
    if (typing || event.altKey || (chord && !history)) return;
    if (chord) {
      event.preventDefault();
      app.doc[history]();
    } else if (key === "Escape") {
      if (!this.drag?.rows) return app.select([]);
      this.drag = null;
      app.doc.cancel();
    } else if (target === app.canvas || target === document.body) {
      const action = this.actions(key, shiftKey);
      if (!action) return;
      event.preventDefault();
      action();
    }
  }

  /** Return what a key does to the scene, if anything. */
  actions(key, shiftKey) {
    const { app } = this;
    const { view } = app;
    if (ARROWS[key]) {
      const [x, y] = ARROWS[key];
      if (!app.selected.size) return () => app.look(shiftKey ? view.pan(-20 * x, 20 * y) : view.orbit(-15 * x, 15 * y));
      return shiftKey ? () => app.turn(x ? 2 : 0, ((x || y) * Math.PI) / 36) : () => this.nudge(x, y);
    }
    if (key in MODES) return () => app.setMode(MODES[key]);
    if (key === " ") return app.doc.times.length ? () => app.at("play").click() : null;
    return {
      PageUp: () => this.shift([0, 0, 1]),
      PageDown: () => this.shift([0, 0, -1]),
      "+": () => app.look(view.zoom(0.85)),
      "-": () => app.look(view.zoom(1 / 0.85)),
      f: () => app.fit(),
      n: () => app.selectNext(1),
      p: () => app.selectNext(-1),
    }[key];
  }

  /** Move what is selected a step along the axis of the world that an arrow points along most. */
  nudge(x, y) {
    const { right, up, forward } = this.app.view;
    const way = y && Math.abs(forward[2]) < 0.99 ? scaled(forward, y) : add(scaled(right, x), up, y);
    this.shift(Math.abs(way[0]) >= Math.abs(way[1]) ? [Math.sign(way[0]), 0, 0] : [0, Math.sign(way[1]), 0]);
  }

  shift(way) {
    const { doc, grid, loose } = this.app;
    const offset = scaled(way, grid / 5);
    if (loose.length) doc.change(loose.map((element) => [element, movedRow(doc.shape(element), offset)]));
  }
}
