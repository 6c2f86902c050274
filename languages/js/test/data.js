// The files that the tests of all language packages read, and a comparison.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

const folder = new URL("../../data/", import.meta.url);

export const file = async (name) => new Uint8Array(await readFile(new URL(name, folder)));
export const text = (name) => readFile(new URL(name, folder), "utf8");

/** Pixels of the digits, 0 to 1, with their labels. */
export async function digits(mx) {
  const { images, labels } = mx.loadArrays(await file("digits.params"));
  return { pixels: Float32Array.from(images.toArray(), (value) => value / 16), labels: Float32Array.from(labels.toArray()) };
}

export function near(found, expected, tolerance = 1e-5) {
  assert.equal(found.length, expected.length);
  found.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= tolerance, `[${i}] ${value}, expected ${expected[i]}`));
}
