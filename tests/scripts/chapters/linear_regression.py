"""Linear regression: from arrays and gradients alone, then with Gluon's layer, loss and trainer."""

from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import begin, report

npx.set_np()
begin()


def synthetic_data(w, b, num_examples):
    """y = Xw + b + noise."""
    X = np.random.normal(0, 1, (num_examples, len(w)))
    y = np.dot(X, w) + b
    y += np.random.normal(0, 0.01, y.shape)
    return X, y.reshape((-1, 1))


true_w = np.array([2, -3.4])
true_b = 4.2
features, labels = synthetic_data(true_w, true_b, 600)
batch_size = 10

# From scratch.
w = np.random.normal(0, 0.01, (2, 1))
b = np.zeros(1)
w.attach_grad()
b.attach_grad()


def linreg(X, w, b):
    return np.dot(X, w) + b


def squared_loss(y_hat, y):
    return (y_hat - y.reshape(y_hat.shape)) ** 2 / 2


def sgd(params, lr, batch_size):
    for param in params:
        param[:] = param - lr * param.grad / batch_size


for _ in range(3):
    order = np.arange(len(features), dtype="int32")
    np.random.shuffle(order)
    for i in range(0, len(features), batch_size):
        j = order[i : i + batch_size]
        with autograd.record():
            loss = squared_loss(linreg(features[j], w, b), labels[j])
        loss.backward()
        sgd([w, b], 0.03, batch_size)
scratch = report("scratch", squared_loss(linreg(features, w, b), labels).mean())
assert scratch < 1e-3
assert np.abs(w.reshape(true_w.shape) - true_w).max() < 0.05 and abs(b.item() - true_b) < 0.05

# The same in Gluon.
dataset = gluon.data.ArrayDataset(features, labels)
data_iter = gluon.data.DataLoader(dataset, batch_size, shuffle=True)
net = nn.Sequential()
net.add(nn.Dense(1))
net.initialize(init.Normal(sigma=0.01))
loss = gluon.loss.L2Loss()
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.03})
for _ in range(3):
    for X, y in data_iter:
        with autograd.record():
            one = loss(net(X), y)
        one.backward()
        trainer.step(batch_size)
concise = report("gluon", loss(net(features), labels).mean())
assert concise < 1e-3
assert np.abs(net[0].weight.data().reshape(-1) - true_w).max() < 0.05
assert abs(net[0].bias.data().item() - true_b) < 0.05
