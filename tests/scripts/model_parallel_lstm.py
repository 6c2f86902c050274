"""Layers of an LSTM on several devices: AttrScope(ctx_group=...) and group2ctx."""

import mxnet as mx
import numpy as np

mx.random.seed(7)
rng = np.random.RandomState(7)
steps, batch, hidden = 5, 20, 16

with mx.AttrScope(ctx_group="embed"):
    data = mx.sym.Variable("data")
    inputs = mx.sym.SliceChannel(
        mx.sym.Embedding(data, input_dim=11, output_dim=8, name="embed"), num_outputs=steps, squeeze_axis=True
    )
state = None
sequence = [inputs[i] for i in range(steps)]
for layer in range(2):
    with mx.AttrScope(ctx_group="layer%d" % layer):
        cell = mx.rnn.LSTMCell(num_hidden=hidden, prefix="l%d_" % layer)
        sequence, _ = cell.unroll(steps, inputs=sequence, merge_outputs=False)
with mx.AttrScope(ctx_group="decode"):
    net = mx.sym.FullyConnected(sequence[-1], num_hidden=11, name="decode")
    net = mx.sym.SoftmaxOutput(net, name="softmax")

group2ctx = {"embed": mx.cpu(0), "layer0": mx.cpu(1), "layer1": mx.cpu(2), "decode": mx.cpu(0)}
grad_req = {name: "null" if name in ("data", "softmax_label") else "write" for name in net.list_arguments()}
executor = net.simple_bind(
    mx.cpu(0), group2ctx=group2ctx, grad_req=grad_req, data=(batch, steps), softmax_label=(batch,)
)
for name, value in executor.arg_dict.items():
    if name not in ("data", "softmax_label"):
        mx.init.Xavier()(mx.init.InitDesc(name), value) if value.ndim > 1 else None
places = {name: str(value.context) for name, value in executor.arg_dict.items()}
assert places["l0_i2h_weight"] == "cpu(1)" and places["l1_i2h_weight"] == "cpu(2)", places

updater = mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.02, rescale_grad=1.0 / batch))
right = []
for _ in range(150):
    start = rng.randint(0, 11, (batch, 1))
    words = (start + np.arange(steps + 1) * rng.choice([1, 3], (batch, 1))) % 11
    executor.forward(is_train=True, data=mx.nd.array(words[:, :-1]), softmax_label=mx.nd.array(words[:, -1]))
    executor.backward()
    right.append((executor.outputs[0].asnumpy().argmax(axis=1) == words[:, -1]).mean())
    for i, name in enumerate(net.list_arguments()):
        if grad_req[name] == "write":
            updater(i, executor.grad_dict[name], executor.arg_dict[name])
print("right %.3f" % np.mean(right[-20:]))
assert np.mean(right[-20:]) > 0.9
