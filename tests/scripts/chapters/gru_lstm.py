"""Gated units by Gluon's layers: language models of words by RNN, GRU, LSTM, deep and bidirectional ones."""

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn, rnn

from _book import begin, report, sentences, text_batches

npx.set_np()
begin()

words = [w for sentence in sentences(500, onp.random.RandomState(4)) for w in [*sentence, "."]]
vocabulary = sorted(set(words))
numbers = [vocabulary.index(w) for w in words]
batch_size, num_steps, num_hiddens = 16, 10, 32


class RNNModel(nn.Block):
    def __init__(self, rnn_layer, vocab_size, **kwargs):
        super().__init__(**kwargs)
        self.rnn = rnn_layer
        self.vocab_size = vocab_size
        self.dense = nn.Dense(vocab_size)

    def forward(self, inputs, state):
        X = npx.one_hot(inputs.T, self.vocab_size)
        Y, state = self.rnn(X, state)
        return self.dense(Y.reshape(-1, Y.shape[-1])), state

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


layers = {
    "rnn": rnn.RNN(num_hiddens),
    "gru": rnn.GRU(num_hiddens),
    "lstm": rnn.LSTM(num_hiddens),
    "deep": rnn.LSTM(num_hiddens, num_layers=2),
}
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
for name, layer in layers.items():
    model = RNNModel(layer, len(vocabulary))
    model.initialize(init.Xavier())
    trainer = gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.01, "clip_gradient": 5.0})
    for _ in range(6):
        state = model.begin_state(batch_size=batch_size)
        total = count = 0
        for X, Y in text_batches(numbers, batch_size, num_steps):
            state = [s.detach() for s in state]
            with autograd.record():
                outputs, state = model(X, state)
                loss = loss_of(outputs, Y.T.reshape(-1)).mean()
            loss.backward()
            trainer.step(1)
            total += float(loss) * Y.size
            count += Y.size
    # The grammar's own entropy is about 0.95 nats for a word.
    assert report(name, total / count) < 1.15

# Bidirectional layers; an LSTM's gates written out give the layer's numbers.
layer = rnn.GRU(8, bidirectional=True)
layer.initialize()
outputs, states = layer(np.ones((5, 2, 3)), layer.begin_state(batch_size=2))
assert outputs.shape == (5, 2, 16) and states[0].shape == (2, 2, 8)
layer = rnn.LSTM(8, input_size=3)
layer.initialize(init.Normal(0.5))
W_xh, W_hh, b_xh, b_hh = (
    getattr(layer, "l0_" + part).data() for part in ("i2h_weight", "h2h_weight", "i2h_bias", "h2h_bias")
)
X = np.random.normal(size=(5, 2, 3))
H, C = np.zeros((2, 8)), np.zeros((2, 8))
steps = []
for x in X:
    gates = np.dot(x, W_xh.T) + b_xh + np.dot(H, W_hh.T) + b_hh
    input_gate, forget_gate, candidate, output_gate = np.split(gates, 4, axis=1)
    C = npx.sigmoid(forget_gate) * C + npx.sigmoid(input_gate) * np.tanh(candidate)
    H = npx.sigmoid(output_gate) * np.tanh(C)
    steps.append(H)
assert np.abs(np.stack(steps) - layer(X)).max() < 1e-5
