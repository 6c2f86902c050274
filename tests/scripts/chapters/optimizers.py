"""Optimisers compared: written out and as Gluon's, on a valley and on a regression; schedules of rates."""

import math

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, init, np, npx
from mxnet.gluon import nn

from _book import begin, report

npx.set_np()
begin()


# Momentum in a narrow valley, by hand.
def descend(eta, beta, steps=20):
    x = np.array([-5.0, -2.0])
    v = np.zeros(2)
    x.attach_grad()
    for _ in range(steps):
        with autograd.record():
            f = 0.1 * x[0] ** 2 + 2 * x[1] ** 2
        f.backward()
        v = beta * v + x.grad
        x[:] = x - eta * v
    return float(0.1 * x[0] ** 2 + 2 * x[1] ** 2)


assert descend(0.6, 0.5) < descend(0.4, 0.0) < 5 < descend(0.6, 0.0)

rng = onp.random.RandomState(10)
data = rng.normal(size=(1000, 5)).astype("float32")
wave = data.dot(rng.normal(size=(5, 1))) + 0.5 * onp.sin(3 * data[:, :1]) + rng.normal(0, 0.1, (1000, 1))
features, labels = np.array(data), np.array(wave, dtype="float32")
loader = gluon.data.DataLoader(gluon.data.ArrayDataset(features, labels), 50, shuffle=True)


# Gradients squared and averaged: Adam by hand, held to Gluon's on the same batches.
def adam(params, states, t, lr=0.01, beta1=0.9, beta2=0.999, eps=1e-8):
    for p, (v, s) in zip(params, states):
        v[:] = beta1 * v + (1 - beta1) * p.grad
        s[:] = beta2 * s + (1 - beta2) * np.square(p.grad)
        rate = lr * math.sqrt(1 - beta2**t) / (1 - beta1**t)
        p[:] -= rate * v / (np.sqrt(s) + eps)


w, b = np.zeros((5, 1)), np.zeros(1)
net = nn.Dense(1, in_units=5)
net.initialize(init.Zero())
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
states = [(np.zeros_like(p), np.zeros_like(p)) for p in (w, b)]
for p in (w, b):
    p.attach_grad()
for t in range(1, 21):
    X, y = (part[50 * (t - 1) : 50 * t] for part in (features, labels))
    with autograd.record():
        own = ((np.dot(X, w) + b - y) ** 2 / 2).mean()
        loss = gluon.loss.L2Loss()(net(X), y)
    autograd.backward([own, loss])
    adam((w, b), states, t)
    trainer.step(50)
assert np.abs(w.reshape(-1) - net.weight.data().reshape(-1)).max() < 1e-4

rules = {
    "sgd": {"learning_rate": 0.1},
    "momentum": {"learning_rate": 0.02, "momentum": 0.9},
    "nag": {"learning_rate": 0.02, "momentum": 0.9},
    "adagrad": {"learning_rate": 0.1},
    "rmsprop": {"learning_rate": 0.01, "gamma1": 0.9},
    "adadelta": {"rho": 0.9, "epsilon": 1e-3},
    "adam": {"learning_rate": 0.01},
    "ftrl": {"learning_rate": 0.5},
    "nadam": {"learning_rate": 0.01},
}
loss_of = gluon.loss.L2Loss()
for name, options in rules.items():
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="tanh"), nn.Dense(1))
    net.initialize(init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd" if name == "momentum" else name, options)
    for _ in range(15):
        for X, y in loader:
            with autograd.record():
                loss = loss_of(net(X), y)
            loss.backward()
            trainer.step(len(X))
    assert report(name, loss_of(net(features), labels).mean()) < 0.5


# Schedules.
class SquareRootScheduler:
    def __init__(self, lr=0.1):
        self.lr = lr

    def __call__(self, num_update):
        return self.lr * pow(num_update + 1.0, -0.5)


schedules = {
    "square_root": SquareRootScheduler(0.3),
    "factor": mx.lr_scheduler.FactorScheduler(step=100, factor=0.7, stop_factor_lr=1e-3, base_lr=0.2),
    "multi_factor": mx.lr_scheduler.MultiFactorScheduler(step=[100, 200], factor=0.5, base_lr=0.2),
    "cosine": mx.lr_scheduler.CosineScheduler(300, warmup_steps=20, base_lr=0.3, final_lr=0.01),
}
for name, schedule in schedules.items():
    net = nn.Sequential()
    net.add(nn.Dense(16, activation="tanh"), nn.Dense(1))
    net.initialize(init.Xavier())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"lr_scheduler": schedule})
    for _ in range(15):
        for X, y in loader:
            with autograd.record():
                loss = loss_of(net(X), y)
            loss.backward()
            trainer.step(len(X))
    report(name, loss_of(net(features), labels).mean())
    assert trainer.learning_rate < 0.2
