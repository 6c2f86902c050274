"""Softmax regression on pictures: exponentials and logarithms written out, then in Gluon."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report, train_classifier

npx.set_np()
begin()

num_inputs, num_outputs = 256, 10
train_iter, test_iter = digit_loaders(50)

W = np.random.normal(0, 0.01, (num_inputs, num_outputs))
b = np.zeros(num_outputs)
W.attach_grad()
b.attach_grad()


def softmax(X):
    X_exp = np.exp(X - X.max(1, keepdims=True))
    return X_exp / X_exp.sum(1, keepdims=True)


def net(X):
    return softmax(np.dot(X.reshape((-1, W.shape[0])), W) + b)


def cross_entropy(y_hat, y):
    return -np.log(y_hat[range(len(y_hat)), y.astype("int32")])


X = np.random.normal(0, 1, (2, 5))
assert np.allclose(softmax(X).sum(1), np.ones(2)) and np.allclose(softmax(X), npx.softmax(X), atol=1e-6)

for _ in range(10):
    total = count = 0
    for X, y in train_iter:
        with autograd.record():
            loss = cross_entropy(net(X), y)
        loss.backward()
        for param in (W, b):
            param -= 0.2 * param.grad / len(X)
        total += float(loss.sum())
        count += len(y)
report("scratch", total / count)
report("scratch_accuracy", accuracy(net, test_iter))

model = nn.Sequential()
model.add(nn.Dense(num_outputs))
model.initialize(init.Normal(sigma=0.01))
trainer = gluon.Trainer(model.collect_params(), "sgd", {"learning_rate": 0.2})
assert report("gluon", train_classifier(model, train_iter, trainer, 10)) < 1.5
assert report("gluon_accuracy", accuracy(model, test_iter)) > 0.6
