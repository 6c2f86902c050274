"""A small residual network, hybridised, trained on two devices by split_and_load."""

import mxnet as mx
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report

npx.set_np()
begin()


class Residual(nn.HybridBlock):
    def __init__(self, num_channels, use_1x1conv=False, strides=1, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = nn.Conv2D(num_channels, kernel_size=3, padding=1, strides=strides)
        self.conv2 = nn.Conv2D(num_channels, kernel_size=3, padding=1)
        self.conv3 = nn.Conv2D(num_channels, kernel_size=1, strides=strides) if use_1x1conv else None
        self.bn1 = nn.BatchNorm()
        self.bn2 = nn.BatchNorm()

    def hybrid_forward(self, F, X):
        Y = F.npx.relu(self.bn1(self.conv1(X)))
        Y = self.bn2(self.conv2(Y))
        if self.conv3:
            X = self.conv3(X)
        return F.npx.relu(Y + X)


block = Residual(6, use_1x1conv=True, strides=2)
block.initialize()
assert block(np.random.uniform(size=(4, 3, 6, 6))).shape == (4, 6, 3, 3)


def resnet_block(num_channels, num_residuals, first_block=False):
    block = nn.HybridSequential()
    for i in range(num_residuals):
        if i == 0 and not first_block:
            block.add(Residual(num_channels, use_1x1conv=True, strides=2))
        else:
            block.add(Residual(num_channels))
    return block


net = nn.HybridSequential()
net.add(nn.Conv2D(8, kernel_size=3, padding=1), nn.BatchNorm(), nn.Activation("relu"))
net.add(resnet_block(8, 1, first_block=True), resnet_block(16, 1), resnet_block(32, 1))
net.add(nn.GlobalAvgPool2D(), nn.Dense(10))
devices = [mx.cpu(0), mx.cpu(1)]
net.initialize(init=init.Xavier(), ctx=devices)
net.hybridize()

train_iter, test_iter = digit_loaders(50, train=600)
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-4})
loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
for _ in range(8):
    total = count = 0
    for X, y in train_iter:
        X_shards, y_shards = (gluon.utils.split_and_load(part, devices) for part in (X, y))
        with autograd.record():
            losses = [loss_of(net(X_shard), y_shard) for X_shard, y_shard in zip(X_shards, y_shards)]
        for loss in losses:
            loss.backward()
        trainer.step(len(X))
        total += sum(float(loss.sum()) for loss in losses)
        count += len(X)
report("resnet", total / count)
assert accuracy(net, test_iter) > 0.4  # which swings with the moving averages
assert (net[0].weight.data(devices[0]).as_in_ctx(devices[1]) == net[0].weight.data(devices[1])).all()
