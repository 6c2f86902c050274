"""The old way of operators in NumPy (NumpyOp), and FeedForward."""

import mxnet as mx
import numpy as np


class LogisticLoss(mx.operator.NumpyOp):
    def __init__(self):
        super(LogisticLoss, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]]

    def forward(self, in_data, out_data):
        out_data[0][:] = 1.0 / (1.0 + np.exp(-in_data[0]))

    def backward(self, out_grad, in_data, out_data, in_grad):
        in_grad[0][:] = out_data[0] - in_data[1].reshape(out_data[0].shape)


mx.random.seed(2)
rng = np.random.RandomState(2)
points = rng.normal(size=(500, 6)).astype("float32")
labels = (points.dot([1, -2, 3, 0, 0.5, -1]) > 0).astype("float32")

net = mx.symbol.FullyConnected(data=mx.symbol.Variable("data"), num_hidden=1, name="fc")
net = LogisticLoss()(data=net, name="softmax")

model = mx.model.FeedForward(ctx=mx.cpu(), symbol=net, num_epoch=8, learning_rate=0.2, momentum=0.9)
model.fit(
    mx.io.NDArrayIter(points, labels, 50),
    eval_metric=mx.metric.CustomMetric(
        lambda label, pred: ((pred.ravel() > 0.5) == (label > 0.5)).mean(), name="right"
    ),
)
right = ((model.predict(points).ravel() > 0.5) == (labels > 0.5)).mean()
print("right %.3f" % right)
assert right > 0.93
