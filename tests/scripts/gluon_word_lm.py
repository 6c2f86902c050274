"""A language model of words in Gluon: an LSTM over pieces of a text, states carried on, gradients clipped."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

mx.random.seed(3)
np.random.seed(3)

# Sentences of a small grammar.
words = ["the", "a", "cat", "dog", "bird", "sees", "hears", "likes", "red", "small", "."]
numbers = {word: i for i, word in enumerate(words)}
rng = np.random.RandomState(0)
text = []
for _ in range(900):
    for verb in (True, False):
        text.append(rng.choice(["the", "a"]))
        if rng.rand() < 0.5:
            text.append(rng.choice(["red", "small"]))
        text.append(rng.choice(["cat", "dog", "bird"]))
        if verb:
            text.append(rng.choice(["sees", "hears", "likes"]))
    text.append(".")

batch_size, bptt = 16, 12
data = np.array([numbers[word] for word in text])
rows = len(data) // batch_size
data = mx.nd.array(data[: rows * batch_size].reshape(batch_size, rows).T)


class Model(gluon.Block):
    def __init__(self, mode, vocab_size, num_embed, num_hidden, num_layers, dropout=0.1, **kwargs):
        super(Model, self).__init__(**kwargs)
        with self.name_scope():
            self.drop = nn.Dropout(dropout)
            self.encoder = nn.Embedding(vocab_size, num_embed, weight_initializer=mx.init.Uniform(0.1))
            self.rnn = getattr(rnn, mode)(num_hidden, num_layers, dropout=dropout, input_size=num_embed)
            self.decoder = nn.Dense(vocab_size, in_units=num_hidden)
            self.num_hidden = num_hidden

    def forward(self, inputs, hidden):
        emb = self.drop(self.encoder(inputs))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output).reshape((-1, self.num_hidden)))
        return decoded, hidden

    def begin_state(self, *args, **kwargs):
        return self.rnn.begin_state(*args, **kwargs)


def detach(hidden):
    if isinstance(hidden, (tuple, list)):
        return [detach(i) for i in hidden]
    return hidden.detach()


results = {}
for mode in ("LSTM", "GRU"):
    model = Model(mode, len(words), 12, 32, 2)
    model.collect_params().initialize(mx.init.Xavier())
    model.hybridize()
    trainer = gluon.Trainer(model.collect_params(), "adam", {"learning_rate": 0.01})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    losses = []
    for _ in range(3):
        hidden = model.begin_state(func=mx.nd.zeros, batch_size=batch_size)
        total = 0.0
        count = 0
        for i in range(0, data.shape[0] - 1 - bptt, bptt):
            hidden = detach(hidden)
            with autograd.record():
                output, hidden = model(data[i : i + bptt], hidden)
                loss = loss_of(output, data[i + 1 : i + 1 + bptt].reshape((-1,)))
            loss.backward()
            grads = [p.grad() for p in model.collect_params().values()]
            gluon.utils.clip_global_norm(grads, 0.25 * bptt * batch_size)
            trainer.step(bptt * batch_size)
            total += float(loss.mean().asscalar())
            count += 1
        losses.append(total / count)
    print(mode, ["%.3f" % loss for loss in losses])
    results[mode] = losses

for mode, losses in results.items():
    # The grammar's own entropy is about 0.95 nats for a word.
    assert losses[-1] < 1.03 < losses[0], (mode, losses)
