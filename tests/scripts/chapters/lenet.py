"""Convolution: cross-correlation by hand, padding, strides, channels, pooling; LeNet."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report, train_classifier

npx.set_np()
begin()


def corr2d(X, K):
    h, w = K.shape
    Y = np.zeros((X.shape[0] - h + 1, X.shape[1] - w + 1))
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[i, j] = (X[i : i + h, j : j + w] * K).sum()
    return Y


class Conv2D(nn.Block):
    def __init__(self, kernel_size, **kwargs):
        super().__init__(**kwargs)
        self.weight = self.params.get("weight", shape=kernel_size)
        self.bias = self.params.get("bias", shape=(1,))

    def forward(self, x):
        return corr2d(x, self.weight.data()) + self.bias.data()


X = np.ones((6, 8))
X[:, 2:6] = 0
K = np.array([[1.0, -1.0]])
Y = corr2d(X, K)
assert (Y[:, 1] == 1).all() and (Y[:, 5] == -1).all() and Y.sum() == 0
own = Conv2D((1, 2))
own.initialize()
assert own(X).shape == (6, 7)

# The kernel is learnt from pictures.
conv2d = nn.Conv2D(1, kernel_size=(1, 2), use_bias=False)
conv2d.initialize()
for _ in range(20):
    with autograd.record():
        loss = (conv2d(X.reshape(1, 1, 6, 8)) - Y.reshape(1, 1, 6, 7)) ** 2
    loss.backward()
    conv2d.weight.data()[:] -= 3e-2 * conv2d.weight.grad()
assert np.abs(conv2d.weight.data().reshape(1, 2) - K).max() < 0.2


def shape_of(layer, X):
    layer.initialize()
    return layer(X.reshape((1, 1, *X.shape))).shape[2:]


X = np.random.uniform(size=(8, 8))
assert shape_of(nn.Conv2D(1, kernel_size=(5, 3), padding=(2, 1)), X) == (8, 8)
assert shape_of(nn.Conv2D(1, kernel_size=(3, 5), padding=(0, 1), strides=(3, 4)), X) == (2, 2)
assert shape_of(nn.MaxPool2D(3, padding=1, strides=2), X) == (4, 4)
assert shape_of(nn.AvgPool2D((2, 3), padding=(0, 1), strides=(2, 3)), X) == (4, 3)

# One by one convolution is a layer over channels.
A, B = np.random.normal(size=(3, 3, 3)), np.random.normal(size=(2, 3, 1, 1))
wide = npx.convolution(np.expand_dims(A, 0), B, kernel=(1, 1), num_filter=2, no_bias=True)
assert np.abs(wide.reshape(2, 9) - np.dot(B.reshape(2, 3), A.reshape(3, 9))).max() < 1e-5

net = nn.HybridSequential()
net.add(
    nn.Conv2D(channels=6, kernel_size=5, padding=2, activation="tanh"),
    nn.AvgPool2D(pool_size=2, strides=2),
    nn.Conv2D(channels=16, kernel_size=3, activation="tanh"),
    nn.AvgPool2D(pool_size=2, strides=2),
    nn.Dense(60, activation="tanh"),
    nn.Dense(40, activation="tanh"),
    nn.Dense(10),
)
net.initialize(init=init.Xavier())
net.hybridize()
train_iter, test_iter = digit_loaders(50)
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.005})
report("lenet", train_classifier(net, train_iter, trainer, 8))
assert report("lenet_accuracy", accuracy(net, test_iter)) > 0.8
