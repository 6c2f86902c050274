"""Capsules: vectors in place of numbers, routed by agreement; a margin loss and a picture made again."""

import mxnet as mx
import numpy as np

mx.random.seed(32)
rng = np.random.RandomState(32)
batch_size, size, kinds, routings = 50, 12, 3, 2


def squash(data, axis, name):
    """Lengths below one; directions as they were."""
    s_squared_norm = mx.sym.sum(data=mx.sym.square(data), axis=axis, keepdims=True)
    scale = s_squared_norm / (1 + s_squared_norm) / mx.sym.sqrt(data=s_squared_norm + 1e-9)
    return mx.sym.broadcast_mul(scale, data, name=name)


def capsnet():
    x_, y_ = mx.sym.var("data"), mx.sym.var("softmax_label")
    label = mx.sym.one_hot(y_, kinds)
    conv = mx.sym.Convolution(data=x_, num_filter=16, kernel=(5, 5), name="conv1")
    conv = mx.sym.Activation(data=conv, act_type="relu")
    primary = mx.sym.Convolution(data=conv, num_filter=4 * 8, kernel=(4, 4), stride=(2, 2), name="primary")
    capsules = 4 * 3 * 3
    primary = mx.sym.Reshape(
        mx.sym.transpose(mx.sym.Reshape(primary, shape=(0, 4, 8, -1)), axes=(0, 1, 3, 2)), shape=(0, -1, 8)
    )
    primary = squash(primary, 2, "primary_squash")

    w = mx.sym.Variable("Weight", shape=(1, capsules, kinds, 8, 6), init=mx.init.Normal(0.3))
    u = mx.sym.Reshape(primary, shape=(0, -4, -1, 1, -2))  # (batch, capsules, 1, 8)
    u = mx.sym.broadcast_axis(mx.sym.expand_dims(u, axis=4), axis=2, size=kinds)
    u_hat = mx.sym.sum(mx.sym.broadcast_mul(u, w), axis=3)  # (batch, capsules, kinds, 6)
    fixed = mx.sym.BlockGrad(u_hat)
    b = mx.sym.sum(mx.sym.zeros_like(fixed), axis=3, keepdims=True)
    for i in range(routings):
        c = mx.sym.softmax(b, axis=2)
        inputs = u_hat if i == routings - 1 else fixed
        s = mx.sym.sum(mx.sym.broadcast_mul(c, inputs), axis=1, keepdims=True)
        v = squash(s, 3, "out_squash_%d" % i)
        if i < routings - 1:
            b = b + mx.sym.sum(mx.sym.broadcast_mul(v, fixed), axis=3, keepdims=True)
    v = mx.sym.Reshape(v, shape=(-3, kinds, 6))
    lengths = mx.sym.sqrt(mx.sym.sum(mx.sym.square(v), axis=2) + 1e-9)

    masked = mx.sym.Flatten(mx.sym.broadcast_mul(mx.sym.expand_dims(label, axis=2), v))
    made = mx.sym.Activation(mx.sym.FullyConnected(masked, num_hidden=48, name="fc1"), act_type="relu")
    made = mx.sym.Activation(
        mx.sym.FullyConnected(made, num_hidden=size * size, name="fc2"), act_type="sigmoid"
    )
    again = mx.sym.mean(mx.sym.square(mx.sym.Flatten(x_) - made), axis=1)

    present = mx.sym.square(mx.sym.maximum(0.0, 0.9 - lengths))
    absent = mx.sym.square(mx.sym.maximum(0.0, lengths - 0.1))
    margin = mx.sym.sum(label * present + 0.5 * (1 - label) * absent, axis=1)
    loss = mx.sym.MakeLoss(margin + 0.4 * again, normalization="batch", name="loss")
    return mx.sym.Group([mx.sym.BlockGrad(lengths, name="lengths"), loss, mx.sym.BlockGrad(again)])


class LossMetric(mx.metric.EvalMetric):
    """Accuracy, loss and reconstruction in one."""

    def __init__(self):
        super(LossMetric, self).__init__("LossMetric")

    def update(self, labels, preds):
        right = np.argmax(preds[0].asnumpy(), axis=1) == labels[0].asnumpy()
        self.batch_sum_metric = right.sum()
        self.sum_metric += right.sum()
        self.num_inst += len(right)
        self.again = preds[2].asnumpy().mean()
        self.loss = preds[1].asnumpy().mean()


def pictures(count):
    """A ring, a cross or a square."""
    y, x = (np.mgrid[:size, :size] - (size - 1) / 2)[:, None]
    label, shift = rng.randint(0, kinds, count), rng.uniform(-1.5, 1.5, (count, 2, 1, 1))
    y, x = y - shift[:, 0], x - shift[:, 1]
    ring = np.abs(np.hypot(y, x) - 3) < 0.9
    cross = (np.minimum(np.abs(y), np.abs(x)) < 0.9) & (np.maximum(np.abs(y), np.abs(x)) < 4)
    square = np.abs(np.maximum(np.abs(y), np.abs(x)) - 3) < 0.9
    shapes = np.stack([ring, cross, square], axis=1)[np.arange(count), label]
    return (shapes[:, None] * 0.9 + 0.1 * rng.rand(count, 1, size, size)).astype("float32"), label


data, label = pictures(1200)
train = mx.io.NDArrayIter(data[:1000], label[:1000], batch_size, shuffle=True)
test = mx.io.NDArrayIter(data[1000:], label[1000:], batch_size)
module = mx.mod.Module(
    symbol=capsnet(), context=mx.cpu(), data_names=("data",), label_names=("softmax_label",)
)
module.bind(data_shapes=train.provide_data, label_shapes=train.provide_label, for_training=True)
module.init_params(mx.init.Xavier())
schedule = mx.lr_scheduler.MultiFactorScheduler(step=[80, 120], factor=0.5)
module.init_optimizer(
    optimizer="adam", optimizer_params={"learning_rate": 0.01, "lr_scheduler": schedule, "rescale_grad": 1.0}
)
metric = LossMetric()
for epoch in range(7):
    train.reset()
    metric.reset()
    for batch in train:
        module.forward_backward(batch)
        module.update()
        module.update_metric(metric, batch.label)
    print("epoch %d accuracy %.3f loss %.4f again %.4f" % (epoch, metric.get()[1], metric.loss, metric.again))
score = module.score(test, LossMetric())[0][1]
print("test accuracy %.3f" % score)
assert score > 0.9 and metric.again < 0.75 * data.var()
