"""Ratings as products of embeddings, with a metric of its own and several contexts."""

import mxnet as mx
import numpy as np

mx.random.seed(11)
rng = np.random.RandomState(11)
users, items, rank = 40, 30, 4
truth = rng.normal(size=(users, rank)).dot(rng.normal(size=(rank, items))) / 2
pairs = np.stack([rng.randint(0, users, 3000), rng.randint(0, items, 3000)], axis=1)
ratings = truth[pairs[:, 0], pairs[:, 1]].astype("float32")

user, item, score = mx.symbol.Variable("user"), mx.symbol.Variable("item"), mx.symbol.Variable("score")
user = mx.symbol.Embedding(data=user, input_dim=users, output_dim=8, name="user_embed")
item = mx.symbol.Embedding(data=item, input_dim=items, output_dim=8, name="item_embed")
pred = mx.symbol.Flatten(mx.symbol.sum_axis(data=user * item, axis=1))
net = mx.symbol.LinearRegressionOutput(data=pred, label=score, name="lro")


def root_mean_square(label, pred):
    return float(np.sqrt(((label - pred.flatten()) ** 2).mean()))


def iterator(part):
    return mx.io.NDArrayIter({"user": pairs[part, 0], "item": pairs[part, 1]}, {"score": ratings[part]}, 100)


train, test = iterator(slice(0, 2500)), iterator(slice(2500, 3000))
model = mx.mod.Module(net, data_names=["user", "item"], label_names=["score"], context=[mx.cpu(0), mx.cpu(1)])
model.fit(
    train,
    eval_data=test,
    eval_metric=mx.metric.CustomMetric(root_mean_square, name="rmse"),
    optimizer="adam",
    optimizer_params={"learning_rate": 0.02},
    initializer=mx.init.Normal(0.3),
    num_epoch=30,
    kvstore="local",
)
error = model.score(test, mx.metric.CustomMetric(root_mean_square, name="rmse"))[0][1]
print("rmse %.3f of %.3f" % (error, ratings.std()))
assert error < 0.4 * ratings.std()
