"""Sequence to sequence: an encoder's last state starts a decoder; padding is masked; greedy decoding."""

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn

from _book import begin, grad_clipping, report

npx.set_np()
begin()

# The target is the source backwards; 0 pads, 1 begins, 2 ends.
PAD, BOS, EOS, vocab_size, num_steps = 0, 1, 2, 9, 6
rng = onp.random.RandomState(5)


def pairs(count):
    lengths = rng.randint(2, num_steps, count)
    source = onp.zeros((count, num_steps), "int32")
    target = onp.zeros((count, num_steps), "int32")
    for i, n in enumerate(lengths):
        items = rng.randint(3, vocab_size, n)
        source[i, :n], source[i, n] = items, EOS
        target[i, :n], target[i, n] = items[::-1], EOS
    return np.array(source), np.array(target), np.array(lengths + 1)


class Encoder(nn.Block):
    def __init__(self, embed_size, num_hiddens, **kwargs):
        super().__init__(**kwargs)
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = rnn.LSTM(num_hiddens)

    def forward(self, X):
        X = self.embedding(X).swapaxes(0, 1)
        state = self.rnn.begin_state(batch_size=X.shape[1], ctx=X.ctx)
        return self.rnn(X, state)


class Decoder(nn.Block):
    def __init__(self, embed_size, num_hiddens, **kwargs):
        super().__init__(**kwargs)
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = rnn.LSTM(num_hiddens)
        self.dense = nn.Dense(vocab_size, flatten=False)

    def forward(self, X, state, context):
        X = self.embedding(X).swapaxes(0, 1)
        context = np.broadcast_to(context, (X.shape[0], context.shape[0], context.shape[1]))
        output, state = self.rnn(np.concatenate((X, context), 2), state)
        return self.dense(output).swapaxes(0, 1), state


class MaskedSoftmaxCELoss(gluon.loss.SoftmaxCELoss):
    def forward(self, pred, label, valid_len):
        weights = np.expand_dims(np.ones_like(label), axis=-1)
        weights = npx.sequence_mask(weights, valid_len, True, axis=1)
        return super().forward(pred, label, weights)


loss_of = MaskedSoftmaxCELoss()
example = loss_of(np.ones((3, 4, 10)), np.ones((3, 4)), np.array([4, 2, 0]))
assert np.abs(example - np.array([2.3026, 1.1513, 0])).max() < 1e-3

encoder, decoder = Encoder(16, 64), Decoder(16, 64)
source, target, target_len = pairs(640)
for net in (encoder, decoder):
    net.initialize(init.Xavier(), force_reinit=True)


def forward(source, inputs):
    _, state = encoder(source)
    return decoder(inputs, state, state[0][-1])


bos = np.full((64, 1), BOS, dtype="int32")
forward(source[:64], source[:64])
trainers = [
    gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01}) for net in (encoder, decoder)
]
for _ in range(25):
    total = count = 0
    for i in range(0, 640, 64):
        part = slice(i, i + 64)
        inputs = np.concatenate([bos, target[part, :-1].astype("int32")], 1)
        with autograd.record():
            scores, _ = forward(source[part], inputs)
            loss = loss_of(scores, target[part].astype("float32"), target_len[part].astype("float32"))
        loss.backward()
        grad_clipping([p for net in (encoder, decoder) for p in net.collect_params().values()], 64.0)
        for trainer in trainers:
            trainer.step(64)
        total += float(loss.sum()) * num_steps
        count += float(target_len[part].sum())
assert report("masked", total / count) < 0.3

# Greedy decoding of held-out sequences.
source, target, target_len = pairs(64)
_, state = encoder(source)
context, inputs, outputs = state[0][-1], bos, []
for _ in range(num_steps):
    scores, state = decoder(inputs, state, context)
    inputs = scores.argmax(axis=2).astype("int32")
    outputs.append(inputs)
outputs = np.concatenate(outputs, 1)
mask = npx.sequence_mask(np.ones((64, num_steps)), target_len.astype("float32"), True, axis=1)
right = ((outputs == target) * mask).sum() / mask.sum()
assert report("right", right) > 0.7
