"""Batch normalisation: written out with moving averages, then Gluon's layer; both agree and train."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report, train_classifier

npx.set_np()
begin()


def batch_norm(X, gamma, beta, moving_mean, moving_var, eps, momentum):
    if not autograd.is_training():
        X_hat = (X - moving_mean) / np.sqrt(moving_var + eps)
    else:
        axes = 0 if len(X.shape) == 2 else (0, 2, 3)
        mean = X.mean(axis=axes, keepdims=True)
        var = ((X - mean) ** 2).mean(axis=axes, keepdims=True)
        X_hat = (X - mean) / np.sqrt(var + eps)
        moving_mean = momentum * moving_mean + (1.0 - momentum) * mean
        moving_var = momentum * moving_var + (1.0 - momentum) * var
    return gamma * X_hat + beta, moving_mean, moving_var


class BatchNorm(nn.Block):
    def __init__(self, num_features, num_dims, **kwargs):
        super().__init__(**kwargs)
        shape = (1, num_features) if num_dims == 2 else (1, num_features, 1, 1)
        self.gamma = self.params.get("gamma", shape=shape, init=init.One())
        self.beta = self.params.get("beta", shape=shape, init=init.Zero())
        self.moving_mean = np.zeros(shape)
        self.moving_var = np.ones(shape)

    def forward(self, X):
        Y, mean, var = batch_norm(
            X, self.gamma.data(), self.beta.data(), self.moving_mean, self.moving_var, 1e-5, 0.9
        )
        self.moving_mean, self.moving_var = mean.detach(), var.detach()
        return Y


own, layer = BatchNorm(3, num_dims=4), nn.BatchNorm(momentum=0.9)
own.initialize()
layer.initialize()
for _ in range(5):
    X = np.random.normal(2, 3, (4, 3, 5, 5))
    with autograd.record():
        expected, found = own(X), layer(X)
    found.backward()  # MXNet updates moving averages in backward passes
    assert np.abs(expected - found).max() < 1e-4
assert np.abs(own.moving_mean.reshape(-1) - layer.running_mean.data()).max() < 1e-4
assert np.abs(own(X) - layer(X)).max() < 1e-2 + np.abs(own(X)).max() * 0.05


def lenet(norms):
    net = nn.HybridSequential() if norms is None else nn.Sequential()
    first, second, third = norms or (nn.BatchNorm(), nn.BatchNorm(), nn.BatchNorm())
    net.add(nn.Conv2D(6, kernel_size=5), first, nn.Activation("sigmoid"), nn.AvgPool2D(2, 2))
    net.add(nn.Conv2D(16, kernel_size=3), second, nn.Activation("sigmoid"), nn.AvgPool2D(2, 2))
    net.add(nn.Dense(60), third, nn.Activation("sigmoid"), nn.Dense(10))
    net.initialize(init.Xavier())
    return net


train_iter, test_iter = digit_loaders(50, train=600)
nets = {"scratch": lenet([BatchNorm(6, 4), BatchNorm(16, 4), BatchNorm(60, 2)]), "gluon": lenet(None)}
nets["gluon"].hybridize()
for name, net in nets.items():
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3})
    assert report(name, train_classifier(net, train_iter, trainer, 18)) < 0.3
    assert accuracy(net, test_iter) > 0.4  # which swings with the moving averages
