"""Wide and deep: a linear model of sparse crosses beside embeddings and layers; checkpoints."""

import mxnet as mx
import numpy as np

mx.random.seed(23)
rng = np.random.RandomState(23)
num_linear, dims, num_cont, batch_size = 200, [12, 8], 3, 50
hidden_units = [8, 32, 16]


def features(count):
    kinds = np.stack([rng.randint(0, dim, count) for dim in dims], axis=1)
    numbers = rng.normal(size=(count, num_cont))
    crosses = np.zeros((count, num_linear), "float32")
    crosses[np.arange(count), kinds[:, 0] * dims[1] + kinds[:, 1]] = 1
    crosses[np.arange(count), 100 + rng.randint(0, 100, count)] = 1
    label = (crosses.dot(truth) + numbers[:, 0] * numbers[:, 1] + 0.5 * numbers[:, 2] > 0).astype("float32")
    dense = np.concatenate([kinds, numbers], axis=1).astype("float32")
    return mx.nd.array(crosses).tostype("csr"), dense, label


def model():
    csr_data = mx.symbol.Variable("csr_data", stype="csr")
    weight = mx.symbol.Variable(
        "linear_weight", shape=(num_linear, 2), init=mx.initializer.Normal(sigma=0.01), stype="row_sparse"
    )
    bias = mx.symbol.Variable("linear_bias", shape=(2,), init=mx.initializer.Zero())
    wide = mx.symbol.broadcast_add(mx.symbol.sparse.dot(csr_data, weight), bias)

    dns_data = mx.symbol.Variable("dns_data")
    x = mx.symbol.slice(data=dns_data, begin=(0, 0), end=(None, len(dims)))
    embeds = mx.symbol.split(data=x, num_outputs=len(dims), squeeze_axis=1)
    rest = mx.symbol.slice(data=dns_data, begin=(0, len(dims)), end=(None, len(dims) + num_cont))
    parts = [rest]
    for i, embed in enumerate(embeds):
        embed_weight = mx.symbol.Variable("embed_%d_weight" % i, stype="row_sparse")
        parts.append(
            mx.symbol.Embedding(
                data=embed,
                weight=embed_weight,
                input_dim=dims[i],
                output_dim=hidden_units[0],
                sparse_grad=True,
            )
        )
    hidden = mx.symbol.concat(*parts, dim=1)
    for units in hidden_units[1:]:
        hidden = mx.symbol.Activation(
            mx.symbol.FullyConnected(data=hidden, num_hidden=units), act_type="relu"
        )
    deep = mx.symbol.FullyConnected(data=hidden, num_hidden=2)
    return mx.symbol.SoftmaxOutput(wide + deep, mx.symbol.Variable("softmax_label"), name="model")


truth = rng.normal(size=num_linear) * np.where(np.arange(num_linear) < 100, 2, 0.3)
csr, dense, label = features(2000)
test_csr, test_dense, test_label = features(500)
train = mx.io.NDArrayIter(
    {"csr_data": csr, "dns_data": dense},
    {"softmax_label": label},
    batch_size,
    shuffle=False,
    last_batch_handle="discard",
)
test = mx.io.NDArrayIter(
    {"csr_data": test_csr, "dns_data": test_dense},
    {"softmax_label": test_label},
    batch_size,
    last_batch_handle="discard",
)

names = {"data_names": ["csr_data", "dns_data"], "label_names": ["softmax_label"]}
mod = mx.mod.Module(symbol=model(), context=mx.cpu(), **names)
mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
mod.init_params(mx.initializer.Xavier())
optim = mx.optimizer.create("adam", learning_rate=0.01, rescale_grad=1.0 / batch_size)
mod.init_optimizer(optimizer=optim)
metric = mx.metric.create(["acc"])
for epoch in range(8):
    train.reset()
    metric.reset()
    for batch in train:
        mod.forward_backward(batch)
        mod.update()
        mod.update_metric(metric, batch.label)
    mod.save_checkpoint("checkpoint", epoch, save_optimizer_states=True)
score = dict(mod.score(test, ["acc"]))["accuracy"]
print("training %.3f, test %.3f" % (metric.get()[1][0], score))
assert score > 0.85

loaded = mx.mod.Module.load("checkpoint", 7, context=mx.cpu(), **names)
loaded.bind(data_shapes=test.provide_data, label_shapes=test.provide_label, for_training=False)
assert dict(loaded.score(test, ["acc"]))["accuracy"] == score
