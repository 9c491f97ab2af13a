// What lies packed in the page: base64 of gzip, of JSON, code or WebAssembly. Numbers keep all their bits.

/** Return the bytes that were packed as text. */
export async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Return the JSON that was packed as text. */
export async function unpackedJson(text) {
  return JSON.parse(new TextDecoder().decode(await unpacked(text)));
}

/** Return the numbers of an array of a record, one after the other. */
export function numbersOf(array) {
  const bytes = Uint8Array.from(atob(array.base64), (letter) => letter.charCodeAt(0));
  if (array.is === "uint8") return bytes;
  const view = new DataView(bytes.buffer);
  if (array.is === "float32") return Float32Array.from({ length: bytes.length / 4 }, (_, k) => view.getFloat32(4 * k, true));
  return Float64Array.from({ length: bytes.length / 8 }, (_, k) => view.getFloat64(8 * k, true));
}

/** Return the points of an array of a record. */
export function pointsOf(array) {
  const numbers = numbersOf(array);
  return Array.from({ length: numbers.length / 3 }, (_, k) => [...numbers.subarray(3 * k, 3 * k + 3)]);
}

/** Something that a browser lacks, for which a scene stays a picture: the text says it to the reader. */
export class Missing extends Error {}
