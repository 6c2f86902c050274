"""Stochastic depth: residual layers that a coin leaves out in training, as modules in a SequentialModule."""

import mxnet as mx
import numpy as np

mx.random.seed(31)
rng = np.random.RandomState(31)
batch_size, width, kinds = 50, 24, 5


class StochasticDepthModule(mx.mod.BaseModule):
    """A computation that is left out with a probability, beside a way past it."""

    def __init__(self, symbol_compute, death_rate):
        super(StochasticDepthModule, self).__init__()
        self._compute = mx.mod.Module(symbol_compute, data_names=("data",), label_names=None)
        self._open_rate = 1 - death_rate
        self._open = True
        self._outputs = self._input_grads = None
        self.left_out = 0

    data_names = property(lambda self: self._compute.data_names)
    output_names = property(lambda self: self._compute.output_names)
    data_shapes = property(lambda self: self._compute.data_shapes)
    label_shapes = property(lambda self: self._compute.label_shapes)
    output_shapes = property(lambda self: self._compute.output_shapes)

    def get_params(self):
        return self._compute.get_params()

    def init_params(self, *args, **kwargs):
        self._compute.init_params(*args, **kwargs)
        self.params_initialized = True

    def bind(self, *args, **kwargs):
        self._compute.bind(*args, **kwargs)
        self.binded, self.for_training = True, self._compute.for_training

    def init_optimizer(self, *args, **kwargs):
        self._compute.init_optimizer(*args, **kwargs)
        self.optimizer_initialized = True

    def forward(self, data_batch, is_train=None):
        is_train = self.for_training if is_train is None else is_train
        self._open = not is_train or rng.rand() < self._open_rate
        self.left_out += not self._open
        self._outputs = data_batch.data[0]
        if self._open:
            self._compute.forward(data_batch, is_train=is_train)
            scale = 1.0 if is_train else self._open_rate
            self._outputs = self._outputs + scale * self._compute.get_outputs()[0]

    def backward(self, out_grads=None):
        self._input_grads = out_grads[0]
        if self._open:
            self._compute.backward(out_grads=out_grads)
            self._input_grads = self._input_grads + self._compute.get_input_grads()[0]

    def update(self):
        if self._open:
            self._compute.update()

    def update_metric(self, eval_metric, labels, pre_sliced=False):
        self._compute.update_metric(eval_metric, labels, pre_sliced)

    def get_outputs(self, merge_multi_context=True):
        return [self._outputs]

    def get_input_grads(self, merge_multi_context=True):
        return [self._input_grads]

    def install_monitor(self, mon):
        self._compute.install_monitor(mon)


def layer(name):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=width, name=name + "_a")
    net = mx.sym.Activation(mx.sym.BatchNorm(net, name=name + "_bn", fix_gamma=False), act_type="relu")
    return mx.sym.FullyConnected(net, num_hidden=width, name=name + "_b")


first = mx.sym.Activation(
    mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=width, name="first"), act_type="relu"
)
last = mx.sym.SoftmaxOutput(
    mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=kinds, name="last"), name="softmax"
)
net = mx.mod.SequentialModule()
net.add(mx.mod.Module(first, label_names=None))
blocks = [StochasticDepthModule(layer("block%d" % i), 0.1 * (i + 1)) for i in range(4)]
for block in blocks:
    net.add(block, auto_wiring=True)
net.add(mx.mod.Module(last), auto_wiring=True, take_labels=True)

centres = rng.normal(size=(kinds * 3, 8)) * 1.6
which = rng.randint(0, kinds * 3, 3000)
points = (centres[which] + 0.6 * rng.normal(size=(3000, 8))).astype("float32")
train = mx.io.NDArrayIter(points[:2400], which[:2400] % kinds, batch_size, shuffle=True)
test = mx.io.NDArrayIter(points[2400:], which[2400:] % kinds, batch_size)
net.fit(
    train,
    eval_data=test,
    num_epoch=8,
    initializer=mx.init.Xavier(),
    optimizer="nag",
    optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-4},
)
score = dict(net.score(test, "acc"))["accuracy"]
shares = [block.left_out / (8.0 * 2400 / batch_size) for block in blocks]
print("accuracy %.3f, left out %s" % (score, ["%.2f" % share for share in shares]))
assert score > 0.9
assert all(abs(share - 0.1 * (i + 1)) < 0.12 for i, share in enumerate(shares))
names = set(net.get_params()[0])
assert {"first_weight", "block3_b_weight", "last_bias"} <= names, names
