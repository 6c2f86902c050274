"""Recommenders: ratings as products of embeddings with biases; ranking by pairs (nd, not np)."""

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from _book import begin, report

begin()

rng = np.random.RandomState(9)
num_users, num_items, rank = 60, 50, 3
taste, traits = rng.normal(size=(num_users, rank)), rng.normal(size=(num_items, rank))
truth = (
    3 + 0.6 * taste.dot(traits.T) + 0.3 * rng.normal(size=(num_users, 1)) + 0.3 * rng.normal(size=num_items)
)
user, item = rng.randint(0, num_users, 4000), rng.randint(0, num_items, 4000)
score = truth[user, item] + rng.normal(0, 0.1, 4000)
columns = [part.astype("float32") for part in (user, item, score)]
train_set, test_set = (
    gluon.data.ArrayDataset(*(c[part] for c in columns)) for part in (slice(3500), slice(3500, None))
)
train_iter = gluon.data.DataLoader(train_set, 100, shuffle=True, last_batch="rollover")
test_iter = gluon.data.DataLoader(test_set, 100)


class MF(nn.Block):
    def __init__(self, num_factors, num_users, num_items, **kwargs):
        super(MF, self).__init__(**kwargs)
        self.P = nn.Embedding(input_dim=num_users, output_dim=num_factors)
        self.Q = nn.Embedding(input_dim=num_items, output_dim=num_factors)
        self.user_bias = nn.Embedding(num_users, 1)
        self.item_bias = nn.Embedding(num_items, 1)

    def forward(self, user_id, item_id):
        P_u, Q_i = self.P(user_id), self.Q(item_id)
        b_u, b_i = self.user_bias(user_id), self.item_bias(item_id)
        outputs = (P_u * Q_i).sum(axis=1) + nd.squeeze(b_u, axis=1) + nd.squeeze(b_i, axis=1)
        return outputs.flatten().reshape((-1,))


net = MF(6, num_users, num_items)
net.initialize(ctx=mx.cpu(), init=mx.init.Normal(0.1))
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02, "wd": 1e-5})
loss_of = gluon.loss.L2Loss()
for _ in range(25):
    total = count = 0
    for u, i, r in train_iter:
        with autograd.record():
            loss = loss_of(net(u, i), r)
        loss.backward()
        trainer.step(len(u))
        total += loss.sum().asscalar()
        count += len(u)
rmse = mx.metric.RMSE()
for u, i, r in test_iter:
    rmse.update(labels=[r], preds=[net(u, i)])
report("ratings", total / count)
assert report("rmse", rmse.get()[1]) < 0.5


# Ranking: an item that a user liked before one that the user did not.
class BPRLoss(gluon.loss.Loss):
    def __init__(self, weight=None, batch_axis=0, **kwargs):
        super(BPRLoss, self).__init__(weight=weight, batch_axis=batch_axis, **kwargs)

    def hybrid_forward(self, F, positive, negative):
        return -F.sum(F.log(F.sigmoid(positive - negative) + 1e-8), axis=0, keepdims=True)


liked = truth > np.median(truth)
net = MF(12, num_users, num_items)
net.initialize(init=mx.init.Normal(0.1))
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
bpr = BPRLoss()
bpr.hybridize()
users, positives = np.nonzero(liked)
negatives = np.array([rng.choice(np.nonzero(~liked[u])[0]) for u in users])
order = rng.permutation(len(users))
for _ in range(8):
    total = 0.0
    for at in range(0, len(order), 100):
        part = order[at : at + 100]
        u, p, n = (nd.array(one[part]) for one in (users, positives, negatives))
        with autograd.record():
            loss = bpr(net(u, p), net(u, n))
        loss.backward()
        trainer.step(len(part))
        total += loss.asscalar()
assert report("ranking", total / len(users)) < 0.3
scores = np.stack([net(nd.full((num_items,), u), nd.arange(num_items)).asnumpy() for u in range(num_users)])
auc = np.mean([(scores[u][liked[u]][:, None] > scores[u][~liked[u]]).mean() for u in range(num_users)])
assert report("auc", auc) > 0.85
