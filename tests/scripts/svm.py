"""Hinge losses in place of softmax: SVMOutput with L1 and L2 regularisation."""

import mxnet as mx
import numpy as np

mx.random.seed(3)
rng = np.random.RandomState(3)
centres = rng.normal(size=(3, 20)) * 1.5
labels = rng.randint(0, 3, 900)
points = (centres[labels] + rng.normal(size=(900, 20))).astype("float32")

for use_linear in (False, True):
    net = mx.symbol.Variable("data")
    net = mx.symbol.FullyConnected(net, num_hidden=32, name="fc1")
    net = mx.symbol.Activation(net, act_type="relu")
    net = mx.symbol.FullyConnected(net, num_hidden=3, name="fc2")
    net = mx.symbol.SVMOutput(net, name="svm", use_linear=use_linear)
    model = mx.mod.Module(net, context=mx.cpu(), data_names=["data"], label_names=["svm_label"])
    train = mx.io.NDArrayIter(points[:600], labels[:600], 100, label_name="svm_label")
    test = mx.io.NDArrayIter(points[600:], labels[600:], 100, label_name="svm_label")
    model.fit(
        train,
        eval_data=test,
        num_epoch=8,
        optimizer_params={"learning_rate": 0.02, "momentum": 0.9, "wd": 1e-5},
        initializer=mx.init.Xavier(),
    )
    accuracy = model.score(test, mx.metric.Accuracy())[0][1]
    print("use_linear=%s accuracy %.3f" % (use_linear, accuracy))
    assert accuracy > 0.9
