"""Sentences of several lengths: BucketSentenceIter, BucketingModule and LSTM cells."""

import mxnet as mx
import numpy as np

mx.random.seed(6)
rng = np.random.RandomState(6)
# Each word is followed by the next of its sentence's step.
sentences = []
for _ in range(400):
    length, start, stride = rng.randint(4, 12), rng.randint(1, 20), rng.choice([1, 2])
    sentences.append([1 + (start + stride * i) % 20 for i in range(length)])
buckets, batch = [6, 9, 12], 20
train = mx.rnn.BucketSentenceIter(sentences, batch, buckets=buckets, invalid_label=0)

stack = mx.rnn.SequentialRNNCell()
stack.add(mx.rnn.LSTMCell(num_hidden=48, prefix="lstm_l0_"))


def sym_gen(seq_len):
    data = mx.sym.Variable("data")
    label = mx.sym.Variable("softmax_label")
    embed = mx.sym.Embedding(data=data, input_dim=21, output_dim=16, name="embed")
    stack.reset()
    outputs, _ = stack.unroll(seq_len, inputs=embed, merge_outputs=True)
    pred = mx.sym.Reshape(outputs, shape=(-1, 48))
    pred = mx.sym.FullyConnected(data=pred, num_hidden=21, name="pred")
    label = mx.sym.Reshape(label, shape=(-1,))
    return (
        mx.sym.SoftmaxOutput(data=pred, label=label, name="softmax", use_ignore=True, ignore_label=0),
        ("data",),
        ("softmax_label",),
    )


model = mx.mod.BucketingModule(sym_gen=sym_gen, default_bucket_key=train.default_bucket_key, context=mx.cpu())
metric = mx.metric.Perplexity(0)
model.fit(
    train_data=train,
    eval_metric=metric,
    optimizer="adam",
    optimizer_params={"learning_rate": 0.02},
    initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
    num_epoch=8,
)
print("perplexity %.2f" % metric.get()[1])
assert metric.get()[1] < 4
