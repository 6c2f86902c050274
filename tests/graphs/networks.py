"""Random networks of images and vectors, with values for all their arguments."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import mixgrad as mx

Sym = Any
Shape = tuple[int, ...]
BATCH = 2


@dataclass
class Network:
    """A symbol with several outputs, the shape of its data, and what gradients are asked for."""

    symbol: Sym
    shapes: dict[str, Shape]
    requests: dict[str, str]


@dataclass
class _Maker:
    rng: random.Random
    groups: bool
    images: list[tuple[Sym, Shape]] = field(default_factory=list)  # (channels, height, width)
    vectors: list[tuple[Sym, int]] = field(default_factory=list)
    weights: dict[Shape, Sym] = field(default_factory=dict)  # to be shared
    made: int = 0

    def name(self) -> str:
        self.made += 1
        return f"n{self.made}"

    def image(self) -> tuple[Sym, Shape]:
        return self.rng.choice(self.images[-4:])

    def vector(self) -> tuple[Sym, int]:
        return self.rng.choice(self.vectors[-4:])

    def weight(self, name: str, shape: Shape) -> Sym:
        """A variable of its own, or one that another layer has."""
        if shape in self.weights and self.rng.random() < 0.5:
            return self.weights[shape]
        self.weights[shape] = mx.sym.Variable(f"{name}_weight", shape=shape)
        return self.weights[shape]

    # Layers on images

    def convolution(self) -> None:
        x, (channels, height, width) = self.image()
        kernel = self.rng.choice([k for k in (1, 2, 3, 5) if k <= min(height, width) + 2])
        kind = self.rng.choice(["plain", "plain", "plain", "groups", "depthwise"])
        groups = channels if kind == "depthwise" else 2 if kind == "groups" and channels % 2 == 0 else 1
        filters = (
            channels * self.rng.choice([1, 2]) if groups == channels else self.rng.choice([4, 8, 16, 18])
        )
        stride, pad = self.rng.choice([1, 1, 2]), kernel // 2
        dilate = self.rng.choice([1, 1, 2]) if kernel in (2, 3) else 1
        extent = [(size + 2 * pad - dilate * (kernel - 1) - 1) // stride + 1 for size in (height, width)]
        if min(extent) < 1:
            return
        name = self.name()
        y = mx.sym.Convolution(
            x,
            weight=self.weight(name, (filters, channels // groups, kernel, kernel)),
            kernel=(kernel, kernel),
            stride=(stride, stride),
            pad=(pad, pad),
            dilate=(dilate, dilate),
            num_filter=filters,
            num_group=groups,
            no_bias=self.rng.random() < 0.5,
            name=name,
        )
        self.images.append((y, (filters, extent[0], extent[1])))
        if self.rng.random() < 0.5:
            self.normalise()
        if self.rng.random() < 0.5:
            self.activate()

    def normalise(self) -> None:
        x, shape = self.images[-1]
        y = mx.sym.BatchNorm(
            x,
            fix_gamma=self.rng.random() < 0.3,
            use_global_stats=self.rng.random() < 0.2,
            momentum=self.rng.choice([0.9, 0.5]),
            name=self.name(),
        )
        self.images.append((y[0], shape))

    def activate(self) -> None:
        x, shape = self.images[-1]
        kind = self.rng.choice(
            ["relu", "sigmoid", "tanh", "softrelu", "leaky", "elu", "clip", "relu operator"]
        )
        name = self.name()
        if kind in ("leaky", "elu"):
            y = mx.sym.LeakyReLU(x, act_type=kind, slope=0.2, name=name)
        elif kind == "clip":
            y = mx.sym.clip(x, a_min=0, a_max=6, name=name)
        elif kind == "relu operator":
            y = mx.sym.relu(x, name=name)
        else:
            y = mx.sym.Activation(x, act_type=kind, name=name)
        self.images.append((y, shape))

    def pool(self) -> None:
        x, (channels, height, width) = self.image()
        if min(height, width) < 3:
            return
        kind, whole = self.rng.choice(["max", "avg", "sum"]), self.rng.random() < 0.2
        kernel, stride = self.rng.choice([2, 3]), self.rng.choice([1, 2])
        y = mx.sym.Pooling(
            x,
            kernel=(kernel, kernel),
            stride=(stride, stride),
            pool_type="avg" if whole else kind,
            global_pool=whole,
            name=self.name(),
        )
        extent = (1, 1) if whole else tuple((size - kernel) // stride + 1 for size in (height, width))
        self.images.append((y, (channels, *extent)))

    def residual(self) -> None:
        x, shape = self.image()
        others = [s for s, other in self.images if other == shape]
        y = self.rng.choice(others)
        way = self.rng.choice(["plus", "plus", "add_n", "times", "maximum"])
        if way == "add_n":
            z = mx.sym.add_n(x, y, self.rng.choice(others), name=self.name())
        elif way == "maximum":
            z = mx.sym.broadcast_maximum(x, y, name=self.name())
        else:
            z = x + y if way == "plus" else x * y
        self.images.append((z, shape))

    def join(self) -> None:
        x, (channels, *extent) = self.image()
        parts = [(s, other[0]) for s, other in self.images if list(other[1:]) == extent]
        chosen = [self.rng.choice(parts) for _ in range(self.rng.choice([1, 2]))]
        y = mx.sym.Concat(x, *(s for s, _ in chosen), dim=1, name=self.name())
        self.images.append((y, (channels + sum(c for _, c in chosen), *extent)))

    def split(self) -> None:
        x, (channels, *extent) = self.image()
        if channels % 2:
            return
        parts = mx.sym.SliceChannel(x, num_outputs=2, axis=1, name=self.name())
        self.images += [(parts[i], (channels // 2, *extent)) for i in self.rng.choice([(0,), (1, 0)])]

    def scale(self) -> None:
        x, shape = self.image()
        kind = self.rng.choice(["scalar", "gate", "drop", "block", "turn", "copy"])
        if kind == "scalar":
            y = (x * 0.5 + 1) / 2 - 0.25
        elif kind == "gate":
            gate = mx.sym.Pooling(x, kernel=(1, 1), global_pool=True, pool_type="avg", name=self.name())
            y = mx.sym.broadcast_mul(x, mx.sym.sigmoid(gate), name=self.name())
        elif kind == "drop":
            y = mx.sym.Dropout(x, p=0.4, name=self.name())
        elif kind == "block":
            y = mx.sym.BlockGrad(x, name=self.name())
        elif kind == "copy":
            y = mx.sym.identity(mx.sym.Reshape(x, shape=(0, 0, 0, 0), name=self.name()), name=self.name())
        else:
            y = mx.sym.transpose(x, axes=(0, 1, 3, 2), name=self.name())
            shape = (shape[0], shape[2], shape[1])
        self.images.append((y, shape))

    def flatten(self) -> None:
        x, shape = self.image()
        if int(np.prod(shape)) > 600:
            x, shape = mx.sym.mean(x, axis=(2, 3), keepdims=True, name=self.name()), (shape[0], 1, 1)
        self.vectors.append((mx.sym.Flatten(x, name=self.name()), int(np.prod(shape))))

    # Layers on vectors

    def dense(self) -> None:
        if not self.vectors:
            return self.flatten()
        x, size = self.vector()
        hidden, name = self.rng.choice([4, 7, size if size < 40 else 4]), self.name()
        weight = self.weight(name, (hidden, size))
        y = mx.sym.FullyConnected(
            x, weight=weight, num_hidden=hidden, no_bias=self.rng.random() < 0.3, name=name
        )
        if self.rng.random() < 0.5:
            y = mx.sym.Activation(y, act_type=self.rng.choice(["relu", "tanh", "sigmoid"]), name=self.name())
        self.vectors.append((y, hidden))
        return None

    def mix(self) -> None:
        if not self.vectors:
            return
        x, size = self.vector()
        kind = self.rng.choice(["softmax", "norm", "sum", "plus", "slice", "constant"])
        same = [s for s, n in self.vectors if n == size]
        if kind == "softmax":
            y = mx.sym.softmax(x, name=self.name())
        elif kind == "norm":
            y = mx.sym.LayerNorm(x, name=self.name())[0]
        elif kind == "sum":
            y = mx.sym.broadcast_sub(
                x, mx.sym.mean(x, axis=1, keepdims=True, name=self.name()), name=self.name()
            )
        elif kind == "plus":
            y = x + self.rng.choice(same)
        elif kind == "slice":
            size = max(1, size // 2)
            y = mx.sym.slice_axis(x, axis=1, begin=0, end=size, name=self.name())
        else:
            y = mx.sym.broadcast_add(x, mx.sym.ones((1, size)) * 0.5 + 0.25, name=self.name())
        self.vectors.append((y, size))

    def head(self, number: int) -> Sym:
        if not self.vectors:
            self.flatten()
        x, _ = self.vector()
        kind = self.rng.choice(["softmax", "softmax", "make", "regression", "plain", "loop"])
        if kind == "plain":
            return mx.sym.tanh(x, name=f"plain{number}")
        if kind == "loop":
            return self.loop(x, f"loop{number}")
        if kind == "softmax":
            return mx.sym.SoftmaxOutput(x, name=f"softmax{number}")
        if kind == "make":
            return mx.sym.MakeLoss(mx.sym.mean(mx.sym.square(x)), name=f"loss{number}")
        return mx.sym.LinearRegressionOutput(x, name=f"regression{number}")

    def loop(self, x: Sym, name: str) -> Sym:
        """Over the examples of a batch, with a factor from outside."""
        factor = mx.sym.Variable(f"{name}_factor", shape=(1,))
        start = mx.sym.mean(x, axis=0)

        def body(row: Sym, state: Sym) -> tuple[Sym, Sym]:
            following = mx.sym.tanh(mx.sym.broadcast_mul(row, factor) + state)
            return mx.sym.Dropout(following, p=0.2), following

        outputs, last = mx.sym.contrib.foreach(body, x, start)
        return outputs if self.rng.random() < 0.5 else mx.sym.MakeLoss(last, name=name)

    def layer(self) -> None:
        layers = [self.convolution] * 4 + [self.pool, self.residual, self.residual, self.join, self.split]
        layers += [self.scale, self.scale, self.flatten, self.dense, self.dense, self.mix, self.mix]
        scope = {"ctx_group": self.rng.choice("ab")} if self.groups else {}
        if self.rng.random() < 0.1:
            scope["force_mirroring"] = "True"
        with mx.AttrScope(**scope):
            self.rng.choice(layers)()


def draw(seed: int, size: int, groups: bool = False) -> Network:
    """The network of that seed with about ``size`` layers."""
    rng = random.Random(seed)
    shape = (rng.choice([3, 4, 16]), rng.choice([5, 8, 11]), rng.choice([6, 8]))
    with mx.name.NameManager():
        maker = _Maker(rng, groups)
        maker.images.append((mx.sym.Variable("data"), shape))
        for _ in range(size):
            maker.layer()
        heads = [maker.head(i) for i in range(rng.choice([1, 1, 2, 3]))]
        if rng.random() < 0.3:
            heads.append(mx.sym.BlockGrad(maker.image()[0], name="seen"))
        symbol = mx.sym.Group(heads)
    names = symbol.list_arguments()
    requests = {n: rng.choice(["write", "write", "write", "add", "null"]) for n in names}
    requests.update({n: "null" for n in names if n.endswith("label")})
    shapes = {"data": (BATCH, *shape)} if "data" in names else {}
    return Network(symbol, shapes, requests)


def value(name: str, shape: Shape, seed: int) -> np.ndarray:
    """What an argument or state of that name holds."""
    rng = np.random.RandomState((seed * 7919 + sum(map(ord, name)) * 31) % 2**32)
    if name.startswith("softmax") and name.endswith("label"):
        return np.zeros(shape, "float32")
    sample = rng.uniform(-1, 1, shape)
    if name.endswith("weight"):
        sample = sample * np.sqrt(3 / max(1, int(np.prod(shape[1:]))))
    if name.endswith(("var", "gamma")):
        sample = 1.5 + sample
    return sample.astype("float32")
