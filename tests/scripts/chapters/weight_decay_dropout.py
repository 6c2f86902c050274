"""Two remedies against overfitting: weight decay in a linear model of many inputs, dropout in a network."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report, train_classifier

npx.set_np()
begin()

n_train, n_test, num_inputs, batch_size = 20, 100, 200, 5
true_w, true_b = np.ones((num_inputs, 1)) * 0.01, 0.05


def synthetic(count):
    X = np.random.normal(0, 1, (count, num_inputs))
    return X, np.dot(X, true_w) + true_b + np.random.normal(0, 0.01, (count, 1))


train_data, test_data = synthetic(n_train), synthetic(n_test)
train_iter = gluon.data.DataLoader(gluon.data.ArrayDataset(*train_data), batch_size, shuffle=True)
loss = gluon.loss.L2Loss()


def train_concise(wd):
    net = nn.Sequential()
    net.add(nn.Dense(1))
    net.initialize(init.Normal(sigma=1))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.003, "wd": wd})
    net.collect_params(".*bias").setattr("wd_mult", 0)
    for _ in range(100):
        for X, y in train_iter:
            with autograd.record():
                one = loss(net(X), y)
            one.backward()
            trainer.step(batch_size)
    norm = np.linalg.norm(net[0].weight.data()).item()
    return norm, loss(net(train_data[0]), train_data[1]).mean().item(), loss(net(test_data[0]), test_data[1])


free, decayed = train_concise(0), train_concise(3)
report("norm_without", free[0])
report("norm_with", decayed[0])
report("test_without", free[2].mean())
report("test_with", decayed[2].mean())
assert decayed[0] < free[0] / 4 and decayed[2].mean() < free[2].mean() / 4


def dropout_layer(X, dropout):
    assert 0 <= dropout <= 1
    if dropout == 1:
        return np.zeros_like(X)
    mask = np.random.uniform(0, 1, X.shape) > dropout
    return mask.astype(np.float32) * X / (1.0 - dropout)


X = np.arange(16).reshape(2, 8)
assert (dropout_layer(X, 0) == X).all() and (dropout_layer(X, 1) == 0).all()
assert abs(dropout_layer(np.ones((100, 100)), 0.5).mean() - 1) < 0.1

train_iter, test_iter = digit_loaders(50)
net = nn.Sequential()
net.add(nn.Dense(64, activation="relu"), nn.Dropout(0.2), nn.Dense(64, activation="relu"), nn.Dropout(0.5))
net.add(nn.Dense(10))
net.initialize(init.Xavier())
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.3})
report("dropout", train_classifier(net, train_iter, trainer, 15))
assert report("dropout_accuracy", accuracy(net, test_iter)) > 0.75
