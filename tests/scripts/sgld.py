"""Bayesian regression: a chain of weights drawn by Langevin dynamics, and its mean and spread."""

import mxnet as mx
import numpy as np

mx.random.seed(28)
np.random.seed(28)
batch_size, hidden, noise = 20, 30, 0.2


def target(x):
    return np.sin(2 * x)


x = np.concatenate([np.random.uniform(-2, -0.5, 150), np.random.uniform(0.5, 2, 150)]).astype("float32")
y = (target(x) + noise * np.random.normal(size=x.size)).astype("float32")
data_iter = mx.io.NDArrayIter(
    {"data": x.reshape(-1, 1)}, {"label": y.reshape(-1, 1)}, batch_size, shuffle=True
)

data, label = mx.sym.Variable("data"), mx.sym.Variable("label")
net = mx.sym.FullyConnected(data, name="fc1", num_hidden=hidden)
net = mx.sym.Activation(net, act_type="tanh")
net = mx.sym.FullyConnected(net, name="fc2", num_hidden=1)
net = mx.sym.LinearRegressionOutput(net, label, name="linear")

exe = net.simple_bind(ctx=mx.cpu(), grad_req="write", data=(batch_size, 1), label=(batch_size, 1))
params = {name: array for name, array in exe.arg_dict.items() if name not in ("data", "label")}
init = mx.init.Uniform(0.7)
for name, array in params.items():
    init(mx.init.InitDesc(name), array)

# A warm-up to a good place, then the chain.
adam = mx.optimizer.get_updater(
    mx.optimizer.create("adam", learning_rate=0.02, rescale_grad=1.0 / batch_size)
)
schedule = mx.lr_scheduler.FactorScheduler(step=2000, factor=0.7)
optimizer = mx.optimizer.create(
    "sgld",
    learning_rate=5e-6,
    rescale_grad=x.size / float(batch_size) / noise**2,
    lr_scheduler=schedule,
    wd=0.1,
    param_idx2name=dict(enumerate(sorted(params))),
)
sgld = mx.optimizer.get_updater(optimizer)

test_x = np.linspace(-2, 2, 81).astype("float32")
test_exe = exe.reshape(data=(test_x.size, 1), label=(test_x.size, 1), allow_up_sizing=True)
test_exe.copy_params_from(params)
test_exe.arg_dict["data"][:] = test_x.reshape(-1, 1)


def steps(updater, count):
    for _ in range(count):
        try:
            batch = data_iter.next()
        except StopIteration:
            data_iter.reset()
            batch = data_iter.next()
        exe.arg_dict["data"][:] = batch.data[0]
        exe.arg_dict["label"][:] = batch.label[0]
        exe.forward(is_train=True)
        exe.backward()
        for i, name in enumerate(sorted(params)):
            updater(i, exe.grad_dict[name], exe.arg_dict[name])


steps(adam, 2000)
drawn = []
for _ in range(150):
    steps(sgld, 20)
    test_exe.copy_params_from(params)
    drawn.append(test_exe.forward(is_train=False)[0].asnumpy().ravel())
drawn = np.array(drawn[50:])
mean, spread = drawn.mean(axis=0), drawn.std(axis=0)
seen = (np.abs(test_x) > 0.6) & (np.abs(test_x) < 1.9)
error = np.sqrt(((mean - target(test_x))[seen] ** 2).mean())
print("error %.3f where there were data; spread %.3f there" % (error, spread[seen].mean()))
assert error < 0.12
assert 0.005 < spread[seen].mean() < 0.15, "the chain neither stands still nor runs away"
assert len(np.unique(drawn[:, 0])) == len(drawn)
