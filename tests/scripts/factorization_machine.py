"""A factorization machine: pairs of sparse features, whose weights are products of short vectors."""

import mxnet as mx
import numpy as np

mx.random.seed(22)
rng = np.random.RandomState(22)
num_features, factor_size, batch_size = 60, 4, 100
factors = rng.normal(size=(num_features, 2))


def write(path, count):
    with open(path, "w") as file:
        for _ in range(count):
            a, b = rng.choice(30), 30 + rng.choice(30)
            file.write("%d %d:1 %d:1\n" % (factors[a].dot(factors[b]) > 0, a, b))


@mx.metric.register
@mx.metric.alias("log_loss")
class LogLoss(mx.metric.EvalMetric):
    def __init__(self, eps=1e-7, name="log-loss"):
        self.eps = eps
        super(LogLoss, self).__init__(name)

    def update(self, labels, preds):
        for label, pred in zip(labels, preds):
            label, pred = label.asnumpy().ravel(), pred.asnumpy().ravel().clip(self.eps, 1 - self.eps)
            self.sum_metric += -(label * np.log(pred) + (1 - label) * np.log(1 - pred)).sum()
            self.num_inst += len(label)


def model():
    x = mx.symbol.Variable("data", stype="csr")
    v = mx.symbol.Variable(
        "v",
        shape=(num_features, factor_size),
        stype="row_sparse",
        init=mx.initializer.Normal(0.3),
        lr_mult=1.0,
        wd_mult=0.1,
    )
    w = mx.symbol.var("w", shape=(num_features, 1), stype="row_sparse", init=mx.initializer.Normal(0.01))
    w0 = mx.symbol.var("w0", shape=(1,), init=mx.initializer.Zero())
    linear = mx.symbol.broadcast_add(mx.symbol.dot(x, w), w0)
    # half of (the square of the sum, less the sum of the squares)
    own = mx.symbol._internal._square_sum(data=v, axis=1, keepdims=True)
    squares = mx.symbol.dot(x.square(), own)
    interactions = 0.5 * mx.symbol.square(data=mx.symbol.dot(x, v))
    everything = mx.symbol.Concat(linear, interactions, dim=1).sum(axis=1, keepdims=True)
    return mx.symbol.LogisticRegressionOutput(
        data=everything + -0.5 * squares, label=mx.symbol.Variable("softmax_label")
    )


write("train.t", 1500)
write("test.t", 400)
shape = (num_features,)
train = mx.io.LibSVMIter(data_libsvm="train.t", data_shape=shape, batch_size=batch_size)
test = mx.io.LibSVMIter(data_libsvm="test.t", data_shape=shape, batch_size=batch_size)

mod = mx.mod.Module(symbol=model())
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params()
steps = 15 * 20
schedule = mx.lr_scheduler.FactorScheduler(step=steps // 2, factor=0.3)
optim = mx.optimizer.create(
    "adam",
    learning_rate=0.05,
    wd=0.0001,
    lr_scheduler=schedule,
    rescale_grad=1.0 / batch_size,
    lazy_update=True,
)
mod.init_optimizer(optimizer=optim, kvstore="local")
metric = mx.metric.create(["log_loss"])
for _ in range(20):
    metric.reset()
    train.reset()
    for batch in train:
        rows = dict.fromkeys(("v", "w"), batch.data[0].indices)
        mod.prepare(batch, sparse_row_id_fn=lambda batch, rows=rows: rows)
        mod.forward_backward(batch)
        mod.update_metric(metric, batch.label)
        mod.update()
every = mx.nd.arange(0, num_features, dtype="int64")
mod.prepare(None, sparse_row_id_fn=lambda batch: {"v": every, "w": every})
mod.save_params("machine.params")

right = mx.metric.np(lambda label, pred: ((pred.ravel() > 0.5) == (label > 0.5)).mean(), name="right")
score = dict(mod.score(test, mx.metric.CompositeEvalMetric([right, "log_loss"])))
print("training %s, test %s" % (metric.get_name_value(), score))
assert score["right"] > 0.9 and score["log-loss"] < 0.35, score
stored = mx.nd.load("machine.params")
assert stored["arg:v"].shape == (num_features, factor_size)
