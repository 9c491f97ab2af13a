// Texts in the picture, as HTML over the canvas, which keep apart from each other and from panels.

import { clamp } from "./vectors.mjs";

/** Where a text stands beside its point, in sizes of itself and in gaps. */
const BESIDE = [
  ...[[0, -0.5, 1, 0], [-1, -0.5, -1, 0], [-0.5, 0, 0, 1]],
  ...[[0, -1, 1, -1], [-1, -1, -1, -1], [0, 0, 1, 1], [-1, 0, -1, 1]],
];
const [ON, ABOVE] = [[-0.5, -0.5, 0, 0], [0.5, -1, 0, -1]];
const GAP = 9;

/** A text that is farther from its point, in pixels, has a line to it. */
const NEAR_TEXT = 12;

export class Labels {
  constructor(layer) {
    this.layer = layer;
    this.made = new Map(); // of each kind and text its element, with its size
  }

  /**
   * Show `{ pixel, text, name }` in the order of their weight; those without room are left out. What is covered stays
   * free of them, and where there is room elsewhere, so does what is better seen.
   */
  show(labels, covered, better) {
    const [taken, used, lines] = [[...covered], new Set(), []];
    for (const { pixel, text, name } of labels) {
      const key = `${name ? "name" : "text"} ${text}`;
      const own = this.of(key, text, name);
      if (used.has(own) || !pixel) continue;
      const places = name ? [ON, ABOVE, ...BESIDE] : [...BESIDE, ABOVE];
      const found = this.free(pixel, own, places, [...taken, ...better]) ?? this.free(pixel, own, places, taken);
      if (!found) continue;
      const [x, y, box] = found;
      taken.push(box);
      used.add(own);
      const [u, v] = [0, 1].map((k) => clamp(pixel[k], box[k], box[k + 2]));
      if (Math.hypot(u - pixel[0], v - pixel[1]) > NEAR_TEXT) lines.push(`M${pixel[0]} ${pixel[1]}L${u} ${v}`);
      own.element.style.transform = `translate(${x}px,${y}px)`;
      own.element.hidden = false;
    }
    for (const own of this.made.values()) if (!used.has(own)) own.element.hidden = true;
    this.layer.querySelector("path").setAttribute("d", lines.join(""));
  }

  /** Return the first place beside a pixel that is in the picture and meets nothing that is taken. */
  free(pixel, own, places, taken) {
    for (const gap of [GAP, 3 * GAP]) {
      for (const [across, down, right, low] of places) {
        const x = Math.round(pixel[0] + across * own.width + right * gap);
        const y = Math.round(pixel[1] + down * own.height + low * gap);
        const box = [x - 2, y - 2, x + own.width + 2, y + own.height + 2];
        const { clientWidth: width, clientHeight: height } = this.layer;
        const inside = box[0] >= 0 && box[1] >= 0 && box[2] <= width && box[3] <= height;
        if (inside && !taken.some((other) => overlap(box, other))) return [x, y, box];
      }
    }
    return null;
  }

  of(key, text, name) {
    let own = this.made.get(key);
    if (!own) {
      const element = document.createElement("span");
      element.textContent = text;
      element.className = name ? "name" : "text";
      this.layer.append(element);
      own = { element, width: element.offsetWidth, height: element.offsetHeight };
      this.made.set(key, own);
      if (this.made.size > 400) this.forget();
    }
    return own;
  }

  /** Remove what is not seen. */
  forget() {
    for (const [key, { element }] of this.made) {
      if (!element.hidden) continue;
      element.remove();
      this.made.delete(key);
    }
  }
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
