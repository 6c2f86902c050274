// Arrays, operators, gradients, graphs, training, files, errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, MixgradError } from "../lib/index.js";
import { digits, near } from "./data.js";

const mx = await load();
const values = (array) => [...array.toArray()];

test("operators compute on arrays", () => {
  const x = mx.NDArray.from([1, -2, 3, -4, 5, -6], [2, 3]);
  assert.deepEqual(values(mx.nd.Activation(x, { act_type: "relu" })), [1, 0, 3, 0, 5, 0]);
  assert.deepEqual(values(mx.nd.elemwise_add(x, x)), [2, -4, 6, -8, 10, -12]);
  assert.deepEqual(values(mx.nd.sum(x, { axis: 1 })), [2, -5]);
  assert.deepEqual(mx.nd.Concat([x, x], { dim: 0 }).shape, [4, 3]);
  assert.deepEqual(mx.nd.SliceChannel(x, { num_outputs: 3, axis: 1 }).map(values), [[1, -4], [-2, 5], [3, -6]]);
  assert.deepEqual(values(mx.nd.slice(x, { begin: [null, 1], end: [null, 3] })), [-2, 3, 5, -6]);
  assert.deepEqual(values(x.mul(2).add(x).sub(1).div(x)), [2, 3.5, 8 / 3, 3.25, 2.8, 19 / 6].map(Math.fround));
  assert.deepEqual([x.reshape(3, -1).shape, values(x.slice(1))], [[3, 2], [-4, 5, -6]]);
  const whole = mx.NDArray.from([1, 2], [2], "int32");
  assert.equal(whole.dtype, "int32");
  assert.deepEqual(mx.nd.Cast(whole, { dtype: "float64" }).toArray(), Float64Array.of(1, 2));
  assert.deepEqual(mx.NDArray.from([1n, -2n], [2], "int64").toArray(), BigInt64Array.of(1n, -2n));
  assert.equal(mx.nd.exp(x, { out: x }), x);
  near(x.toArray(), [1, -2, 3, -4, 5, -6].map(Math.exp), 1e-4);
  mx.seed(3);
  const drawn = values(mx.nd.random_uniform({ shape: [2, 5] }));
  mx.seed(3);
  assert.deepEqual(values(mx.nd.random_uniform({ shape: [2, 5] })), drawn);
});

test("gradients flow", () => {
  const x = mx.NDArray.from([0.5, -1, 2]);
  assert.equal(x.grad, null);
  x.attachGrad();
  mx.autograd.record(() => mx.nd.sum(mx.nd.exp(x).mul(x))).backward();
  near(x.grad.toArray(), [0.5, -1, 2].map((v) => Math.exp(v) * (v + 1)));
  assert.throws(() => mx.nd.exp(x).backward(), MixgradError);
});

test("graphs are built, inferred and kept as JSON", () => {
  const data = mx.Symbol.variable("data");
  const net = mx.sym.FullyConnected(mx.sym.Flatten(data), { num_hidden: 3, name: "fc1" });
  assert.deepEqual(net.arguments, ["data", "fc1_weight", "fc1_bias"]);
  assert.deepEqual(net.inferShape({ data: [5, 2, 2] }).arguments, [[5, 2, 2], [3, 4], [3]]);
  assert.deepEqual(mx.Symbol.fromJSON(net.json).arguments, net.arguments);
  const weights = { fc1_weight: mx.NDArray.from(new Float32Array(12).fill(1), [3, 4]), fc1_bias: mx.NDArray.from([0, 1, 2]) };
  const [out] = new mx.Predictor(net.mul(2).add(1), weights, { data: [1, 2, 2] }).predict({ data: [1, 2, 3, 4] });
  assert.deepEqual([...out], [21, 23, 25]);
  assert.deepEqual(mx.sym.SliceChannel(data, { num_outputs: 2 }).output(1).inferShape({ data: [1, 4] }).outputs, [[1, 2]]);
});

