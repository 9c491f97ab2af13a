// Draws the records of a picture with WebGL 2: solids, ground, shadows, and marks. Knows nothing of a scene.
import { Missing } from "./data.mjs";
import { cornerOf, facesOf, outOf, partsOf, shadowOf } from "./hulls.mjs";
import { add, columns, cross, dot, mean, scaled, sub, unit, WORLD } from "./vectors.mjs";
import { GROUND, HULL, HULL_SHADOW, MARK, PAINTS, PATCH, SHADOW, SOLID } from "./shaders.mjs";

/** Numbers of an instance: center and radius (of a cylinder, less than zero), three axes, half sizes. */
const WIDTH = 16;

/** What lies farther than so many sizes of a scene, as by a number that was typed, takes no depth from the rest. */
const FARTHEST = 1e9;

/** Length of a dash with its gap, width of the casing of lines and of the ring of dots, in units. */
const [DASH, CASING, RING] = [15, 1.3, 1.6];

/** What a mark is made of, as the shader numbers it; how many units its casing and itself are before what it is on. */
const PARTS = { Stroke: [[0, 1, 2]], Marker: [[1, 3, 4]], Arrow: [[3, 1, 2], [2, 1, 3]] };
const HEAD_OF_ARROW = 2;

/** So many solids that are not there are drawn at most, and the flags that paint them. */
const [MOST_GHOSTS, GHOST] = [16, 36];

/** In this order marks are drawn. */
const ORDER = ["Patch", "Stroke", "Arrow", "Marker"];

/** Numbers of a vertex of a hull, and of its shadow. */
const [OF_FACE, OF_SHADOW] = [[3, 3, 3, 4, 4, 4], [2, 2, 3, 3, 3]];

/**
 * Return how a solid lies in the picture, from its kind and its numbers; null for what is no solid.
 *
 * Of a hull there are also those by which kernels know its corners and faces.
 */
