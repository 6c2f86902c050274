"""A network whose loss is an operator written in Python, trained by Module.fit."""

import argparse
import logging

import mxnet as mx
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=6)
args = parser.parse_args()
logging.basicConfig(level=logging.INFO)


class Softmax(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        scores = in_data[0].asnumpy()
        exps = np.exp(scores - scores.max(axis=1).reshape((-1, 1)))
        self.assign(out_data[0], req[0], mx.nd.array(exps / exps.sum(axis=1).reshape((-1, 1))))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = in_data[1].asnumpy().ravel().astype("int32")
        gradient = out_data[0].asnumpy()
        gradient[np.arange(label.shape[0]), label] -= 1.0
        self.assign(in_grad[0], req[0], mx.nd.array(gradient))


@mx.operator.register("softmax")
class SoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(SoftmaxProp, self).__init__(need_top_grad=False)

    def list_arguments(self):
        return ["data", "label"]

    def list_outputs(self):
        return ["output"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Softmax()


mx.random.seed(1)
rng = np.random.RandomState(1)
centres = rng.normal(size=(4, 10)) * 2
labels = rng.randint(0, 4, 800)
points = (centres[labels] + rng.normal(size=(800, 10))).astype("float32")
train = mx.io.NDArrayIter(points[:600], labels[:600], 50, shuffle=True)
valid = mx.io.NDArrayIter(points[600:], labels[600:], 50)

data = mx.symbol.Variable("data")
net = mx.symbol.FullyConnected(data=data, name="fc1", num_hidden=32)
net = mx.symbol.Activation(data=net, name="relu1", act_type="relu")
net = mx.symbol.FullyConnected(data=net, name="fc2", num_hidden=4)
net = mx.symbol.Custom(data=net, name="softmax", op_type="softmax")

model = mx.mod.Module(net, context=mx.cpu(0))
model.fit(
    train,
    eval_data=valid,
    optimizer="sgd",
    optimizer_params={"learning_rate": 0.05, "momentum": 0.9},
    num_epoch=args.epochs,
    batch_end_callback=mx.callback.Speedometer(50, 5),
)
score = dict(model.score(valid, "acc"))["accuracy"]
print("accuracy %.3f" % score)
assert score > 0.9
