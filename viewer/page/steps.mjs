// Steps that follow a scene: plays the tape of their numbers, as `collision/explaining/tape.py` has recorded it.
import { mean } from "./vectors.mjs";

const COMPARISONS = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const negative = (x) => x < 0 || Object.is(x, -0);

/** Operations; where Python raises an error, there is no number. */
const OPERATIONS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0 ? NaN : a / b),
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  sign: (a, b) => (negative(a) === negative(b) ? a : -a),
  max: (a, b) => (b > a ? b : a),
  min: (a, b) => (b < a ? b : a),
};

class NoNumber extends Error {}

/**
 * Return which of the explanations on a tape is that of other numbers of the shapes, and what gives the number at a
 * place; null where none is.
 *
 * @param {object} tape `steps`, and of each explanation in `told` its `checks`, and the `states` that it is of
 * @param {object} numbers the fields of each shape by its name, one after the other
 * @param {string} state the state that is open
 */
export function played({ steps, told }, numbers, state) {
  const known = new Map();
  const at = (place) => {
    let value = known.get(place);
    if (value !== undefined) return value;
    const [operation, ...sides] = steps[place];
    if (operation === "given") value = numbers[sides[0]][sides[1]];
    else if (operation === "=") value = Number(sides[0]);
    else value = OPERATIONS[operation](...sides.map(at));
    if (Number.isNaN(value)) throw new NoNumber();
    known.set(place, value);
    return value;
  };
  for (const [number, { states, checks, places }] of told.entries()) {
    if (!states.includes(state)) continue;
    try {
      if (!checks.every(([sign, a, b, held]) => COMPARISONS[sign](at(a), at(b)) === Boolean(held))) continue;
      places.forEach(at);
      return { number, at };
    } catch (error) {
      if (!(error instanceof NoNumber)) throw error;
    }
  }
  return null;
}

/** Return a number with so many digits at most, as Python's format "g" writes it. */
export function general(x, digits) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "nan" : x > 0 ? "inf" : "-inf";
  const minus = negative(x) ? "-" : "";
  if (x === 0) return `${minus}0`;
  let [mantissa, power] = Math.abs(x).toExponential(digits - 1).split("e");
  const whole = Math.abs(x).toExponential(100).split("e")[0].replace(".", "");
  if (/^50*$/.test(whole.slice(digits)) && Number(whole[digits - 1]) % 2 === 0) {
    mantissa = `${whole[0]}.${whole.slice(1, digits)}`; // halves go to the even neighbour, and not up
    power = Math.abs(x).toExponential(100).split("e")[1];
  }
  const all = mantissa.replace(".", "");
  const exponent = Number(power);
  const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0*$/, "") : text);
  if (exponent < -4 || exponent >= digits) {
    const places = String(Math.abs(exponent)).padStart(2, "0");
    return `${minus}${trimmed(`${all[0]}.${all.slice(1)}`)}e${exponent < 0 ? "-" : "+"}${places}`;
  }
  if (exponent < 0) return `${minus}${trimmed(`0.${"0".repeat(-exponent - 1)}${all}`)}`;
  return `${minus}${trimmed(`${all.slice(0, exponent + 1)}.${all.slice(exponent + 1)}`)}`;
}

/** Return a number as MathML, as `number_as_html` does in Python. */
function mathOf(text) {
  const [digits, power] = text.split("e");
  const number = `${digits.startsWith("-") ? "<mo>\u2212</mo>" : ""}<mn>${digits.replace("-", "")}</mn>`;
  if (!power) return number;
  const minus = power.startsWith("-") ? "<mo>\u2212</mo>" : "";
  return `${number}<mo>\u00d7</mo><msup><mn>10</mn><mrow>${minus}<mn>${Math.abs(Number(power))}</mn></mrow></msup>`;
}

/** Return what a step draws in the scene, with its labels. */
export function marksAt(marks, at) {
  const pointsAt = (field) => Array.from({ length: field.length / 3 }, (_, k) => field.slice(3 * k, 3 * k + 3).map(at));
  const made = marks.map(({ is, role, label, fields }) => {
    const [start, end] = fields.map(pointsAt);
    const mark = end ? { is, role, start, end } : { is, role, points: start };
    return { mark, label: { point: end ? mean(start[0], end[0]) : start[0], text: label } };
  });
  return { marks: made.map(({ mark }) => mark), labels: made.map(({ label }) => label).filter(({ text }) => text) };
}

/** Put the numbers of a tape into the elements that name their places. */
export function fill(element, at) {
  for (const each of element.querySelectorAll("[data-n]")) {
    const text = general(at(Number(each.dataset.n)), Number(each.dataset.g));
    if (each.dataset.text === text) continue;
    each.dataset.text = text;
    if (each.localName === "span") each.textContent = text;
    else each.innerHTML = mathOf(text);
  }
}
