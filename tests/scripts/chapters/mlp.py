"""A perceptron with one hidden layer: from scratch, then in Gluon, hybridised; slopes of activations."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import accuracy, begin, digit_loaders, report, train_classifier

npx.set_np()
begin()

x = np.arange(-8.0, 8.0, 0.5)
x.attach_grad()
slopes = {
    npx.relu: x > 0,
    npx.sigmoid: npx.sigmoid(x) * (1 - npx.sigmoid(x)),
    np.tanh: 1 - np.tanh(x) ** 2,
}
for function, slope in slopes.items():
    with autograd.record():
        y = function(x)
    y.backward()
    assert np.allclose(x.grad, slope, atol=1e-5)

train_iter, test_iter = digit_loaders(50)
num_inputs, num_hiddens, num_outputs = 256, 64, 10
W1 = np.random.normal(scale=0.01, size=(num_inputs, num_hiddens))
b1 = np.zeros(num_hiddens)
W2 = np.random.normal(scale=0.01, size=(num_hiddens, num_outputs))
b2 = np.zeros(num_outputs)
params = [W1, b1, W2, b2]
for param in params:
    param.attach_grad()


def net(X):
    H = np.maximum(np.dot(X.reshape((-1, num_inputs)), W1) + b1, 0)
    return np.dot(H, W2) + b2


loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
for _ in range(15):
    total = count = 0
    for X, y in train_iter:
        with autograd.record():
            loss = loss_of(net(X), y)
        loss.backward()
        for param in params:
            param[:] = param - 0.3 * param.grad / len(X)
        total += float(loss.sum())
        count += len(y)
report("scratch", total / count)
report("scratch_accuracy", accuracy(net, test_iter))

model = nn.HybridSequential()
model.add(nn.Dense(64, activation="relu"), nn.Dense(10))
model.initialize(init.Xavier())
model.hybridize()
trainer = gluon.Trainer(model.collect_params(), "sgd", {"learning_rate": 0.3})
report("gluon", train_classifier(model, train_iter, trainer, 15))
assert report("gluon_accuracy", accuracy(model, test_iter)) > 0.8
