// Numbers and counts as a picture writes them: few digits, a real minus sign, and rounding as zero.

/** A length below this part of the coordinates that it comes from is rounding. */
const NOISE = 1e-13;

export const isRounding = (value, scale) => Math.abs(value) <= NOISE * scale;

export function number(value, scale = 1, digits = 3) {
  if (isRounding(value, scale)) return "0";
  const size = Math.abs(value);
  const rounded = +size.toPrecision(digits);
  let text = 10 ** (digits - 1) <= size ? Math.round(size).toLocaleString("en-US") : String(rounded);
  if (size < 1e-4 || size >= 1e7) text = rounded.toExponential().replace("e+", "e");
  return `${value < 0 ? "-" : ""}${text}`.replaceAll("-", "\u2212");
}

export const sizeOf = (...points) => Math.max(...points.flat().map(Math.abs));

/** Say how far apart two are, or how deep in each other. */
export function gapOf({ distance, touching, onA, onB }) {
  const text = number(Math.abs(distance), sizeOf(onA, onB));
  return touching || text === "0" ? "touching" : `${distance > 0 ? "distance" : "depth"} ${text}`;
}

export const counted = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