test("a network learns the digits", async () => {
  const { pixels, labels } = await digits(mx);
  let net = mx.sym.Convolution(mx.Symbol.variable("data"), { kernel: [3, 3], num_filter: 16, pad: [1, 1], name: "conv" });
  net = mx.sym.Pooling(mx.sym.Activation(net, { act_type: "relu" }), { kernel: [2, 2], stride: [2, 2], pool_type: "max" });
  net = mx.sym.FullyConnected(mx.sym.Flatten(net), { num_hidden: 10, name: "fc" });
  net = mx.sym.SoftmaxOutput(net, { name: "softmax" });
  const batch = 50;
  mx.seed(1);
  const executor = new mx.Executor(net, { data: [batch, 1, 8, 8], softmax_label: [batch] }, { gradients: true });
  const { arguments: given, gradients } = executor;
  assert.deepEqual(Object.keys(gradients), ["conv_weight", "conv_bias", "fc_weight", "fc_bias"]);
  const momenta = {};
  for (const name of Object.keys(gradients)) {
    momenta[name] = mx.NDArray.zeros(given[name].shape);
    if (name.endsWith("weight")) mx.nd.random_uniform({ low: -0.1, high: 0.1, shape: given[name].shape, out: given[name] });
  }
  const run = (begin, training) => {
    given.data.set(pixels.subarray(64 * begin, 64 * (begin + batch)));
    given.softmax_label.set(labels.subarray(begin, begin + batch));
    return executor.forward({ training })[0];
  };
  for (let epoch = 0; epoch < 12; ++epoch) {
    for (let begin = 0; begin < 1500; begin += batch) {
      run(begin, true);
      executor.backward();
      for (const [name, gradient] of Object.entries(gradients)) {
        const options = { lr: 0.1, momentum: 0.9, rescale_grad: 1 / batch, out: given[name] };
        mx.nd.sgd_mom_update(given[name], gradient, momenta[name], options);
      }
    }
  }
  let right = 0;
  for (let begin = 1500; begin < 1750; begin += batch) {
    mx.scope(() => {
      const guesses = mx.nd.argmax(run(begin, false), { axis: 1 }).toArray();
      guesses.forEach((guess, i) => { right += guess === labels[begin + i]; });
    });
  }
  assert.ok(right > 225, `${right} of 250 held-out digits`);
});

test("files keep arrays", () => {
  const saved = mx.saveArrays({ a: mx.NDArray.from([1, 2, 3]), b: mx.NDArray.from([4, 5], [1, 2], "int32") });
  const { a, b } = mx.loadArrays(saved);
  assert.deepEqual([values(a), b.shape, b.dtype, values(b)], [[1, 2, 3], [1, 2], "int32", [4, 5]]);
});

test("a scope gives back what it made", () => {
  let inner;
  const [kept, { other }] = mx.scope(() => {
    inner = mx.NDArray.from([1]);
    return [inner.add(1), { other: mx.scope(() => inner.add(2)) }];
  });
  assert.deepEqual([values(kept), values(other)], [[2], [3]]);
  assert.throws(() => inner.toArray(), /NDArray.*disposed/);
  assert.deepEqual(mx.scope(() => kept.add(1).toArray()), Float32Array.of(3));
  assert.throws(() => mx.scope(async () => 1), /asynchronous/);
  for (let i = 0; i < 300; ++i) mx.scope(() => { mx.NDArray.zeros([4, 2 ** 20]); }); // 4.7 GiB in turn
});

test("errors say what is wrong", () => {
  const [a, b] = [mx.NDArray.from([1, 2, 3]), mx.NDArray.from([1, 2])];
  assert.throws(() => mx.nd.elemwise_add(a, b), (error) => error instanceof MixgradError && /\(3,\)/.test(error.message));
  assert.throws(() => mx.nd.Activation(a, { act: "relu" }), /no parameter act; parameters are act_type/);
  assert.throws(() => mx.nd.Activation(a, { act_type: {} }), /act_type is \{\}; expected str/);
  assert.throws(() => mx.nd.sum(a, { axis: 0.5 }), /axis is 0.5; expected/);
  assert.throws(() => mx.nd.Activation(3, { act_type: "relu" }), /expected NDArray/);
  assert.throws(() => a.reshape(2, -1), /2, 1/);
  assert.throws(() => mx.NDArray.from([1], [1], "float"), /dtype float; expected one of float32/);
  assert.throws(() => new mx.Predictor(mx.sym.Flatten(mx.Symbol.variable("x")), {}, { y: [1] }), MixgradError);
});
