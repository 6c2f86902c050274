"""Blocks and layers of one's own: constants, shared parameters, initialisers, deferred shapes, files."""

import os
import tempfile

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import begin, report

npx.set_np()
begin()

X = np.random.uniform(size=(2, 20))


class MLP(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(256, activation="relu")
        self.out = nn.Dense(10)

    def forward(self, X):
        return self.out(self.hidden(X))


class MySequential(nn.Block):
    def add(self, block):
        self._children[block.name] = block

    def forward(self, X):
        for block in self._children.values():
            X = block(X)
        return X


class FixedHiddenMLP(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.rand_weight = self.params.get_constant("rand_weight", np.random.uniform(size=(20, 20)))
        self.dense = nn.Dense(20, activation="relu")

    def forward(self, X):
        X = self.dense(X)
        X = npx.relu(np.dot(X, self.rand_weight.data()) + 1)
        X = self.dense(X)
        while np.abs(X).sum() > 1:
            X /= 2
        return X.sum()


class NestMLP(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.net = nn.Sequential()
        self.net.add(nn.Dense(64, activation="relu"), nn.Dense(32, activation="relu"))
        self.dense = nn.Dense(16, activation="relu")

    def forward(self, X):
        return self.dense(self.net(X))


net = MLP()
net.initialize()
assert net(X).shape == (2, 10)
sequential = MySequential()
sequential.add(nn.Dense(256, activation="relu"))
sequential.add(nn.Dense(10))
sequential.initialize()
assert sequential(X).shape == (2, 10)
chimera = nn.Sequential()
chimera.add(NestMLP(), nn.Dense(20), FixedHiddenMLP())
chimera.initialize()
assert chimera(X).shape == () and chimera(X) <= 1

# Parameters: by name, by pattern, unknown shapes, other initialisers, one's own.
net = nn.Sequential()
net.add(nn.Dense(8, activation="relu"), nn.Dense(1))
assert net[0].weight.shape == (8, 0) or net[0].weight.shape == (8, -1)
net.initialize()
net(X)
assert net[0].weight.shape == (8, 20) and net[1].bias.data()[0] == 0
assert len(net.collect_params(".*weight").keys()) == 2 and net[0].weight.grad().shape == (8, 20)
net.initialize(init=init.Normal(sigma=0.01), force_reinit=True)
assert np.abs(net[0].weight.data()).max() < 0.1
net[0].weight.initialize(init=init.Xavier(), force_reinit=True)
net[1].initialize(init=init.Constant(42), force_reinit=True)
assert net[1].weight.data()[0, 0] == 42


class MyInit(init.Initializer):
    def _init_weight(self, name, data):
        data[:] = np.random.uniform(-10, 10, data.shape)
        data *= np.abs(data) >= 5


net.initialize(MyInit(), force_reinit=True)
weight = np.abs(net[0].weight.data())
assert ((weight == 0) + (weight >= 5)).all() and 0.3 < (weight == 0).mean() < 0.7
net[0].weight.data()[:] += 1
net[0].weight.data()[0, 0] = 42
assert net[0].weight.data()[0, 0] == 42

shared = nn.Dense(8, activation="relu")
net = nn.Sequential()
net.add(nn.Dense(8, activation="relu"), shared, nn.Dense(8, activation="relu", params=shared.params))
net.add(nn.Dense(10))
net.initialize()
net(X)
net[1].weight.data()[0, 0] = 100
assert (net[1].weight.data() == net[2].weight.data()).all()


class CenteredLayer(nn.Block):
    def forward(self, X):
        return X - X.mean()


class MyDense(nn.Block):
    def __init__(self, units, in_units, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=(in_units, units))
        self.bias = self.params.get("bias", shape=(units,), init=init.Zero())

    def forward(self, x):
        linear = np.dot(x, self.weight.data(ctx=x.ctx)) + self.bias.data(ctx=x.ctx)
        return npx.relu(linear)


net = nn.Sequential()
net.add(nn.Dense(128), CenteredLayer())
net.initialize()
assert abs(net(np.random.uniform(size=(4, 8))).mean()) < 1e-5


# A network of such layers learns, and goes to files and back.
def make():
    net = nn.Sequential()
    net.add(MyDense(32, in_units=20), nn.Dense(1))
    return net


X = np.random.normal(size=(200, 20))
y = np.sin(X[:, :1]) + X[:, 1:2] * X[:, 2:3]
net = make()
net.initialize(init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
loss = gluon.loss.L2Loss()
for _ in range(150):
    with autograd.record():
        one = loss(net(X), y)
    one.backward()
    trainer.step(len(X))
assert report("own_layers", loss(net(X), y).mean()) < 0.2
path = os.path.join(tempfile.mkdtemp(), "net.params")
net.save_parameters(path)
again = make()
again.load_parameters(path)
assert (again(X) == net(X)).all()
npx.save(path, {"x": X, "y": y})
assert (npx.load(path)["y"] == y).all()
