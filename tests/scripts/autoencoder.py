"""A stacked autoencoder, trained layer by layer with executors and an optimiser's updater."""

import mxnet as mx
import numpy as np

mx.random.seed(5)
rng = np.random.RandomState(5)
basis = rng.normal(size=(3, 16))
points = np.tanh(rng.normal(size=(400, 3)).dot(basis)).astype("float32")


def step(net, args, batch, epochs, rate, names):
    """Trains the named arguments on the mean square error."""
    grads = {name: mx.nd.zeros(args[name].shape) for name in names}
    net_args = dict(args)
    executor = net.bind(
        mx.cpu(),
        net_args,
        args_grad=grads,
        grad_req={n: "write" if n in names else "null" for n in net.list_arguments()},
    )
    updater = mx.optimizer.get_updater(mx.optimizer.create("adam", learning_rate=rate))
    for _ in range(epochs):
        for at in range(0, len(points), batch):
            executor.arg_dict["data"][:] = points[at : at + batch]
            executor.arg_dict["target_label"][:] = points[at : at + batch]
            executor.forward(is_train=True)
            executor.backward()
            for i, name in enumerate(names):
                updater(i, grads[name], executor.arg_dict[name])
    return executor


batch = 50
data = mx.sym.Variable("data")
code = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=8, name="enc1"), act_type="tanh")
inner = mx.sym.FullyConnected(code, num_hidden=3, name="enc2")
back = mx.sym.Activation(mx.sym.FullyConnected(inner, num_hidden=8, name="dec2"), act_type="tanh")
shallow = mx.sym.LinearRegressionOutput(
    mx.sym.FullyConnected(code, num_hidden=16, name="dec1"), name="target"
)
deep = mx.sym.LinearRegressionOutput(mx.sym.FullyConnected(back, num_hidden=16, name="dec1"), name="target")

shapes, _, _ = deep.infer_shape(data=(batch, 16))
args = {name: mx.nd.zeros(shape) for name, shape in zip(deep.list_arguments(), shapes)}
for name, value in args.items():
    if name.endswith("weight"):
        mx.init.Xavier()(mx.init.InitDesc(name), value)


def error(net):
    executor = net.bind(mx.cpu(), {n: args[n] for n in net.list_arguments()})
    total = 0.0
    for at in range(0, len(points), batch):
        executor.forward(data=mx.nd.array(points[at : at + batch]))
        total += float(((executor.outputs[0].asnumpy() - points[at : at + batch]) ** 2).sum())
    return total / points.size


before = error(deep)
step(
    shallow,
    {n: args[n] for n in shallow.list_arguments()},
    batch,
    15,
    0.01,
    ["enc1_weight", "enc1_bias", "dec1_weight", "dec1_bias"],
)
step(deep, args, batch, 40, 0.01, [n for n in deep.list_arguments() if n not in ("data", "target_label")])
after = error(deep)
print("mean square error %.4f, before %.4f" % (after, before))
assert after < 0.3 * before
