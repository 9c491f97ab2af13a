// What lies packed in the page: base64 of gzip, of JSON, code or WebAssembly. Numbers keep all their bits.

/** Something that a browser lacks, for which a scene stays a picture: the text says it to the reader. */
export class Missing extends Error {}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** Return the bytes that were packed as text. */
export async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the JSON that was packed as text. */
export async function unpackedJson(text) {
  return JSON.parse(new TextDecoder().decode(await unpacked(text)));
}

/** Return the numbers of an array of a record, one after the other; where WebAssembly runs, the low byte is first. */
export function numbersOf({ is, base64 }) {
  const bytes = bytesOf(base64);
  if (is === "uint8") return bytes;
  return is === "float32" ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
}

/** Return the points of an array of a record. */
export function pointsOf(array) {
  const numbers = numbersOf(array);
  return Array.from({ length: numbers.length / 3 }, (_, k) => [...numbers.subarray(3 * k, 3 * k + 3)]);
}
