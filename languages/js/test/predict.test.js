// Predictions by both builds: a stored network against MXNet's numbers, packed models, pictures, errors.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import * as full from "../lib/index.js";
import { inputOf } from "../lib/picture.js";
import * as small from "../lib/predict.js";
import { digits, file, near, text } from "./data.js";

const models = new URL("../page/models/", import.meta.url);
const packed = (name) => readFile(new URL(`${name}.mxg`, models));

for (const [name, { load, MixgradError }] of Object.entries({ full, small })) {
  describe(`${name} build`, async () => {
    const mx = await load();

    test("a stored network gives MXNet's numbers", async () => {
      const { pixels } = await digits(mx);
      const expected = mx.loadArrays(await file("expected.params")).probabilities.toArray();
      const shapes = { data: [20, 1, 8, 8] };
      const predictor = new mx.Predictor(await text("digits-symbol.json"), await file("digits-0001.params"), shapes);
      const last = pixels.slice(-20 * 64);
      const [found] = predictor.predict({ data: last });
      assert.deepEqual(predictor.outputShapes, [[20, 10]]);
      near(found, expected);
      assert.throws(() => predictor.predict({ image: last }), /there is no input image; inputs are data/);
      assert.throws(() => predictor.predict({ data: [1] }), /expected 1280 values, got 1/);
      predictor.dispose();
      assert.throws(() => predictor.predict({ data: last }), /disposed/);
    });

    test("a packed model names digits", async () => {
      const { pixels, labels } = await digits(mx);
      const model = new mx.Model(await packed("digits"));
      let right = 0;
      for (let i = 1500; i < 1797; ++i) {
        const scores = model.predict(pixels.subarray(64 * i, 64 * (i + 1)));
        right += scores.indexOf(Math.max(...scores)) === labels[i];
      }
      assert.ok(right > 0.93 * 297, `${right} of 297`);
      model.dispose();
      const damaged = await packed("digits");
      damaged[damaged.length - 100] ^= 1;
      assert.throws(() => new mx.Model(damaged), MixgradError);
    });

    test("a packed model names what is in a picture", async () => {
      const model = new mx.Model(await packed("shapes"));
      const [width, height] = [90, 70];
      const picture = { data: new Uint8ClampedArray(4 * width * height), width, height };
      for (let y = 0; y < height; ++y) {
        for (let x = 0; x < width; ++x) {
          const inside = (x - 45) ** 2 / 1.6 + (y - 36) ** 2 < 24 ** 2;
          picture.data.set(inside ? [230, 80, 20, 255] : [20, 40, 120, 255], 4 * (y * width + x));
        }
      }
      const found = model.classify(picture);
      assert.equal(found[0].label, "circle");
      assert.ok(found[0].score > 0.9 && found.length === 11);
      assert.throws(() => model.classify({ data: [1], width: 3, height: 3 }), /36 bytes, got 1/);
      model.dispose();
    });

    test("errors say what is wrong", () => {
      assert.throws(() => mx.Symbol.fromJSON("{"), MixgradError);
      assert.throws(() => mx.loadArrays(new Uint8Array([1, 2, 3])), /3 are left/);
      assert.throws(() => mx.NDArray.from([1, 2, 3], [2, 2]), /4 elements, got 3/);
      assert.throws(() => new mx.Model(new Uint8Array(10)), MixgradError);
      assert.throws(() => mx.NDArray.zeros([2 ** 20, 2 ** 20, 2 ** 10]), RangeError);
    });
  });
}

test("the small build says what it leaves out", async () => {
  const mx = await small.load();
  assert.throws(() => mx.NDArray.from([1]).attachGrad(), /this build leaves the function out/);
});

test("pictures are resized as Pillow does it", () => {
  const rgb = [172, 10, 127, 140, 47, 170, 196, 151, 117, 166, 22, 183, 192, 204, 33, 216, 67, 179, 78, 154, 251, 82, 162, 219,
    195, 118, 125, 139, 103, 125, 229, 216, 9, 164, 116, 108, 211, 222, 161, 159, 21, 81, 89, 165, 242, 214, 102, 98, 36, 183,
    5, 112, 87, 58, 43, 76, 70, 60, 75, 228, 216, 189, 132, 14, 88, 154, 178, 246, 140, 205, 204, 69, 58, 57, 41, 98, 193, 66,
    72, 122, 230, 125, 174, 202, 39, 74, 234, 207, 87, 168, 101, 135, 174, 200, 223, 122, 88, 94, 107, 145, 81, 139, 141, 100,
    165];
  const smaller = [148, 79, 157, 176, 113, 123, 191, 143, 98, 160, 116, 170, 128, 144, 165, 126, 146, 58, 98, 112, 95, 141, 134,
    167, 105, 116, 178, 153, 159, 122, 110, 134, 107, 123, 118, 175];
  const data = Uint8ClampedArray.from({ length: 140 }, (_, i) => (i % 4 === 3 ? 255 : rgb[3 * (i >> 2) + (i % 4)]));
  const format = { name: "data", shape: [1, 3, 3, 4], resize: 0, channels: "rgb", scale: 1, mean: [0], std: [1] };
  const planes = inputOf({ data, width: 7, height: 5 }, format);
  near(planes, smaller.map((_, i) => smaller[3 * (i % 12) + Math.floor(i / 12)]), 1);
  const gray = inputOf({ data, width: 7, height: 5 }, { ...format, shape: [1, 1, 8, 9], channels: "gray" });
  near(gray.slice(0, 9), [72, 83, 121, 144, 83, 159, 149, 130, 142], 1);
  near(gray.slice(63), [82, 115, 131, 146, 205, 119, 101, 111, 120], 1);
  const cut = inputOf({ data, width: 7, height: 5 }, { ...format, shape: [1, 3, 3, 3], resize: 5, mean: [1, 2, 3], std: [2] });
  near(cut.slice(0, 3), [139, 229, 164].map((pixel) => (pixel - 1) / 2), 0);
});
