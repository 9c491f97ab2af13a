// Draws the records of a picture with WebGL 2: solids, ground, shadows, and marks. Knows nothing of a scene.
import { Missing } from "./data.mjs";
import { add, cross, dot, scaled, sub, unit } from "./vectors.mjs";
import { GROUND, MARK, PAINTS, PATCH, SHADOW, SOLID } from "./shaders.mjs";

/** Numbers of an instance: center and radius, three axes, half sizes. */
const WIDTH = 16;

/** What lies farther than so many sizes of a scene, such as by a number that was typed, takes no depth from the rest. */
const FARTHEST = 1e9;

/** Length of a dash with its gap, width of the casing of lines and of the ring of dots, in units. */
const [DASH, CASING, RING] = [15, 1.3, 1.6];

/** Return how a solid lies in the picture, from its kind and its numbers; null for what is no solid. */
export function solidOf(kind, row) {
  if (kind === "Sphere") return { center: row.slice(0, 3), radius: row[3], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], half: [0, 0, 0] };
  if (kind === "Capsule") {
    const [a, b] = [row.slice(0, 3), row.slice(3, 6)];
    const way = sub(b, a);
    const long = Math.hypot(...way);
    const z = long > 0 ? scaled(way, 1 / long) : [0, 0, 1];
    const x = unit(cross(z, Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    return { center: add(scaled(a, 0.5), b, 0.5), radius: row[6], axes: [x, cross(z, x), z], half: [0, 0, 0.5 * long] };
  }
  if (kind === "AABB") {
    const [low, high] = [row.slice(0, 3), row.slice(3, 6)];
    const half = scaled(sub(high, low), 0.5);
    return { center: add(low, half), radius: 0, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], half };
  }
  if (kind === "OrientedBox") {
    const axes = [0, 1, 2].map((k) => [row[3 + k], row[6 + k], row[9 + k]]);
    return { center: row.slice(0, 3), radius: 0, axes, half: row.slice(12, 15) };
  }
  return null;
}

const colour = (rgb) => rgb.map((part) => part / 255);

