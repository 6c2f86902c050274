"""A language model of characters, recurrent from scratch: one-hot inputs, perplexity, clipping."""

import math

import numpy as onp
from mxnet import autograd, gluon, np, npx

from _book import begin, grad_clipping, report, sentences, text_batches

npx.set_np()
begin()

text = ". ".join(" ".join(words) for words in sentences(150, onp.random.RandomState(3)))
characters = sorted(set(text))
numbers = [characters.index(c) for c in text]
num_hiddens, num_steps, batch_size, vocab_size = 64, 20, 16, len(characters)
assert npx.one_hot(np.array([0, 2]), vocab_size).shape == (2, vocab_size)


def get_params():
    def normal(shape):
        return np.random.normal(scale=0.05, size=shape)

    params = [
        normal((vocab_size, num_hiddens)),
        normal((num_hiddens, num_hiddens)),
        np.zeros(num_hiddens),
        normal((num_hiddens, vocab_size)),
        np.zeros(vocab_size),
    ]
    for param in params:
        param.attach_grad()
    return params


def rnn(inputs, state, params):
    W_xh, W_hh, b_h, W_hq, b_q = params
    outputs = []
    for X in inputs:
        state = np.tanh(np.dot(X, W_xh) + np.dot(state, W_hh) + b_h)
        outputs.append(np.dot(state, W_hq) + b_q)
    return np.concatenate(outputs, axis=0), state


params = get_params()
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
first = None
for _ in range(25):
    state = np.zeros((batch_size, num_hiddens))
    total = count = 0
    for X, Y in text_batches(numbers, batch_size, num_steps):
        state = state.detach()
        with autograd.record():
            outputs, state = rnn(npx.one_hot(X.T, vocab_size), state, params)
            loss = loss_of(outputs, Y.T.reshape(-1)).mean()
        loss.backward()
        grad_clipping(params, 1)
        for param in params:
            param[:] = param - 1.0 * param.grad
        total += float(loss) * Y.size
        count += Y.size
    first = first or math.exp(total / count)
report("nats", total / count)
perplexity = math.exp(total / count)
assert perplexity < first / 3


def predict(prefix, num_preds):
    state = np.zeros((1, num_hiddens))
    outputs = [characters.index(prefix[0])]
    for i in range(num_preds + len(prefix) - 1):
        X = npx.one_hot(np.array([outputs[-1]]), vocab_size)
        Y, state = rnn(np.expand_dims(X, 0), state, params)
        outputs.append(
            characters.index(prefix[i + 1]) if i + 1 < len(prefix) else int(Y.argmax(axis=1).item())
        )
    return "".join(characters[i] for i in outputs)


guess = predict("the red ", 30)
print(guess)
assert guess.startswith("the red ") and len(guess) == 38
