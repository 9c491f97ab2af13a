// Mouse, pen, fingers and keys: what a press takes, and which way it goes.
import { movedRow } from "./document.mjs";
import { handleAt, MODES } from "./handles.mjs";
import { add, alongLine, clamp, onPlane, scaled, sub } from "./vectors.mjs";

/** Pixels that a press may move and still be a click; how near an end a press takes it; how near a thin shape is met. */
const [CLICK, END, NEAR] = [4, 14, 8];

/** As a sine: how flat a plane may be seen for a drag in it. */
const FLATTEST = 0.12;

export class Hands {
  constructor(app) {
    this.app = app;
    this.fingers = new Map();
    this.drag = null;
    const { canvas } = app;
    canvas.onpointerdown = (event) => this.press(event);
    canvas.onpointermove = (event) => this.move(event);
    canvas.onpointerup = (event) => this.release(event);
    canvas.onpointercancel = (event) => this.release(event, true);
    canvas.onpointerleave = () => app.hover(null);
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    (app.alone ? document : app.root).addEventListener("keydown", (event) => this.key(event));
  }

  place(event) {
    const box = this.app.canvas.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  }

  /** Return what is under a pixel, nearest first. */
  target([x, y], wide = 1) {
    const { view, world } = this.app;
    const [start, way] = view.ray(x, y);
    return world.pick(start, way, (point) => NEAR * wide * Math.max(view.pixelAt(point), 0), (element, point) => this.app.isDrawn(element, point));
  }

  press(event) {
    const { app } = this;
    app.canvas.focus({ preventScroll: true });
    app.canvas.classList.add("pressed");
    app.canvas.setPointerCapture(event.pointerId);
    const place = this.place(event);
    this.fingers.set(event.pointerId, place);
    app.hover(null);
    if (this.fingers.size === 2) {
      if (this.drag?.rows) app.cancel();
      this.drag = { pinch: [...this.fingers.values()] };
      return;
    }
    if (this.fingers.size > 2) return;
    const coarse = event.pointerType === "touch" ? 2 : 1;
    const handle = event.button === 0 ? handleAt(app.handles, app.view, place, coarse) : null;
    const found = event.button === 0 && !handle ? this.target(place, coarse) : null;
    this.drag = { from: place, last: place, button: event.button, shift: event.shiftKey, found, handle, coarse, rows: null };
    if (handle) app.point(handle);
  }

  /** Take what was pressed in hand: `drag.rows` gives the numbers of what moves, of a line of sight. */
  take() {
    const { app, drag } = this;
    const { found, handle } = drag;
    if (handle) {
      const [element] = app.selected;
      const pull = handle.grab(app.view.ray(...drag.from));
      drag.rows = (ray, step) => {
        const row = pull(ray, step);
        return row && [[element, row]];
      };
      return;
    }
    if (!found || (app.isFloor(found.element) && !app.selected.has(found.element))) return;
    if (!app.selected.has(found.element)) app.select([found.element]);
    const rows = [...app.selected].map((element) => [element, app.fields(element), app.doc.row(element)]);
    const [, fields, row] = rows.find(([element]) => element === found.element);
    const part = rows.length === 1 ? this.endAt(fields, row, drag) : "body";
    const at = part === "body" ? found.point : row.slice(...this.span(fields[part]));
    const stands = part === "body" && app.stands(found.element) && Math.abs(app.view.ray(...drag.from)[1][2]) >= FLATTEST;
    drag.rows = (ray) => {
      const offset = fields.normal ? this.along(at, row.slice(3, 6), ray) : this.inPlane(at, stands ? [0, 0, 1] : app.view.forward, ray);
      return offset && rows.map(([element, own, before]) => [element, movedRow(own, before, offset, part)]);
    };
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

  span([start, length]) {
    return [start, start + length];
  }

  /** Return the end of a shape that a press takes alone, or its body. */
  endAt(fields, row, { from, coarse }) {
    if (!fields.start) return "body";
    const pixels = ["start", "end"].map((name) => [name, this.app.view.pixelOf(row.slice(...this.span(fields[name])))]);
    if (pixels.some(([, pixel]) => !pixel) || Math.hypot(pixels[0][1][0] - pixels[1][1][0], pixels[0][1][1] - pixels[1][1][1]) < 3 * END) return "body";
    const near = pixels.find(([, [x, y]]) => Math.hypot(x - from[0], y - from[1]) <= END * coarse);
    return near ? near[0] : "body";
  }

  move(event) {
    const { app } = this;
    const place = this.place(event);
    if (!this.fingers.has(event.pointerId)) {
      if (event.pointerType === "touch" || event.buttons) return;
      app.point(handleAt(app.handles, app.view, place, 1));
      app.hover(app.hot ? null : this.target(place)?.element ?? null);
      return;
    }
    this.fingers.set(event.pointerId, place);
    if (this.drag?.pinch) return this.pinch();
    const { drag } = this;
    if (!drag) return;
    if (!drag.moves) {
      if (Math.hypot(place[0] - drag.from[0], place[1] - drag.from[1]) < CLICK) return;
      drag.moves = true;
      if (drag.button === 0) this.take();
      app.at("page").classList.toggle("dragging", Boolean(drag.rows));
    }
    const [dx, dy] = [place[0] - drag.last[0], place[1] - drag.last[1]];
    drag.last = place;
    if (drag.rows) this.pull(place, event);
    else if (drag.button === 0 && !drag.shift) app.look(app.view.orbit(dx, dy));
    else app.look(app.view.pan(dx, dy));
  }

  /** Change what is in hand, so that the point that was taken stays under the pointer; Ctrl snaps. */
  pull(place, event) {
    const { app, drag } = this;
    const began = performance.now();
    const rows = drag.rows(app.view.ray(...place), event.ctrlKey ? app.grid / 10 : 0);
    if (rows) app.preview(rows);
    app.stepTime = performance.now() - began;
  }

  pinch() {
    const { app, drag } = this;
    const [before, now] = [drag.pinch, [...this.fingers.values()]];
    if (now.length < 2) return;
    const middle = (some) => [0, 1].map((k) => 0.5 * (some[0][k] + some[1][k]));
    const wide = (some) => Math.hypot(some[0][0] - some[1][0], some[0][1] - some[1][1]);
    const [x, y] = middle(now);
    const [u, v] = middle(before);
    app.look(app.view.pan(x - u, y - v).zoom(clamp(wide(before) / Math.max(wide(now), 1), 0.2, 5), x, y));
    drag.pinch = now.map((place) => [...place]);
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
      ended ? app.cancel() : app.commit();
      if (app.narrow && app.selected.size === 1) app.uncover([...app.selected]);
    } else if (!drag.moves && !ended && drag.button === 0 && !drag.handle) app.click(drag.found?.element ?? null, event.shiftKey || event.ctrlKey);
  }

