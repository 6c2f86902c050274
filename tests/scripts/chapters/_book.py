"""What the chapters share: a seed, pictures of digits, a text, a loop that trains a classifier.

``python chapter.py [SEED]`` prints lines ``loss NAME VALUE``; tests/data/chapters/losses.json has MXNet's.
"""

import sys

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, np

_FONT = {
    0: "###\n# #\n# #\n# #\n###",
    1: " # \n## \n # \n # \n###",
    2: "###\n  #\n###\n#  \n###",
    3: "###\n  #\n ##\n  #\n###",
    4: "# #\n# #\n###\n  #\n  #",
    5: "###\n#  \n###\n  #\n###",
    6: "#  \n#  \n###\n# #\n###",
    7: "###\n  #\n # \n # \n # ",
    8: "###\n# #\n###\n# #\n###",
    9: "###\n# #\n###\n  #\n  #",
}


def begin():
    """Seeds both generators by the command line; loaders shuffle by one of them."""
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    mx.random.seed(seed)
    onp.random.seed(seed)


def report(name, value):
    """One figure of a chapter."""
    value = float(value)
    assert onp.isfinite(value), name
    print("loss %s %.6f" % (name, value), flush=True)
    return value


def digits(count, rng, size=16):
    """Pictures (count, 1, size, size) of digits, shifted, with noise; and their labels."""
    labels = rng.randint(0, 10, count)
    pictures = rng.normal(0, 0.2, (count, 1, size, size))
    for picture, label in zip(pictures, labels):
        glyph = onp.array([[c == "#" for c in row] for row in _FONT[int(label)].split("\n")], "float32")
        glyph = onp.kron(glyph, onp.ones((2, 2))) * rng.uniform(0.6, 1.0)
        top, left = rng.randint(2, size - 11), rng.randint(4, size - 9)
        picture[0, top : top + 10, left : left + 6] += glyph
    return pictures.astype("float32"), labels.astype("float32")


def digit_loaders(batch_size, train=1000, test=300, size=16):
    """Batches to train on and held-out ones, as arrays of mx.np."""
    rng = onp.random.RandomState(7)
    sets = [gluon.data.ArrayDataset(*map(np.array, digits(n, rng, size))) for n in (train, test)]
    return [gluon.data.DataLoader(one, batch_size, shuffle=i == 0) for i, one in enumerate(sets)]


def accuracy(net, loader):
    """The share of examples whose largest score is the label's."""
    right = count = 0
    for X, y in loader:
        right += float((net(X).argmax(axis=1).astype("float32") == y).sum())
        count += len(y)
    return right / count


def train_classifier(net, loader, trainer, epochs):
    """Trains by softmax and cross entropy; returns the loss of the last epoch."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(epochs):
        total = count = 0
        for X, y in loader:
            with autograd.record():
                loss = loss_of(net(X), y)
            loss.backward()
            trainer.step(len(X))
            total += float(loss.sum())
            count += len(y)
    return total / count


def sentences(count, rng):
    """Sentences of a small grammar, words apart."""
    found = []
    for _ in range(count):
        words = []
        for verb in (True, False):
            words.append(rng.choice(["the", "a"]))
            if rng.rand() < 0.5:
                words.append(rng.choice(["red", "small"]))
            words.append(rng.choice(["cat", "dog", "bird"]))
            if verb:
                words.append(rng.choice(["sees", "hears", "likes"]))
        found.append([str(word) for word in words])
    return found


def text_batches(numbers, batch_size, num_steps):
    """Pieces (batch_size, num_steps) of a text, one after another, and what follows each item."""
    rows = (len(numbers) - 1) // batch_size
    X = np.array(numbers[: rows * batch_size], dtype="int32").reshape(batch_size, rows)
    Y = np.array(numbers[1 : rows * batch_size + 1], dtype="int32").reshape(batch_size, rows)
    for i in range(0, rows - num_steps + 1, num_steps):
        yield X[:, i : i + num_steps], Y[:, i : i + num_steps]


def grad_clipping(params, theta):
    """Scales gradients, of arrays or of a block's parameters, down to a common norm of theta."""
    grads = [p.grad() if isinstance(p, gluon.Parameter) else p.grad for p in params]
    norm = float(np.sqrt(sum((grad**2).sum() for grad in grads)))
    if norm > theta:
        for grad in grads:
            grad[:] *= theta / norm