export class Stage {
  /**
   * @param {number[]} origin all places are drawn relative to it
   * @param {number} size all lengths are drawn as parts of it, as numbers of a graphics card end at 1e38; a power of two, so
   *   that nothing is rounded
   * @throws {Missing} if there is no WebGL 2
   */
  constructor(canvas, origin, size) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Missing("WebGL 2, which draws it, is missing here");
    this.canvas = canvas;
    this.gl = gl;
    [this.origin, this.size] = [origin, size];
    this.marks = [];
    this.floors = [];
    this.ground = null;
    this.count = 0;
    /** From which to which distance from the origin there is anything to see. */
    this.reach = 1;
    this.programs = Object.fromEntries(
      Object.entries({ solid: SOLID, ground: GROUND, shadow: SHADOW, mark: MARK, patch: PATCH }).map(([name, code]) => [name, this.program(code)]),
    );
    this.solids = gl.createBuffer();
    this.flags = gl.createBuffer();
    this.pieces = gl.createBuffer();
    this.faces = gl.createBuffer();
    const corners = [0, 1, 3, 0, 3, 2, 4, 7, 5, 4, 6, 7, 0, 5, 1, 0, 4, 5, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 7, 3, 1, 5, 7];
    this.cube = this.array("solid", 36, corners.flatMap((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]), 3);
    this.shade = this.array("shadow", 4, [-1, -1, 1, -1, -1, 1, 1, 1], 2);
    for (const own of [this.cube, this.shade]) this.instanced(own, this.solids, WIDTH, [[1, 4], [2, 3], [3, 3], [4, 3], [5, 3]], 4);
    for (const own of [this.cube, this.shade]) {
      gl.bindVertexArray(own);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.flags);
      gl.enableVertexAttribArray(6);
      gl.vertexAttribPointer(6, 1, gl.UNSIGNED_BYTE, false, 0, 0);
      gl.vertexAttribDivisor(6, 1);
    }
    this.square = this.array("ground", 4, [-1, -1, 1, -1, -1, 1, 1, 1], 2);
    this.strip = this.array("mark", 4, [-1, -1, 1, -1, -1, 1, 1, 1], 2);
    this.instanced(this.strip, this.pieces, 14, [[1, 3], [2, 3], [3, 4], [4, 4]], 4);
    this.plate = gl.createVertexArray();
    gl.bindVertexArray(this.plate);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.faces);
    [[0, 3, 0], [1, 4, 12]].forEach(([place, width, offset]) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, 28, offset);
    });
  }

  get lost() {
    return this.gl.isContextLost();
  }

  /** Give the context back; `open` brings it again, and `webglcontextrestored` tells when it is there. */
  close() {
    this.losing = this.gl.getExtension("WEBGL_lose_context");
    this.losing?.loseContext();
  }

  open() {
    this.losing?.restoreContext();
  }

  program({ vertex, fragment }) {
    const { gl } = this;
    const made = gl.createProgram();
    for (const [kind, code] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, code);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
      const logs = gl.getAttachedShaders(made).map((shader) => gl.getShaderInfoLog(shader));
      throw new Error(`a program of the graphics card does not compile: ${[gl.getProgramInfoLog(made), ...logs].join(" ")}`);
    }
    const places = {};
    for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(made, k);
      places[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
    }
    return { made, places };
  }

  array(name, count, numbers, width) {
    const { gl } = this;
    const own = gl.createVertexArray();
    gl.bindVertexArray(own);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, width, gl.FLOAT, false, 0, 0);
    return own;
  }

  instanced(own, buffer, stride, attributes, size) {
    const { gl } = this;
    gl.bindVertexArray(own);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    let offset = 0;
    for (const [place, width] of attributes) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, size * stride, size * offset);
      gl.vertexAttribDivisor(place, 1);
      offset += width;
    }
  }

  /** Take a theme's colours. */
  setTheme(theme) {
    this.theme = theme;
    const paints = new Float32Array(16 * PAINTS);
    for (const [flags, paint] of Object.entries(theme.paints)) {
      const stripe = paint.stripe ? [...colour(paint.stripe), paint.stripe_width ?? 1] : [0, 0, 0, 0];
      const rim = paint.rim ? [...colour(paint.rim), 1] : [0, 0, 0, 0];
      paints.set([...colour(paint.color), paint.outline, ...stripe, ...rim, ...paint.opacities, 0], 16 * flags);
    }
    this.paints = paints;
  }

  /** Draw these solids, each as `solidOf` returns it. */
  setSolids(solids) {
    const { gl } = this;
    this.count = solids.length;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.solids);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(solids.flatMap((solid) => this.numbers(solid))), gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.flags);
    gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(solids.length), gl.DYNAMIC_DRAW);
  }

  setSolid(number, solid) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.solids);
    gl.bufferSubData(gl.ARRAY_BUFFER, 4 * WIDTH * number, Float32Array.from(this.numbers(solid)));
  }

  numbers({ center, radius, axes, half }) {
    return [...this.place(center), radius / this.size, ...axes.flat(), ...scaled(half, 1 / this.size)];
  }

  /** Return a point of the scene as it is drawn. */
  place(point) {
    return scaled(sub(point, this.origin), 1 / this.size);
  }

  /** Paint the solids by a byte of flags each. */
  setFlags(flags) {
    const { gl } = this;
    this.hasFaded = flags.some((flag) => flag & 4);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.flags);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, flags);
  }

  /** Draw what is set, as it is seen; a unit is so many pixels of the canvas. */
  draw(view, unitSize) {
    const { gl, canvas, theme } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...colour(theme.background), 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const [eye, reach] = [this.place(view.eye), Math.min(this.reach / this.size, FARTHEST)];
    const away = dot(scaled(eye, -1), view.forward);
    const far = away + reach;
    const near = view.parallel ? away - reach : Math.max(away - reach, 2e-3 * Math.min(reach, view.distance / this.size));
    const per = (2 * view.halfHeight(1)) / canvas.height / (view.parallel ? this.size : 1);
    const pixel = view.parallel ? [per, 0] : [0, per];
    this.view = {
      uMatrix: view.matrix(eye, this.size, near, far),
      ...{ uEye: eye, uRight: view.right, uUp: view.up, uForward: view.forward, uPixel: pixel },
      ...{ uSize: [canvas.width, canvas.height], uUnit: unitSize, uParallel: +view.parallel, uNear: view.parallel ? -1e30 : near },
      uStep: view.parallel ? (2 * per) / (far - near) : (2 * far * near * per) / (far - near),
    };
    this.drawSolids(0);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.drawGround();
    this.drawShadows();
    const made = this.made(view, unitSize);
    this.drawPatches(made.patches);
    this.drawPieces(made.ghosts, gl.GREATER);
    gl.depthMask(true);
    this.drawPieces(made.below, gl.LEQUAL);
    gl.depthMask(false);
    if (this.hasFaded) this.drawSolids(1);
    this.drawPieces(made.above, gl.ALWAYS);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  use(name, values) {
    const { gl } = this;
    const { made, places } = this.programs[name];
    gl.useProgram(made);
    for (const [key, value] of Object.entries({ ...this.view, ...values })) {
      const place = places[key];
      if (place === undefined) continue;
      if (key === "uMatrix") gl.uniformMatrix4fv(place, false, value);
      else if (value.length === undefined) gl.uniform1f(place, value);
      else gl[`uniform${value.length > 4 ? 4 : value.length}fv`](place, value);
    }
  }

  drawSolids(faded) {
    const { gl, theme } = this;
    if (!this.count) return;
    const angle = (theme.hatch_angle * Math.PI) / 180;
    const period = theme.hatch_period * this.view.uUnit;
    const { ambient, key, fill, sky } = theme.light;
    const isDark = sum(theme.background) < sum(theme.text);
    this.use("solid", {
      ...{ uPaints: this.paints, uFaded: faded, uDark: faded && isDark ? -0.6 : 1, uPeriod: period },
      ...{ uLight: [ambient, key, fill, sky], uKey: unit(theme.light.key_direction), uFill: unit(theme.light.fill_direction) },
      uHatch: [Math.cos(angle) / period, Math.sin(angle) / period, theme.hatch_width],
    });
    gl.enable(gl.CULL_FACE);
    gl.cullFace(gl.FRONT); // also from within a box around a solid, one sees its other side
    gl.bindVertexArray(this.cube);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 36, this.count);
    gl.disable(gl.CULL_FACE);
  }

  drawGround() {
    const { gl, ground } = this;
    if (!ground) return;
    const middle = this.place([...ground.center, ground.z]);
    const shift = ground.center.map((place) => ((((-place / ground.spacing) % 5) + 5) % 5));
    this.use("ground", {
      uGround: [...middle, ground.half_size / this.size],
      uSquares: [ground.half_size / ground.spacing, ...shift, 0],
      uLine: colour(this.theme.grid),
    });
    gl.bindVertexArray(this.square);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  drawShadows() {
    const { gl, theme } = this;
    for (const { center, ...sides } of this.count ? this.floors : []) {
      const [u, v] = [sides.u, sides.v].map((side) => scaled(side, 1 / this.size));
      const middle = this.place(center);
      const up = cross(u, v);
      const rows = [[v[1], -v[0]], [-u[1], u[0]], [-up[0], -up[1]]].map((row) => row.map((part) => part / up[2]));
      const [inU, inV, high] = rows.map(([x, y]) => [x, y, -x * middle[0] - y * middle[1]]);
      high[2] += middle[2];
      this.use("shadow", { uU: inU, uV: inV, uHigh: high, uStrength: theme.shadow_opacity, uColor: colour(theme.shadow) });
      gl.enable(gl.CULL_FACE);
      gl.cullFace(gl.BACK);
      gl.bindVertexArray(this.shade);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.count);
      gl.disable(gl.CULL_FACE);
    }
  }

  /** Return the pieces of all marks: what lies below, what of it is hidden, what is above all, and patches. */
  made(view, unitSize) {
    const made = { below: [], ghosts: [], above: [], patches: [] };
    const ring = colour(this.theme.halo);
    const order = ["Patch", "Stroke", "Arrow", "Marker"];
    for (const mark of [...this.marks].sort((a, b) => order.indexOf(a.is) - order.indexOf(b.is))) {
      const style = this.theme.styles[mark.role];
      const [rgb, to] = [colour(style.color), style.on_top ? made.above : made.below];
      const piece = (into, a, b, rgba, kind, half, dash = 0, pull = 1) =>
        into.push(...this.place(a), ...this.place(b), ...rgba, kind, half, dash, pull);
      if (mark.is === "Patch") {
        for (const c of mark.corners) {
          for (const k of [0, 1, 2, 0, 2, 3]) made.patches.push(...this.place(c[k]), ...rgb, style.fill);
          c.forEach((corner, k) => piece(to, corner, c[(k + 1) % 4], [...rgb, style.opacity], 0, 0.5 * style.width * unitSize));
        }
      } else if (mark.is === "Marker") {
        for (const point of mark.points) {
          const half = 0.5 * style.size * unitSize;
          piece(to, point, point, [...ring, 1], 1, half + RING * unitSize, 0, 3);
          piece(to, point, point, [...rgb, style.opacity], 1, half, 0, 4);
          if (style.ghost && !style.on_top) piece(made.ghosts, point, point, [...rgb, style.ghost], 1, half);
        }
      } else {
        const arrow = mark.is === "Arrow";
        const half = 0.5 * style.width * unitSize;
        const casing = style.halo ? [style.halo, 1] : [CASING, 0.7];
        mark.start.forEach((start, k) => {
          let [a, b] = [start, mark.end[k]];
          if (mark.about) {
            const size = view.pixelAt(mark.about[k]) * mark.pixels;
            [a, b] = [add(mark.about[k], a, size), add(mark.about[k], b, size)];
          }
          const dash = style.dashed ? DASH * unitSize : 0;
          const through = style.ghost && !style.on_top;
          if (!dash) {
            if (through) piece(made.ghosts, a, b, [...ring, casing[1] * style.ghost], 0, half + casing[0] * unitSize);
            piece(to, a, b, [...ring, casing[1] * style.opacity], arrow ? 3 : 0, half + casing[0] * unitSize, 0, 1);
            if (arrow) piece(to, a, b, [...ring, casing[1] * style.opacity], 2, casing[0] * unitSize, 0, 1);
          }
          piece(to, a, b, [...rgb, style.opacity], arrow ? 3 : 0, half, dash, 2);
          if (arrow) piece(to, a, b, [...rgb, style.opacity], 2, 0, 0, 3);
          if (through) piece(made.ghosts, a, b, [...rgb, style.ghost], 0, half, dash);
        });
      }
    }
    return made;
  }

  drawPieces(numbers, depth) {
    const { gl } = this;
    if (!numbers.length) return;
    this.use("mark", {});
    gl.depthFunc(depth);
    gl.bindVertexArray(this.strip);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.pieces);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, numbers.length / 14);
    gl.depthFunc(gl.LEQUAL);
  }

  drawPatches(numbers) {
    const { gl } = this;
    if (!numbers.length) return;
    this.use("patch", {});
    gl.bindVertexArray(this.plate);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.faces);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.TRIANGLES, 0, numbers.length / 7);
  }
}

const sum = (numbers) => numbers.reduce((all, x) => all + x, 0);