  wheel(event) {
    const { alone, canvas, root } = this.app;
    if (!alone && root.activeElement !== canvas && !event.ctrlKey) return; // it scrolls the document around the scene
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    this.app.look(this.app.view.zoom(Math.exp(clamp(event.deltaY * lines, -300, 300) * 0.0016), ...this.place(event)));
  }

  key(event) {
    const { app } = this;
    app.canvas.classList.remove("pressed");
    const [target] = event.composedPath();
    const typing = target.closest?.("input:not([type=range]), textarea");
    const chord = event.ctrlKey || event.metaKey;
    if (chord && !typing && "zy".includes(event.key.toLowerCase())) {
      event.preventDefault();
      return event.key.toLowerCase() === "y" || event.shiftKey ? app.redo() : app.undo();
    }
    if (typing || chord || event.altKey) return;
    if (event.key === "Escape") {
      if (this.drag?.rows) {
        this.drag = null;
        return app.cancel();
      }
      return app.select([]);
    }
    if (target !== app.canvas && target !== document.body) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = arrows[event.key];
    if (step) {
      event.preventDefault();
      if (!app.selected.size) return event.shiftKey ? app.look(app.view.pan(-20 * step[0], 20 * step[1])) : app.look(app.view.orbit(-15 * step[0], 15 * step[1]));
      return this.nudge(step, event.shiftKey);
    }
    if (event.key === "PageUp" || event.key === "PageDown") {
      event.preventDefault();
      if (app.selected.size) this.shift([0, 0, event.key === "PageUp" ? 1 : -1]);
    }
    if (event.key in MODES) app.setMode(MODES[event.key]);
    if (event.key === "+" || event.key === "-") app.look(app.view.zoom(event.key === "+" ? 0.85 : 1 / 0.85));
    if (event.key === "f") app.fit();
    if (event.key === "n" || event.key === "p") app.selectNext(event.key === "n" ? 1 : -1);
    if (event.key === " " && app.doc.times.length) {
      event.preventDefault();
      app.at("play").click();
    }
  }

  /** Move what is selected a step along the axis of the world that an arrow points along most, or turn it with Shift. */
  nudge([x, y], turning) {
    const { app } = this;
    const seen = add(scaled(app.view.right, x), app.view.up, y);
    if (turning) return [...app.selected].forEach((element) => app.turn(element, x ? 2 : 0, ((x || y) * 5 * Math.PI) / 180));
    const own = y && Math.abs(app.view.forward[2]) < 0.99 ? scaled(app.view.forward, y) : seen;
    const axis = Math.abs(own[0]) >= Math.abs(own[1]) ? 0 : 1;
    this.shift([0, 1, 2].map((k) => (k === axis ? Math.sign(own[k]) : 0)));
  }

  shift(way) {
    const { app } = this;
    const offset = scaled(way, app.grid / 5);
    app.change([...app.selected].map((element) => [element, movedRow(app.fields(element), app.doc.row(element), offset)]));
  }
}
