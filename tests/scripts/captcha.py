"""Pictures of four digits: one network, four softmaxes stacked along the batch."""

import mxnet as mx
import numpy as np

mx.random.seed(29)
rng = np.random.RandomState(29)
batch_size, kinds = 40, 5
glyphs = (rng.rand(kinds, 6, 5) > 0.5).astype("float32")


class OCRBatch(object):
    def __init__(self, data_names, data, label_names, label):
        self.data, self.label = data, label
        self.data_names, self.label_names = data_names, label_names
        self.pad, self.index = 0, None

    @property
    def provide_data(self):
        return [(n, x.shape) for n, x in zip(self.data_names, self.data)]

    @property
    def provide_label(self):
        return [(n, x.shape) for n, x in zip(self.label_names, self.label)]


class OCRIter(mx.io.DataIter):
    def __init__(self, count, batch_size):
        super(OCRIter, self).__init__()
        self.batch_size, self.count = batch_size, count
        self.provide_data = [("data", (batch_size, 1, 10, 32))]
        self.provide_label = [("softmax_label", (batch_size, 4))]

    def __iter__(self):
        for _ in range(self.count // self.batch_size):
            data = 0.15 * rng.normal(size=(self.batch_size, 1, 10, 32))
            label = rng.randint(0, kinds, (self.batch_size, 4))
            for picture, digits in zip(data[:, 0], label):
                for i, digit in enumerate(digits):
                    top, left = rng.randint(0, 4), 8 * i + rng.randint(0, 3)
                    picture[top : top + 6, left : left + 5] += glyphs[digit]
            yield OCRBatch(["data"], [mx.nd.array(data)], ["softmax_label"], [mx.nd.array(label)])

    def reset(self):
        pass


def ocrnet():
    data, label = mx.symbol.Variable("data"), mx.symbol.Variable("softmax_label")
    net = mx.symbol.Convolution(data=data, kernel=(5, 5), num_filter=16, pad=(2, 2))
    net = mx.symbol.Pooling(data=net, pool_type="max", kernel=(2, 2), stride=(1, 1))
    net = mx.symbol.Activation(data=net, act_type="relu")
    net = mx.symbol.Convolution(data=net, kernel=(3, 3), num_filter=24)
    net = mx.symbol.Pooling(data=net, pool_type="max", kernel=(2, 2), stride=(2, 2))
    net = mx.symbol.Activation(data=net, act_type="relu")
    fc1 = mx.symbol.FullyConnected(data=mx.symbol.Flatten(data=net), num_hidden=96)
    fc1 = mx.symbol.Activation(data=fc1, act_type="relu")
    heads = [mx.symbol.FullyConnected(data=fc1, num_hidden=kinds) for _ in range(4)]
    stacked = mx.symbol.Concat(*heads, dim=0)
    label = mx.symbol.Reshape(data=mx.symbol.transpose(data=label), target_shape=(0,))
    return mx.symbol.SoftmaxOutput(data=stacked, label=label, name="softmax")


def accuracy(label, pred):
    """How many pictures are read without a fault."""
    label = label.T.reshape((-1,))
    hit, total = 0, 0
    for i in range(pred.shape[0] // 4):
        hit += all(
            np.argmax(pred[i + j * pred.shape[0] // 4]) == label[i + j * pred.shape[0] // 4] for j in range(4)
        )
        total += 1
    return 1.0 * hit / total


model = mx.model.FeedForward(
    ctx=mx.cpu(0),
    symbol=ocrnet(),
    num_epoch=8,
    optimizer="adam",
    learning_rate=0.004,
    initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
)
seen = []
model.fit(
    X=OCRIter(1200, batch_size),
    eval_data=OCRIter(200, batch_size),
    eval_metric=accuracy,
    batch_end_callback=mx.callback.Speedometer(batch_size, 20),
    eval_end_callback=lambda param: seen.append(param.eval_metric.get()[1]),
)
print("read %s" % ["%.2f" % share for share in seen])
assert seen[-1] > 0.85
