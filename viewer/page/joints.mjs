// The joints of a robot: where their values put its links, which are rigid. Matrices, and no more.
import { add, clamp, DEGREE, product, rotated, scaled, sub, turnAbout, WORLD } from "./vectors.mjs";

const HERE = { turn: WORLD.flat(), shift: [0, 0, 0] };

export class Joints {
  /** `joints` are behind those that move them, with the axis and the pivot that each has in the pose of the file. */
  constructor({ joints, still, poses, command, loads }) {
    Object.assign(this, { all: joints, poses, command, loads });
    this.byName = new Map(joints.map((joint) => [joint.name, joint]));
    /** Of each element of the robot the nearest joint that moves it; null where none does. */
    this.movedBy = new Map(still.map((element) => [element, null]));
    for (const joint of joints) for (const element of joint.elements) this.movedBy.set(element, joint);
    for (const joint of joints) {
      joint.leader = joints[joint.follows[0]];
      [joint.least, joint.most] = [joint.limits[0] ?? -Infinity, joint.limits[1] ?? Infinity];
      /** What a reader's numbers are of, and the step of a slider in these. */
      joint.unit = joint.slides ? 1 : DEGREE;
      const span = joint.most - joint.least;
      joint.step = joint.slides ? 10 ** Math.floor(Math.log10(span > 0 && span < Infinity ? span : 1) - 2) : 0.1;
    }
    this.put(new Map());
  }

  /** Put all where changes by the names of joints, `{ row: [value] }`, bring it. */
  put(edits) {
    this.edits = edits;
    this.places = new Map(); // of each joint that has moved where it brings what it holds
    for (const joint of this.all) {
      const [{ turn, shift }, by] = [this.before(joint), this.value(joint) - joint.value];
      const own = joint.slides ? HERE.turn : turnAbout(joint.axis, by);
      const way = joint.slides ? scaled(joint.axis, by) : sub(joint.pivot, rotated(own, joint.pivot));
      if (by) this.places.set(joint, { turn: product(turn, own), shift: add(shift, rotated(turn, way)) });
      else if (shift !== HERE.shift) this.places.set(joint, { turn, shift });
    }
  }

  before(joint) {
    return this.places.get(this.all[joint.parent]) ?? HERE;
  }

  value({ leader, value, follows: [, factor] }) {
    const own = this.edits.get(leader.name)?.row[0] ?? leader.value;
    return value + factor * (own - leader.value);
  }

  /** Return the nearest value to another one that has few digits and is within the limits, or is one of these. */
  tidy({ step, unit, least, most }, value) {
    const round = clamp(+(Math.round(value / unit / step) * step).toFixed(10) * unit, least, most);
    return [least, most].reduce((best, end) => (Math.abs(end - value) < Math.abs(best - value) ? end : best), round);
  }

  /** Return the axis of a joint as it is now, and a point of it. */
  axis(joint) {
    const { turn, shift } = this.before(joint);
    return [rotated(turn, joint.axis), add(shift, rotated(turn, joint.pivot))];
  }

  /** Return the nearest joint that moves an element and can move itself, if any. */
  mover(element) {
    let joint = this.movedBy.get(element);
    while (joint && !(joint.follows[1] && joint.leader.most > joint.leader.least)) joint = this.all[joint.parent];
    return joint;
  }
}