export function solidOf(kind, row, hull) {
  if (kind === "Sphere") return { center: row.slice(0, 3), radius: row[3], axes: WORLD, half: [0, 0, 0] };
  if (kind === "Capsule" || kind === "Cylinder") {
    const [a, b] = [row.slice(0, 3), row.slice(3, 6)];
    const way = sub(b, a);
    const long = Math.hypot(...way);
    const z = long > 0 ? scaled(way, 1 / long) : [0, 0, 1];
    const x = unit(cross(z, Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    const lies = { center: mean(a, b), radius: row[6], axes: [x, cross(z, x), z], half: [0, 0, 0.5 * long] };
    return { ...lies, isFlat: kind === "Cylinder" };
  }
  if (kind === "AABB") {
    const [low, high] = [row.slice(0, 3), row.slice(3, 6)];
    const half = scaled(sub(high, low), 0.5);
    return { center: add(low, half), radius: 0, axes: WORLD, half };
  }
  if (kind === "OrientedBox") {
    return { center: row.slice(0, 3), radius: 0, axes: columns(row.slice(3)), half: row.slice(12, 15) };
  }
  if (kind === "ConvexHull") {
    const [radius, ...rest] = row;
    const [center, axes] = [rest.slice(0, 3), columns(rest.slice(3))];
    if (hull[0] > 2) return { center, radius, axes, half: [0, 0, 0.5 * hull[4]], hull };
    const ends = [0, hull[0] - 1].flatMap((k) => outOf(axes, cornerOf(hull, k), center));
    return solidOf("Capsule", [...ends, radius]);
  }
  return null;
}

const colour = (rgb) => rgb.map((part) => part / 255);
const sum = (numbers) => numbers.reduce((all, x) => all + x, 0);

export class Stage {
  /**
   * @param {number[]} origin all places are drawn relative to it
   * @param {number} size all lengths are drawn as parts of it, as numbers of a graphics card end at 1e38; a power of
   *   two, so that nothing is rounded
   * @param {number} count of the solids, none of which is there at first
   * @throws {Missing} if there is no WebGL 2
   */
  constructor(canvas, { origin, size, count, ground, floors }) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Missing("WebGL 2, which draws it, is missing here");
    Object.assign(this, { canvas, gl, origin, size, count, ground, floors });
    const names = ["solids", "flags", "rounds", "roundFlags", "pieces", "patches", "faces", "shadow"];
    for (const name of names) this[name] = gl.createBuffer();
    this.lies = new Float32Array(WIDTH * count); // how each solid does
    this.hulls = new Map(); // how those lie that are hulls, by their numbers
    const [square, cube] = [gl.createBuffer(), gl.createBuffer()];
    this.fill(square, [-1, -1, 1, -1, -1, 1, 1, 1]);
    const sides = [..."013032475467051045237276026064173157"].map(Number); // two triangles each, by their corners
    this.fill(cube, sides.flatMap((corner) => [1, 2, 4].map((side) => (corner & side ? 1 : -1))));
    const flat = { buffer: square, widths: [2] };
    const places = { buffer: this.solids, widths: [4, 3, 3, 3, 3], each: 1 };
    const solids = [places, { buffer: this.flags, widths: [1], each: 1 }];
    const rounds = [{ ...places, buffer: this.rounds }, { ...solids[1], buffer: this.roundFlags }];
    this.programs = {
      solid: this.program(SOLID, { buffer: cube, widths: [3] }, ...solids),
      round: this.program(SOLID, { buffer: cube, widths: [3] }, ...rounds),
      shadow: this.program(SHADOW, flat, ...solids),
      ground: this.program(GROUND, flat),
      mark: this.program(MARK, flat, { buffer: this.pieces, widths: [3, 3, 4, 4], each: 1 }),
      patch: this.program(PATCH, { buffer: this.patches, widths: [3, 4] }),
      hull: this.program(HULL, { buffer: this.faces, widths: OF_FACE }),
      hullShadow: this.program(HULL_SHADOW, { buffer: this.shadow, widths: OF_SHADOW }),
    };
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

  fill(buffer, numbers) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    const given = numbers instanceof Float32Array ? numbers : Float32Array.from(numbers);
    gl.bufferData(gl.ARRAY_BUFFER, given, gl.DYNAMIC_DRAW);
  }

  /** Return a program, its uniforms, and its vertices: numbers of so many attributes, of each or of each instance. */
  program({ vertex, fragment }, ...parts) {
    const { gl } = this;
    const [made, vertices, places] = [gl.createProgram(), gl.createVertexArray(), {}];
    for (const [kind, code] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, code);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) {
      const logs = [gl.getProgramInfoLog(made), ...gl.getAttachedShaders(made).map((one) => gl.getShaderInfoLog(one))];
      throw new Error(`a program of the graphics card does not compile: ${logs.join(" ")}`);
    }
    for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
      const { name } = gl.getActiveUniform(made, k);
      places[name.replace("[0]", "")] = gl.getUniformLocation(made, name);
    }
    gl.bindVertexArray(vertices);
    let place = 0;
    for (const { buffer, widths, each = 0 } of parts) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      let offset = 0;
      for (const width of widths) {
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, width, gl.FLOAT, false, 4 * sum(widths), 4 * offset);
        gl.vertexAttribDivisor(place++, each);
        offset += width;
      }
    }
    return { made, places, vertices };
  }

  /** Take a theme's colours. */
  setTheme(theme) {
    this.theme = theme;
    this.paints = new Float32Array(16 * PAINTS);
    for (const [flags, paint] of Object.entries(theme.paints)) {
      const stripe = paint.stripe ? [...colour(paint.stripe), paint.stripe_width ?? 1] : [0, 0, 0, 0];
      const rim = paint.rim ? [...colour(paint.rim), 1] : [0, 0, 0, 0];
      this.paints.set([...colour(paint.color), paint.outline, ...stripe, ...rim, ...paint.opacities, 0], 16 * flags);
    }
  }

  /** Have a solid of some number there, as `solidOf` returns it. */
  setSolid(number, solid) {
    if (solid.hull) this.setHull(number, solid);
    else this.lies.set(this.row(solid), WIDTH * number);
  }

  /** Return the numbers by which a solid is drawn. */
  row({ center, radius, axes, half, isFlat }) {
    const { size } = this;
    return [...this.place(center), (isFlat ? -radius : radius) / size, ...axes.flat(), ...scaled(half, 1 / size)];
  }

  /** Have a hull of some number there, which always has the same faces: of one that is grown, edges are capsules. */
  setHull(number, { center, radius, axes, hull }) {
    const [old, isGrown] = [this.hulls.get(number), radius > 0];
    const lies = { center: this.place(center), axes, radius: radius / this.size };
    const parts = old?.parts ?? partsOf(hull, 1 / this.size);
    const same = old?.isGrown === isGrown;
    const faces = same ? old.faces : { vertices: facesOf(parts, isGrown) };
    if (!same) this.stale = true;
    const places = parts.corners.map((corner) => outOf(axes, corner, center, this.size));
    const capsule = ([a, b]) => this.row(solidOf("Capsule", [...places[a], ...places[b], radius]));
    const rounds = isGrown ? parts.edges.flatMap(capsule) : [];
    this.hulls.set(number, { ...lies, parts, isGrown, faces, rounds, shadow: shadowOf(parts, lies) });
  }

  /** Paint the solids by a byte of flags each, and those among marks that are not there. */
  paint(flags, marks) {
    for (const number of this.hulls.keys()) if (number >= this.count) this.stale = this.hulls.delete(number);
    const ghosts = marks.filter(({ is }) => is === "Ghost").slice(0, MOST_GHOSTS);
    const [hulls, others] = [true, false].map((is) => ghosts.filter(({ solid }) => Boolean(solid.hull) === is));
    hulls.forEach(({ solid }, k) => this.setHull(this.count + k, solid));
    for (const [number, hull] of this.hulls) hull.flags = number < this.count ? flags[number] : GHOST;
    const own = [...this.hulls.values()];
    const more = others.flatMap(({ solid }) => this.row(solid));
    const solids = new Float32Array(this.lies.length + more.length);
    solids.set(this.lies);
    solids.set(more, this.lies.length);
    const all = [...flags, ...others.map(() => GHOST)];
    const edges = own.flatMap((hull) => Array(hull.rounds.length / WIDTH).fill(hull.flags));
    [this.instances, this.edges] = [all.length, edges.length];
    this.hasFaded = all.some((flag) => flag & 4) || own.some((hull) => hull.flags & 4);
    this.fill(this.flags, all);
    this.fill(this.solids, solids);
    this.fill(this.roundFlags, edges);
    this.fill(this.rounds, own.flatMap((hull) => hull.rounds));
    if (this.stale) this.join("faces", sum(OF_FACE));
    this.stale = false;
    this.join("shadow", sum(OF_SHADOW));
  }

  /** Fill a buffer with the vertices of hulls, and note where in it those of each begin. */
  join(name, width) {
    const parts = [...this.hulls.values()].map((hull) => hull[name]);
    let end = 0;
    for (const part of parts) {
      [part.first, part.count] = [end, part.vertices.length / width];
      end += part.count;
    }
    const numbers = new Float32Array(width * end);
    for (const { vertices, first } of parts) numbers.set(vertices, width * first);
    this.fill(this[name], numbers);
  }

  /** Return a point of the scene as it is drawn. */
  place(point) {
    return scaled(sub(point, this.origin), 1 / this.size);
  }

  /** Draw all as it is seen, up to so far from the origin, with flags and marks; a unit is so many pixels. */
  draw(view, flags, marks, reachOfAll, unitSize) {
    const { gl, canvas, theme } = this;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...colour(theme.background), 1);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    const [eye, reach] = [this.place(view.eye), Math.min(reachOfAll / this.size, FARTHEST)];
    const away = dot(scaled(eye, -1), view.forward);
    const far = away + reach;
    const least = 2e-3 * Math.min(reach, view.distance / this.size);
    const near = view.parallel ? away - reach : Math.max(away - reach, least);
    const per = (2 * view.halfHeight(1)) / canvas.height / (view.parallel ? this.size : 1);
    this.view = {
      uMatrix: view.matrix(eye, this.size, near, far),
      ...{ uEye: eye, uRight: view.right, uUp: view.up, uForward: view.forward },
      ...{ uPixel: view.parallel ? [per, 0] : [0, per], uSize: [canvas.width, canvas.height], uUnit: unitSize },
      ...{ uParallel: +view.parallel, uNear: view.parallel ? -1e30 : near },
      uStep: view.parallel ? (2 * per) / (far - near) : (2 * far * near * per) / (far - near),
    };
    this.paint(flags, marks);
    this.drawSolids(0);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.drawGround();
    this.drawShadows();
    const pieces = this.piecesOf(marks, unitSize);
    this.fill(this.patches, pieces.patches);
    this.run("patch", {}, pieces.patches.length / 7);
    this.drawPieces(pieces.ghosts, gl.GREATER);
    gl.depthMask(true);
    this.drawPieces(pieces.below, gl.LEQUAL);
    gl.depthMask(false);
    if (this.hasFaded) this.drawSolids(1);
    this.drawPieces(pieces.above, gl.ALWAYS);
    gl.disable(gl.BLEND);
  }

  /** Run a program on so many vertices, four of which are a square, for each of so many instances. */
  run(name, values, vertices, instances = 1, cull = 0, first = 0) {
    const { gl } = this;
    const { made, places, vertices: own } = this.programs[name];
    gl.useProgram(made);
    gl.bindVertexArray(own);
    for (const [key, value] of Object.entries({ ...this.view, ...values })) {
      const place = places[key];
      if (place === undefined) continue;
      if (key === "uMatrix") gl.uniformMatrix4fv(place, false, value);
      else if (value.length === undefined) gl.uniform1f(place, value);
      else gl[`uniform${Math.min(value.length, 4)}fv`](place, value);
    }
    if (cull) gl.enable(gl.CULL_FACE);
    gl.cullFace(cull || gl.BACK);
    gl.drawArraysInstanced(vertices === 4 ? gl.TRIANGLE_STRIP : gl.TRIANGLES, first, vertices, instances);
    gl.disable(gl.CULL_FACE);
  }

  drawSolids(faded) {
    const { gl, theme } = this;
    const angle = (theme.hatch_angle * Math.PI) / 180;
    const period = theme.hatch_period * this.view.uUnit;
    const { ambient, key, fill, sky, key_direction: toKey, fill_direction: toFill } = theme.light;
    const isDark = sum(theme.background) < sum(theme.text);
    const values = {
      ...{ uPaints: this.paints, uFaded: faded, uDark: faded && isDark ? -0.6 : 1, uPeriod: period },
      ...{ uLight: [ambient, key, fill, sky], uKey: unit(toKey), uFill: unit(toFill) },
      uHatch: [Math.cos(angle) / period, Math.sin(angle) / period, theme.hatch_width],
    };
    this.run("solid", values, 36, this.instances, gl.FRONT); // also from within a box one sees its other side
    const hulls = [...this.hulls.values()].filter(({ flags }) => Boolean(flags & 4) === Boolean(faded));
    this.drawHulls(hulls.filter(({ isGrown }) => !isGrown), values);
    const grown = hulls.filter(({ isGrown }) => isGrown);
    if (!grown.length) return;
    for (const color of faded ? [false, true] : [true]) { // of what is seen through, only what is nearest
      gl.colorMask(color, color, color, color);
      gl.depthMask(!color || !faded);
      this.run("round", values, 36, this.edges, gl.FRONT);
      this.drawHulls(grown, values);
    }
  }

  drawHulls(hulls, values) {
    for (const { center, radius, axes: [uX, uY, uZ], flags: uFlags, faces: { first, count } } of hulls) {
      const lies = { uCenter: [...center, radius], uX, uY, uZ, uFlags };
      this.run("hull", { ...values, ...lies }, count, 1, this.gl.BACK, first);
    }
  }

  drawGround() {
    const { ground } = this;
    if (!ground) return;
    const middle = this.place([...ground.center, ground.z]);
    const shift = ground.center.map((place) => ((((-place / ground.spacing) % 5) + 5) % 5));
    const squares = [ground.half_size / ground.spacing, ...shift, 0];
    const place = [...middle, ground.half_size / this.size];
    this.run("ground", { uGround: place, uSquares: squares, uLine: colour(this.theme.grid) }, 4);
  }

  drawShadows() {
    const { gl, theme } = this;
    for (const { center, ...sides } of this.floors) {
      const [u, v] = [sides.u, sides.v].map((side) => scaled(side, 1 / this.size));
      const middle = this.place(center);
      const up = cross(u, v);
      const rows = [[v[1], -v[0]], [-u[1], u[0]], [-up[0], -up[1]]].map((row) => row.map((part) => part / up[2]));
      const [inU, inV, high] = rows.map(([x, y]) => [x, y, -x * middle[0] - y * middle[1]]);
      high[2] += middle[2];
      const values = { uU: inU, uV: inV, uHigh: high, uStrength: theme.shadow_opacity, uColor: colour(theme.shadow) };
      this.run("shadow", values, 4, this.instances, gl.BACK);
      for (const { shadow: { middle, reach, first, count }, flags } of this.hulls.values()) {
        const lies = { uCenter: middle, uReach: reach };
        if (!(flags & 4)) this.run("hullShadow", { ...values, ...lies }, count, 1, gl.BACK, first);
      }
    }
  }

  /** Return the pieces of all marks: what lies below, what of it is hidden, what is above all, and patches. */
  piecesOf(marks, unitSize) {
    const made = { below: [], ghosts: [], above: [], patches: [] };
    const halo = colour(this.theme.halo);
    const piece = (into, [a, b], rgb, opacity, part, half, dash = 0, pull = 1) =>
      into.push(...this.place(a), ...this.place(b), ...rgb, opacity, part, half, dash, pull);
    const sorted = ORDER.flatMap((kind) => marks.filter((mark) => mark.is === kind));
    for (const { is, role, start, end, points, corners } of sorted) {
      const style = this.theme.styles[role];
      const [rgb, to] = [colour(style.color), style.on_top ? made.above : made.below];
      const half = 0.5 * (points ? style.size : style.width) * unitSize;
      for (const four of corners ?? []) {
        for (const k of [0, 1, 2, 0, 2, 3]) made.patches.push(...this.place(four[k]), ...rgb, style.fill);
        four.forEach((corner, k) => piece(to, [corner, four[(k + 1) % 4]], rgb, style.opacity, 0, half));
      }
      const dash = style.dashed && !points ? DASH * unitSize : 0;
      const [casing, strength] = points ? [RING, 1] : style.halo ? [style.halo, 1] : [CASING, 0.7];
      const wide = (part) => (part === HEAD_OF_ARROW ? 0 : half);
      const pairs = points ? points.map((point) => [point, point]) : (start ?? []).map((from, k) => [from, end[k]]);
      for (const pair of pairs) {
        for (const [part, pull] of dash ? [] : PARTS[is]) {
          piece(to, pair, halo, strength * (points ? 1 : style.opacity), part, wide(part) + casing * unitSize, 0, pull);
        }
        for (const [part, , pull] of PARTS[is]) {
          piece(to, pair, rgb, style.opacity, part, wide(part), part === HEAD_OF_ARROW ? 0 : dash, pull);
        }
        if (!style.ghost || style.on_top) continue;
        const part = points ? 1 : 0;
        if (!dash && !points) piece(made.ghosts, pair, halo, strength * style.ghost, part, half + casing * unitSize);
        piece(made.ghosts, pair, rgb, style.ghost, part, half, dash);
      }
    }
    return made;
  }

  drawPieces(numbers, depth) {
    const { gl } = this;
    this.fill(this.pieces, numbers);
    gl.depthFunc(depth);
    this.run("mark", {}, 4, numbers.length / 14);
    gl.depthFunc(gl.LEQUAL);
  }
}
