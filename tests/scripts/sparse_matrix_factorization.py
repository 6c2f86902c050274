"""Matrix factorization with row_sparse gradients of embeddings, users and items on devices of their own."""

import mxnet as mx
import numpy as np

mx.random.seed(24)
rng = np.random.RandomState(24)
users, items, rank, batch_size = 60, 40, 3, 100
truth = rng.normal(size=(users, rank)).dot(rng.normal(size=(rank, items)))
pairs = np.stack([rng.randint(0, users, 4000), rng.randint(0, items, 4000)], axis=1)
scores = truth[pairs[:, 0], pairs[:, 1]].astype("float32")


def matrix_fact_net(factor_size, num_hidden):
    score = mx.symbol.Variable("score")
    with mx.AttrScope(ctx_group="dev1"):
        user = mx.symbol.Variable("user")
        user_weight = mx.symbol.Variable("user_weight", stype="row_sparse")
        user = mx.symbol.Embedding(
            data=user, weight=user_weight, sparse_grad=True, input_dim=users, output_dim=factor_size
        )
    with mx.AttrScope(ctx_group="dev2"):
        item = mx.symbol.Variable("item")
        item_weight = mx.symbol.Variable("item_weight", stype="row_sparse")
        item = mx.symbol.Embedding(
            data=item, weight=item_weight, sparse_grad=True, input_dim=items, output_dim=factor_size
        )
        if num_hidden:
            item = mx.symbol.FullyConnected(
                mx.symbol.Activation(data=item, act_type="tanh"), num_hidden=num_hidden
            )
        pred = mx.symbol.Flatten(mx.symbol.sum(data=user * item, axis=1))
        return mx.symbol.LinearRegressionOutput(data=pred, label=score)


def iterator(part):
    return mx.io.NDArrayIter(
        {"user": pairs[part, 0], "item": pairs[part, 1]}, {"score": scores[part]}, batch_size, shuffle=True
    )


train, test = iterator(slice(0, 3500)), iterator(slice(3500, 4000))
for lazy, hidden in ((True, 8), (False, 0)):
    mod = mx.mod.Module(
        symbol=matrix_fact_net(8, hidden),
        context=[mx.cpu(0)],
        data_names=["user", "item"],
        label_names=["score"],
        group2ctxs={"dev1": [mx.cpu(1)], "dev2": [mx.cpu(0)]},
    )
    mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
    mod.init_params(initializer=mx.init.Uniform(0.5))
    optim = mx.optimizer.create(
        "adam", learning_rate=0.02, rescale_grad=1.0 / batch_size, lazy_update=lazy, wd=1e-5
    )
    mod.init_optimizer(optimizer=optim, kvstore=None)
    metric = mx.metric.create(["MSE"])
    for _ in range(25):
        metric.reset()
        train.reset()
        for batch in train:
            mod.forward_backward(batch)
            mod.update()
            mod.update_metric(metric, batch.label)
    error = mod.score(test, ["MSE"])[0][1]
    print("lazy %s: training %s, test %.3f of %.3f" % (lazy, metric.get()[1], error, scores.var()))
    assert error < 0.15 * scores.var()
