"""A loss written in Python as a module of its own, at the end of a SequentialModule; SVRG beside SGD."""

import mxnet as mx
import numpy as np
from mxnet.contrib.svrg_optimization.svrg_module import SVRGModule

mx.random.seed(37)
rng = np.random.RandomState(37)


def mc_hinge_grad(scores, labels):
    """The gradient of the hinge loss of many classes."""
    scores, labels = scores.asnumpy(), labels.asnumpy().astype(int)
    n = scores.shape[0]
    grad = np.zeros(scores.shape)
    for i in range(n):
        score = 1 + scores[i] - scores[i, labels[i]]
        score[labels[i]] = 0
        ind_pred = score.argmax()
        grad[i, labels[i]] -= 1
        grad[i, ind_pred] += 1
    return grad


centres = rng.normal(size=(5, 12)) * 1.5
labels = rng.randint(0, 5, 1200)
points = (centres[labels] + rng.normal(size=(1200, 12))).astype("float32")
train = mx.io.NDArrayIter(points[:900], labels[:900], 50, shuffle=True)
test = mx.io.NDArrayIter(points[900:], labels[900:], 50)

net = mx.symbol.FullyConnected(mx.symbol.Variable("data"), name="fc1", num_hidden=32)
net = mx.symbol.FullyConnected(mx.symbol.Activation(net, act_type="relu"), name="fc2", num_hidden=5)
mod = mx.mod.SequentialModule()
mod.add(mx.mod.Module(net, label_names=None)).add(
    mx.mod.PythonLossModule(grad_func=mc_hinge_grad), take_labels=True, auto_wiring=True
)
mod.fit(
    train,
    eval_data=test,
    optimizer_params={"learning_rate": 0.02, "momentum": 0.9},
    initializer=mx.init.Xavier(),
    num_epoch=6,
)
score = dict(mod.score(test, "acc"))["accuracy"]
print("accuracy %.3f" % score)
assert score > 0.9

# Least squares by SVRG: a full gradient at times, and steps that differ from it.
truth = rng.normal(size=12)
values = (points.dot(truth) / 5).astype("float32")
train = mx.io.NDArrayIter(points, values, 50, shuffle=True, label_name="lin_reg_label")
data, label = mx.sym.Variable("data"), mx.sym.Variable("lin_reg_label")
net = mx.sym.FullyConnected(data, name="fc", num_hidden=1)
net = mx.sym.LinearRegressionOutput(data=net, label=label, name="lro")
mod = SVRGModule(
    symbol=net, context=mx.cpu(), data_names=["data"], label_names=["lin_reg_label"], update_freq=2
)
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(initializer=mx.init.Uniform(0.01))
mod.init_optimizer(kvstore="local", optimizer="sgd", optimizer_params=(("learning_rate", 0.03),))
metrics = mx.metric.create("mse")
course = []
for epoch in range(8):
    metrics.reset()
    if epoch % mod.update_freq == 0:
        mod.update_full_grads(train)
    train.reset()
    for batch in train:
        mod.forward_backward(data_batch=batch)
        mod.update()
        mod.update_metric(metrics, batch.label)
    course.append(metrics.get()[1])
print("mse %s" % ["%.5f" % c for c in course])
assert course[-1] < 1e-3 < course[0]
