"""An LSTM that reads rows of a picture and learns digits by CTC."""

import mxnet as mx
import numpy as np

mx.random.seed(8)
rng = np.random.RandomState(8)
width, batch, hidden = 12, 25, 32


def pictures(count):
    """Three bars of kinds 1 to 3, each two columns wide with gaps of one or two."""
    data, label = np.zeros((count, width, 4), "float32"), rng.randint(1, 4, (count, 3))
    for picture, kinds in zip(data, label):
        at = rng.randint(0, 2)
        for kind in kinds:
            picture[at : at + 2, kind] = 1
            at += 3 + (rng.rand() < 0.3)
    return data + 0.1 * rng.normal(size=data.shape).astype("float32"), label


data, label = mx.sym.Variable("data"), mx.sym.Variable("label")
cell = mx.rnn.FusedRNNCell(hidden, num_layers=1, bidirectional=True, mode="lstm", prefix="lstm_")
outputs, _ = cell.unroll(width, data, merge_outputs=True, layout="NTC")
scores = mx.sym.FullyConnected(outputs, num_hidden=4, flatten=False, name="scores")
steps_first = mx.sym.transpose(scores, axes=(1, 0, 2))
loss = mx.sym.MakeLoss(mx.sym.contrib.ctc_loss(steps_first, label, name="ctc"))
net = mx.sym.Group([loss, mx.sym.BlockGrad(steps_first)])

model = mx.mod.Module(net, data_names=["data"], label_names=["label"])
model.bind([("data", (batch, width, 4))], [("label", (batch, 3))])
model.init_params(mx.init.Xavier())
model.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.02, "rescale_grad": 1.0 / batch})
for _ in range(120):
    x, y = pictures(batch)
    model.forward_backward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
    model.update()


def read(path):
    return [k for i, k in enumerate(path) if k != 0 and (i == 0 or path[i - 1] != k)]


right = 0
for _ in range(4):
    x, y = pictures(batch)
    model.forward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]), is_train=False)
    best = model.get_outputs()[1].asnumpy().argmax(axis=2).T
    right += sum(read(path) == list(kinds) for path, kinds in zip(best, y))
print("read %d of 100" % right)
assert right > 80
