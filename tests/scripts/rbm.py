"""A restricted Boltzmann machine: contrastive divergence on arrays, without a graph."""

import mxnet as mx
import numpy as np

mx.random.seed(36)
rng = np.random.RandomState(36)
batch_size, visible, hidden = 50, 64, 32
ctx = mx.cpu()


def pictures(count):
    """Bars and stripes of eight by eight."""
    lines = (rng.rand(count, 8, 1) < 0.4) * np.ones((1, 1, 8))
    turned = rng.rand(count) < 0.5
    lines[turned] = lines[turned].transpose(0, 2, 1)
    return lines.reshape((count, -1)).astype("float32")


weight = mx.nd.random.normal(0, 0.01, shape=(hidden, visible), ctx=ctx)
visible_bias, hidden_bias = mx.nd.zeros((visible,), ctx), mx.nd.zeros((hidden,), ctx)


def sample_hidden(v):
    chance = mx.nd.sigmoid(mx.nd.FullyConnected(v, weight, hidden_bias, num_hidden=hidden))
    return chance, chance > mx.nd.random.uniform(shape=chance.shape, ctx=ctx)


def sample_visible(h):
    chance = mx.nd.sigmoid(mx.nd.broadcast_add(mx.nd.dot(h, weight), visible_bias))
    return chance, chance > mx.nd.random_uniform(0, 1, shape=chance.shape, ctx=ctx)


def free_energy(v):
    inputs = mx.nd.FullyConnected(v, weight, hidden_bias, num_hidden=hidden)
    return -mx.nd.dot(v, visible_bias) - mx.nd.Activation(inputs, act_type="softrelu").sum(axis=1)


train = mx.io.NDArrayIter(pictures(2000), batch_size=batch_size, shuffle=True)
chain = mx.nd.random.uniform(shape=(batch_size, visible), ctx=ctx) > 0.5
for epoch in range(60):
    train.reset()
    rate = 0.1 * 0.97**epoch
    for batch in train:
        data = batch.data[0].as_in_context(ctx)
        up, _ = sample_hidden(data)
        for _ in range(2):
            _, h = sample_hidden(chain)
            _, chain = sample_visible(h)
        down, _ = sample_hidden(chain)
        weight += (
            2
            * rate
            / batch_size
            * (mx.nd.dot(up, data, transpose_a=True) - mx.nd.dot(down, chain, transpose_a=True))
        )
        visible_bias += rate * mx.nd.mean(data - chain, axis=0)
        hidden_bias += rate * mx.nd.mean(up - down, axis=0)

test = mx.nd.array(pictures(200))
_, h = sample_hidden(test)
again, _ = sample_visible(h)
error = mx.nd.mean(mx.nd.abs(test - again)).asscalar()
mixed = mx.nd.array(np.stack([rng.permutation(row) for row in test.asnumpy()]))
gap = (free_energy(mixed) - free_energy(test)).mean().asscalar()
print("error %.3f of %.3f, energy of mixed points higher by %.1f" % (error, 2 * 0.4 * 0.6, gap))
assert error < 0.1 and gap > 10
