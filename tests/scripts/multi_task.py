"""Two losses on one body: an iterator that repeats the label, and a metric per output."""

import mxnet as mx
import numpy as np

mx.random.seed(4)
rng = np.random.RandomState(4)
centres = rng.normal(size=(6, 12)) * 2
kinds = rng.randint(0, 6, 600)
points = (centres[kinds] + rng.normal(size=(600, 12))).astype("float32")


class TwoLabels(mx.io.DataIter):
    """The kind, and whether it is odd."""

    def __init__(self, inner):
        super(TwoLabels, self).__init__()
        self.inner = inner
        self.batch_size = inner.batch_size

    @property
    def provide_data(self):
        return self.inner.provide_data

    @property
    def provide_label(self):
        shape = self.inner.provide_label[0][1]
        return [("softmax1_label", shape), ("softmax2_label", shape)]

    def reset(self):
        self.inner.reset()

    def next(self):
        batch = self.inner.next()
        label = batch.label[0]
        return mx.io.DataBatch(data=batch.data, label=[label, label % 2], pad=batch.pad, index=batch.index)


class TwoAccuracies(mx.metric.EvalMetric):
    def __init__(self, num=2):
        self.num = num
        super(TwoAccuracies, self).__init__("two-accuracies")

    def reset(self):
        self.right = np.zeros(2)
        self.seen = np.zeros(2)

    def update(self, labels, preds):
        for i in range(self.num):
            guess = preds[i].asnumpy().argmax(axis=1)
            self.right[i] += (guess == labels[i].asnumpy()).sum()
            self.seen[i] += guess.size

    def get(self):
        return ["task%d-accuracy" % i for i in range(self.num)], list(self.right / np.maximum(self.seen, 1))


body = mx.symbol.FullyConnected(mx.symbol.Variable("data"), num_hidden=32, name="fc1")
body = mx.symbol.Activation(body, act_type="relu")
first = mx.symbol.SoftmaxOutput(mx.symbol.FullyConnected(body, num_hidden=6, name="fc2"), name="softmax1")
second = mx.symbol.SoftmaxOutput(mx.symbol.FullyConnected(body, num_hidden=2, name="fc3"), name="softmax2")
net = mx.symbol.Group([first, second])

train = TwoLabels(mx.io.NDArrayIter(points, kinds.astype("float32"), 50, shuffle=True))
model = mx.mod.Module(net, label_names=("softmax1_label", "softmax2_label"), context=mx.cpu())
metric = TwoAccuracies()
model.fit(train, eval_metric=metric, num_epoch=8, optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
print(dict(zip(*metric.get())))
assert min(metric.get()[1]) > 0.9
