"""Embeddings of words by skip-grams and negative samples; words of one kind end up near one another."""

import collections

import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import begin, report, sentences

npx.set_np()
begin()

rng = onp.random.RandomState(8)
corpus = [[*words, "."] for words in sentences(400, rng)]
counter = collections.Counter(w for words in corpus for w in words)
vocabulary = sorted(counter)
index = {w: i for i, w in enumerate(vocabulary)}

# Centres with contexts; noise words by the power 0.75 of their counts; masks where there is no word.
window, noise = 2, 4
powers = onp.array([counter[w] for w in vocabulary], "float64") ** 0.75
powers /= powers.sum()
centers, contexts, masks, labels = [], [], [], []
for words in corpus:
    for i, word in enumerate(words):
        around = [index[w] for j, w in enumerate(words) if j != i and abs(j - i) <= window]
        negatives = [k for k in rng.choice(len(vocabulary), noise * len(around), p=powers) if k not in around]
        pad = window * 2 * (noise + 1) - len(around) - len(negatives)
        centers.append([index[word]])
        contexts.append(around + negatives + [0] * pad)
        masks.append([1] * (len(around) + len(negatives)) + [0] * pad)
        labels.append([1] * len(around) + [0] * (len(negatives) + pad))
data = gluon.data.ArrayDataset(
    *(np.array(part, dtype="float32") for part in (centers, contexts, masks, labels))
)
loader = gluon.data.DataLoader(data, 256, shuffle=True)


def skip_gram(center, contexts_and_negatives, embed_v, embed_u):
    v = embed_v(center)
    u = embed_u(contexts_and_negatives)
    return npx.batch_dot(v, u.swapaxes(1, 2))


net = nn.Sequential()
net.add(nn.Embedding(len(vocabulary), 16), nn.Embedding(len(vocabulary), 16))
net.initialize(init.Uniform(0.1))
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
loss = gluon.loss.SigmoidBCELoss()
for _ in range(5):
    total = count = 0
    for center, context, mask, label in loader:
        with autograd.record():
            pred = skip_gram(center, context, net[0], net[1])
            one = loss(pred.reshape(label.shape), label, mask) / mask.sum(axis=1) * mask.shape[1]
        one.backward()
        trainer.step(len(center))
        total += float(one.sum())
        count += one.size
assert report("skip_gram", total / count) < 0.5

W = net[0].weight.data()
W = W / np.sqrt((W * W).sum(axis=1, keepdims=True) + 1e-9)
for word, kin in (("cat", {"dog", "bird"}), ("red", {"small"}), ("sees", {"hears", "likes"})):
    cosines = np.dot(W, W[index[word]])
    nearest = [vocabulary[int(i)] for i in npx.topk(cosines, k=len(kin) + 1, ret_typ="indices")]
    print(word, nearest)
    assert nearest[0] == word and kin & set(nearest[1:]), nearest
