"""Noise-contrastive estimation: a loss over a few sampled words in place of a softmax over all."""

import mxnet as mx
import numpy as np

mx.random.seed(9)
rng = np.random.RandomState(9)
vocabulary, noise, hidden, batch = 50, 6, 24, 50


def nce_loss(data, label, label_weight, embed_weight):
    label_embed = mx.sym.Embedding(
        data=label, input_dim=vocabulary, weight=embed_weight, output_dim=hidden, name="label_embed"
    )
    data = mx.sym.Reshape(data=data, shape=(-1, 1, hidden))
    pred = mx.sym.broadcast_mul(data, label_embed)
    pred = mx.sym.sum(data=pred, axis=2)
    return mx.sym.LogisticRegressionOutput(data=pred, label=label_weight, name="nce")


class Pairs(mx.io.DataIter):
    """A word, the word that follows it, and noise; weight 1 stands for the true one."""

    def __init__(self, count):
        super(Pairs, self).__init__()
        self.count, self.batch_size = count, batch
        self.provide_data = [("data", (batch, 1))]
        self.provide_label = [("label", (batch, 1 + noise)), ("label_weight", (batch, 1 + noise))]
        self.reset()

    def reset(self):
        self.at = 0

    def next(self):
        if self.at == self.count:
            raise StopIteration
        self.at += 1
        word = rng.randint(0, vocabulary, (batch, 1))
        label = np.concatenate(
            [(word * 7 + 3) % vocabulary, rng.randint(0, vocabulary, (batch, noise))], axis=1
        )
        weight = np.zeros((batch, 1 + noise))
        weight[:, 0] = 1
        return mx.io.DataBatch([mx.nd.array(word)], [mx.nd.array(label), mx.nd.array(weight)], pad=0)


class NceAuc(mx.metric.EvalMetric):
    """How often the true word's score is above the noise's."""

    def __init__(self):
        super(NceAuc, self).__init__("nce-auc")

    def update(self, labels, preds):
        scores = preds[0].asnumpy()
        self.sum_metric += (scores[:, :1] > scores[:, 1:]).mean() * len(scores)
        self.num_inst += len(scores)


data, label = mx.sym.Variable("data"), mx.sym.Variable("label")
label_weight, embed_weight = mx.sym.Variable("label_weight"), mx.sym.Variable("embed_weight")
embed = mx.sym.Embedding(data=data, input_dim=vocabulary, output_dim=hidden, name="data_embed")
pred = mx.sym.FullyConnected(embed, num_hidden=hidden, name="fc")
net = nce_loss(pred, label, label_weight, embed_weight)

model = mx.mod.Module(net, data_names=["data"], label_names=["label", "label_weight"])
metric = NceAuc()
model.fit(
    Pairs(100),
    num_epoch=6,
    eval_metric=metric,
    optimizer="adam",
    optimizer_params={"learning_rate": 0.02},
    initializer=mx.init.Xavier(factor_type="in", magnitude=2.34),
)
print("AUC %.3f" % metric.get()[1])
assert metric.get()[1] > 0.95
