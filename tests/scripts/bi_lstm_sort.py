"""Sorting by a bidirectional LSTM, trained at one length by the fused cell and read by the single ones."""

import mxnet as mx
import numpy as np

mx.random.seed(35)
rng = np.random.RandomState(35)
length, words, hidden, batch_size = 5, 20, 48, 100


def sequences(count):
    data = rng.randint(0, words, (count, length))
    return data, np.sort(data, axis=1)


def network(cell):
    data, label = mx.sym.Variable("data"), mx.sym.Variable("softmax_label")
    embed = mx.sym.Embedding(data=data, input_dim=words, output_dim=24, name="embed")
    outputs, _ = cell.unroll(length, inputs=embed, merge_outputs=True, layout="NTC")
    pred = mx.sym.FullyConnected(
        mx.sym.Reshape(outputs, shape=(-1, 2 * hidden)), num_hidden=words, name="pred"
    )
    return mx.sym.SoftmaxOutput(data=pred, label=mx.sym.Reshape(label, shape=(-1,)), name="softmax")


fused = mx.rnn.FusedRNNCell(hidden, num_layers=1, bidirectional=True, mode="lstm", prefix="lstm_")
data, label = sequences(6000)
train = mx.io.NDArrayIter(data, label, batch_size, shuffle=True)
model = mx.mod.Module(network(fused))
model.fit(
    train,
    eval_metric=mx.metric.create("acc"),
    initializer=mx.init.Xavier(),
    optimizer="adam",
    optimizer_params={"learning_rate": 0.01},
    num_epoch=10,
    epoch_end_callback=mx.rnn.do_rnn_checkpoint(fused, "sort", period=10),
)
# What was saved holds the weights of single cells.
stack = fused.unfuse()
symbol, arg_params, aux_params = mx.rnn.load_rnn_checkpoint(stack, "sort", 10)
reader = mx.mod.Module(network(stack))
reader.bind([("data", (batch_size, length))], [("softmax_label", (batch_size, length))], for_training=False)
reader.set_params(arg_params, aux_params)
data, label = sequences(500)
test = mx.io.NDArrayIter(data, label, batch_size)
sorted_words = reader.predict(test).asnumpy().argmax(axis=1).reshape((-1, length))
right = (sorted_words == label).mean()
other = model.predict(test).asnumpy().argmax(axis=1).reshape((-1, length))
print("right %.3f; e.g. %s gives %s" % (right, data[0], sorted_words[0]))
assert right > 0.9 and (other == sorted_words).mean() > 0.999
