"""A linear model of sparse features: LibSVMIter, csr data, row_sparse weights in a store."""

import argparse

import mxnet as mx
import numpy as np

parser = argparse.ArgumentParser()
parser.add_argument("--num-epoch", type=int, default=8)
parser.add_argument("--batch-size", type=int, default=50)
parser.add_argument("--kvstore", default="local", choices=["local", "device"])
args = parser.parse_args()

num_features, batch_size = 1000, args.batch_size
rng = np.random.RandomState(20)
mx.random.seed(20)


def write(path, count, truth):
    """Lines of ten features out of a thousand; one class in five is the positive one."""
    with open(path, "w") as file:
        while count:
            columns = np.sort(rng.choice(num_features, 10, replace=False))
            values = rng.rand(10) + 0.5
            score = values.dot(truth[columns])
            if score > 4 or (score < -2 and rng.rand() < 0.6):
                words = " ".join("%d:%.3f" % pair for pair in zip(columns, values))
                file.write("%d %s\n" % (score > 0, words))
                count -= 1


class WeightedSoftmax(mx.operator.CustomOp):
    """A softmax whose gradient counts examples of the positive class several times."""

    def __init__(self, weight):
        super(WeightedSoftmax, self).__init__()
        self.weight = float(weight)

    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], mx.nd.softmax(in_data[0]))

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = in_data[1]
        grad = out_data[0] - mx.nd.one_hot(label, 2)
        grad = mx.nd.broadcast_mul(grad, (1 + (self.weight - 1) * label).reshape((-1, 1)))
        self.assign(in_grad[0], req[0], grad)


@mx.operator.register("weighted_softmax")
class WeightedSoftmaxProp(mx.operator.CustomOpProp):
    def __init__(self, positive_weight="1"):
        super(WeightedSoftmaxProp, self).__init__(need_top_grad=False)
        self.weight = positive_weight

    def list_arguments(self):
        return ["data", "label"]

    def infer_shape(self, in_shape):
        return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return WeightedSoftmax(self.weight)


truth = rng.normal(size=num_features) * 1.5
write("train.t", 1500, truth)
write("test.t", 500, truth)

kv = mx.kvstore.create(args.kvstore)
shape = (num_features,)
train = mx.io.LibSVMIter(
    data_libsvm="train.t",
    data_shape=shape,
    batch_size=batch_size,
    num_parts=kv.num_workers,
    part_index=kv.rank,
)
test = mx.io.LibSVMIter(data_libsvm="test.t", data_shape=shape, batch_size=batch_size)

x = mx.symbol.Variable("data", stype="csr")
weight = mx.symbol.Variable(
    "weight", shape=(num_features, 2), init=mx.initializer.Normal(sigma=0.01), stype="row_sparse"
)
bias = mx.symbol.Variable("bias", shape=(2,))
pred = mx.symbol.broadcast_add(mx.symbol.sparse.dot(x, weight), bias)
net = mx.symbol.Custom(
    pred, mx.symbol.Variable("softmax_label"), op_type="weighted_softmax", positive_weight=2.0, name="out"
)


def rows_of_batch(batch):
    return {"weight": batch.data[0].indices}


def all_rows(batch):
    return {"weight": mx.nd.arange(0, num_features, dtype="int64")}


for optimizer, rate in (("sgd", 0.5), ("adagrad", 0.1)):
    mod = mx.mod.Module(symbol=net, data_names=["data"], label_names=["softmax_label"])
    mod.bind(data_shapes=train.provide_data, label_shapes=train.provide_label)
    mod.init_params()
    optim = mx.optimizer.create(optimizer, learning_rate=rate, rescale_grad=1.0 / batch_size / kv.num_workers)
    mod.init_optimizer(optimizer=optim, kvstore=mx.kvstore.create(args.kvstore))
    metric = mx.metric.create(["acc", "nll_loss"])
    speedometer = mx.callback.Speedometer(batch_size, 10)
    train.reset()
    for epoch in range(args.num_epoch):
        metric.reset()
        for number, batch in enumerate(train):
            mod.prepare(batch, sparse_row_id_fn=rows_of_batch)
            mod.forward_backward(batch)
            mod.update()
            mod.update_metric(metric, batch.label)
            speedometer(
                mx.model.BatchEndParam(epoch=epoch, nbatch=number, eval_metric=metric, locals=locals())
            )
        mod.prepare(None, sparse_row_id_fn=all_rows)
        train.reset()
    score = dict(mod.score(test, ["acc", "nll_loss"]))
    print("%s: training %s, test %s" % (optimizer, metric.get_name_value(), score))
    assert mod._exec_group.grad_arrays[0][0].stype == "row_sparse"
    assert score["accuracy"] > 0.9, score
