"""Adversarial examples: a step along the sign of the gradient of the loss by the picture."""

import mxnet as mx
import numpy as np

mx.random.seed(27)
rng = np.random.RandomState(27)
batch_size, size, kinds = 100, 12, 4


def pictures(count):
    """Lines across, down and along both diagonals."""
    label = rng.randint(0, kinds, count)
    y, x = np.mgrid[:size, :size] - (size - 1) / 2
    along = np.stack([y, x, (y - x) / 1.4, (y + x) / 1.4])[label]
    shift = rng.uniform(-2, 2, (count, 1, 1))
    data = np.exp(-((along - shift) ** 2)) + 0.3 * rng.normal(size=(count, size, size))
    return data[:, None].astype("float32"), label.astype("float32")


net = mx.sym.Variable("data")
net = mx.sym.Convolution(data=net, kernel=(5, 5), num_filter=8, name="conv1")
net = mx.sym.Pooling(mx.sym.Activation(net, act_type="relu"), pool_type="max", kernel=(2, 2), stride=(2, 2))
net = mx.sym.Activation(
    mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=32, name="fc1"), act_type="tanh"
)
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(net, num_hidden=kinds, name="fc2"), name="softmax")

arg_names = net.list_arguments()
arg_shapes, out_shapes, aux_shapes = net.infer_shape(data=(batch_size, 1, size, size))
arg_arrays = [mx.nd.zeros(shape, ctx=mx.cpu()) for shape in arg_shapes]
grad_arrays = [mx.nd.zeros(shape, ctx=mx.cpu()) for shape in arg_shapes]
reqs = ["write" for _ in arg_names]
model = net.bind(ctx=mx.cpu(), args=arg_arrays, args_grad=grad_arrays, grad_req=reqs)
arg_map, grad_map = dict(zip(arg_names, model.arg_arrays)), dict(zip(arg_names, model.grad_arrays))
data_grad = grad_map["data"]
for name in arg_names:
    if "weight" in name:
        arg_map[name][:] = mx.random.uniform(-0.1, 0.1, arg_map[name].shape)


def sgd(key, weight, grad, lr=0.1, grad_norm=batch_size):
    weight[:] -= lr * (grad / batch_size)


def accuracy(label, scores):
    return np.sum(np.argmax(scores, axis=1) == label) / batch_size


data, label = pictures(2000)
train_iter = mx.io.NDArrayIter(data, label, batch_size, shuffle=True)
for epoch in range(8):
    train_iter.reset()
    right = []
    for batch in train_iter:
        arg_map["data"][:] = batch.data[0]
        arg_map["softmax_label"][:] = batch.label[0]
        model.forward(is_train=True)
        model.backward()
        for i, (weight, grad) in enumerate(zip(model.arg_arrays, model.grad_arrays)):
            if "weight" in arg_names[i] or "bias" in arg_names[i]:
                sgd(i, weight, grad)
        right.append(accuracy(batch.label[0].asnumpy(), model.outputs[0].asnumpy()))
    print("epoch %d accuracy %.3f" % (epoch, np.mean(right)))

data, label = pictures(batch_size)
arg_map["data"][:] = mx.nd.array(data)
arg_map["softmax_label"][:] = label
model.forward(is_train=True)
model.backward()
clean = accuracy(label, model.outputs[0].asnumpy())
step = mx.nd.sign(data_grad)
assert set(np.unique(step.asnumpy())) <= {-1, 0, 1}

arg_map["data"][:] = mx.nd.array(data) + 0.6 * step
model.forward(is_train=False)
fooled = accuracy(label, model.outputs[0].asnumpy())
arg_map["data"][:] = mx.nd.array(data) + 0.6 * mx.nd.array(rng.choice([-1, 1], data.shape))
model.forward(is_train=False)
noisy = accuracy(label, model.outputs[0].asnumpy())
print("accuracy %.2f, after a step along the gradient %.2f, after a random one %.2f" % (clean, fooled, noisy))
assert clean > 0.9 and noisy > 0.75 and fooled < noisy - 0.3
