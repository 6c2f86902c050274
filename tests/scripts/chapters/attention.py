"""Attention: kernel regression, masked softmax, two kinds of scores, several heads, a transformer."""

import math

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import begin, report

npx.set_np()
begin()

# Kernel regression with a width that is learnt.
x_train = np.array(onp.sort(onp.random.RandomState(2).rand(50) * 5), dtype="float32")
y_train = 2 * np.sin(x_train) + x_train**0.8 + np.random.normal(0.0, 0.3, (50,))
x_test = np.arange(0, 5, 0.1)
truth = 2 * np.sin(x_test) + x_test**0.8


class KernelRegression(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = self.params.get("w", shape=(1,), init=init.One())

    def forward(self, queries, keys, values):
        queries = queries.repeat(keys.shape[1]).reshape((-1, keys.shape[1]))
        self.attention = npx.softmax(-(((queries - keys) * self.w.data()) ** 2) / 2)
        return npx.batch_dot(np.expand_dims(self.attention, 1), np.expand_dims(values, -1)).reshape(-1)


others = (1 - np.eye(50)).astype("bool")
keys, values = (np.tile(one, (50, 1))[others].reshape((50, -1)) for one in (x_train, y_train))
net = KernelRegression()
net.initialize()
loss_of = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
for _ in range(10):
    with autograd.record():
        loss = loss_of(net(x_train, keys, values), y_train)
    loss.backward()
    trainer.step(1)
report("kernel", loss.mean())
guess = net(x_test, np.tile(x_train, (50, 1)), np.tile(y_train, (50, 1)))
assert float(((guess - truth) ** 2).mean()) < 0.5 and net.w.data()[0] > 1


def masked_softmax(X, valid_lens):
    shape = X.shape
    lens = valid_lens.repeat(shape[1]) if valid_lens.ndim == 1 else valid_lens.reshape(-1)
    X = npx.sequence_mask(X.reshape(-1, shape[-1]), lens, True, value=-1e6, axis=1)
    return npx.softmax(X).reshape(shape)


probabilities = masked_softmax(np.random.uniform(size=(2, 2, 4)), np.array([2, 3]))
assert (probabilities[0, :, 2:] == 0).all() and np.abs(probabilities.sum(axis=-1) - 1).max() < 1e-5


class AdditiveAttention(nn.Block):
    def __init__(self, num_hiddens, dropout, **kwargs):
        super().__init__(**kwargs)
        self.W_k = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.W_q = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.w_v = nn.Dense(1, use_bias=False, flatten=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = np.tanh(np.expand_dims(queries, axis=2) + np.expand_dims(keys, axis=1))
        scores = np.squeeze(self.w_v(features), axis=-1)
        return npx.batch_dot(self.dropout(masked_softmax(scores, valid_lens)), values)


class DotProductAttention(nn.Block):
    def __init__(self, dropout, **kwargs):
        super().__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens):
        scores = npx.batch_dot(queries, keys, transpose_b=True) / math.sqrt(queries.shape[-1])
        return npx.batch_dot(self.dropout(masked_softmax(scores, valid_lens)), values)


keys, valid_lens = np.ones((2, 10, 2)), np.array([2, 6])
values = np.arange(40).reshape(1, 10, 4).repeat(2, axis=0)
for attention, width in ((AdditiveAttention(8, 0.1), 20), (DotProductAttention(0.5), 2)):
    attention.initialize()
    found = attention(np.random.normal(size=(2, 1, width)), keys, values, valid_lens)
    assert np.abs(found[:, 0] - np.array([[2, 3, 4, 5], [10, 11, 12, 13]])).max() < 1e-4


class MultiHeadAttention(nn.Block):
    def __init__(self, num_hiddens, num_heads, dropout, **kwargs):
        super().__init__(**kwargs)
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout)
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Dense(num_hiddens, use_bias=False, flatten=False))

    def split(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1).transpose(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def forward(self, queries, keys, values, valid_lens):
        batch = queries.shape[0]
        lens = valid_lens.repeat(self.num_heads, axis=0)
        parts = self.split(self.W_q(queries)), self.split(self.W_k(keys)), self.split(self.W_v(values))
        output = self.attention(*parts, lens)
        output = output.reshape(batch, self.num_heads, output.shape[1], -1).transpose(0, 2, 1, 3)
        return self.W_o(output.reshape(batch, output.shape[1], -1))


class EncoderBlock(nn.Block):
    def __init__(self, num_hiddens, ffn_hiddens, num_heads, dropout, **kwargs):
        super().__init__(**kwargs)
        self.attention = MultiHeadAttention(num_hiddens, num_heads, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(), nn.LayerNorm()
        self.ffn = nn.Sequential()
        self.ffn.add(
            nn.Dense(ffn_hiddens, flatten=False, activation="relu"), nn.Dense(num_hiddens, flatten=False)
        )

    def forward(self, X, valid_lens):
        Y = self.norm1(X + self.attention(X, X, X, valid_lens))
        return self.norm2(Y + self.ffn(Y))


class Transformer(nn.Block):
    """Scores of items from a sequence of numbers of items with positions in sines."""

    def __init__(self, vocab_size, num_hiddens, num_outputs, **kwargs):
        super().__init__(**kwargs)
        self.num_hiddens = num_hiddens
        self.embedding = nn.Embedding(vocab_size, num_hiddens)
        angles = np.arange(20).reshape(-1, 1) / np.power(10000, np.arange(0, num_hiddens, 2) / num_hiddens)
        self.positions = np.zeros((1, 20, num_hiddens))
        self.positions[:, :, 0::2] = np.sin(angles)
        self.positions[:, :, 1::2] = np.cos(angles)
        self.block = EncoderBlock(num_hiddens, 32, 4, 0.0)
        self.out = nn.Dense(num_outputs, flatten=False)

    def forward(self, X, valid_lens):
        X = self.embedding(X) * math.sqrt(self.num_hiddens) + self.positions[:, : X.shape[1], :]
        return self.out(self.block(X, valid_lens))


# At each place: how often its item stands in the part of the sequence that counts.
rng = onp.random.RandomState(6)
lens = rng.randint(3, 9, 512)
items = rng.randint(0, 5, (512, 8))
valid = onp.arange(8) < lens[:, None]
counts = onp.array([[(row[:n] == one).sum() for one in row] for row, n in zip(items, lens)])
net = Transformer(5, 32, 9)
net.initialize(init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
X, y, n = np.array(items, dtype="int32"), np.array(counts), np.array(lens, dtype="float32")
weight = np.expand_dims(np.array(valid, dtype="float32"), -1)
for _ in range(20):
    total = 0.0
    for i in range(0, 512, 64):
        part = slice(i, i + 64)
        with autograd.record():
            loss = loss_of(net(X[part], n[part]), y[part], weight[part])
        loss.backward()
        trainer.step(64)
        total += float(loss.sum())
assert report("transformer", total * 8 / valid.sum()) < 1.0
