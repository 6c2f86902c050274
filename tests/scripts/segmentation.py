"""A fully convolutional network: labels of points, Deconvolution, Crop, points that do not count."""

import mxnet as mx
import numpy as np

mx.random.seed(34)
rng = np.random.RandomState(34)
batch_size, size, kinds, ignored = 10, 24, 3, 255


def pictures(count):
    """Discs and squares on a ground of noise; a rim around each is not counted."""
    y, x = np.mgrid[:size, :size]
    data = 0.4 * rng.normal(size=(count, 3, size, size))
    label = np.zeros((count, size, size))
    for i in range(count):
        for kind, (cy, cx) in enumerate(rng.uniform(5, 19, (2, 2)), 1):
            far = np.hypot(y - cy, x - cx) if kind == 1 else np.maximum(abs(y - cy), abs(x - cx))
            label[i][far < 4.5] = ignored
            label[i][far < 3.5] = kind
            data[i, :, far < 4] += [0.5, 1.0, 0.5] if kind == 1 else [1.0, 0.2, 0.5]
    return data.astype("float32"), label.astype("float32")


def fcn():
    data = mx.symbol.Variable("data")
    net = mx.symbol.Convolution(data=data, kernel=(3, 3), pad=(2, 2), num_filter=12, name="conv1")
    net = mx.symbol.Activation(data=net, act_type="relu")
    pool1 = mx.symbol.Pooling(data=net, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool1")
    net = mx.symbol.Convolution(data=pool1, kernel=(3, 3), pad=(1, 1), num_filter=24, name="conv2")
    net = mx.symbol.Activation(data=net, act_type="relu")
    net = mx.symbol.Pooling(data=net, pool_type="max", kernel=(2, 2), stride=(2, 2), name="pool2")
    score2 = mx.symbol.Convolution(data=net, kernel=(1, 1), num_filter=kinds, name="score2")
    up2 = mx.symbol.Deconvolution(
        data=score2, kernel=(4, 4), stride=(2, 2), num_filter=kinds, num_group=kinds, name="upsampling2"
    )
    score1 = mx.symbol.Convolution(data=pool1, kernel=(1, 1), num_filter=kinds, name="score1")
    up2 = mx.symbol.Crop(*[up2, score1], offset=(1, 1), name="crop2")
    fused = up2 + score1
    up1 = mx.symbol.Deconvolution(
        data=fused, kernel=(4, 4), stride=(2, 2), num_filter=kinds, num_group=kinds, name="upsampling1"
    )
    score = mx.symbol.Crop(*[up1, data], offset=(1, 1), name="crop1")
    return mx.symbol.SoftmaxOutput(
        data=score,
        multi_output=True,
        use_ignore=True,
        ignore_label=ignored,
        normalization="valid",
        name="softmax",
    )


data, label = pictures(220)
train = mx.io.NDArrayIter(data[:180], label[:180], batch_size, shuffle=True)
test = mx.io.NDArrayIter(data[180:], label[180:], batch_size)
net = fcn()
initializer = mx.init.Mixed([".*upsampling.*weight", ".*"], [mx.init.Bilinear(), mx.init.Xavier()])
model = mx.mod.Module(net, fixed_param_names=["upsampling1_weight"])
model.fit(
    train,
    eval_metric=mx.metric.Accuracy(axis=1),
    num_epoch=12,
    initializer=initializer,
    optimizer="adam",
    optimizer_params={"learning_rate": 0.01, "wd": 1e-5, "rescale_grad": 1.0},
)
fixed = model.get_params()[0]["upsampling1_weight"].asnumpy()
np.testing.assert_allclose(fixed[0, 0, 1], np.array([0.25, 0.75, 0.75, 0.25]) * 0.75, rtol=1e-6)

found = model.predict(test).asnumpy().argmax(axis=1)
truth = label[180:]
counted = truth != ignored
share = [
    ((found == k) & (truth == k)).sum() / (((found == k) | (truth == k)) & counted).sum()
    for k in range(kinds)
]
print("intersection over union %s" % ["%.2f" % s for s in share])
assert min(share) > 0.75
