"""Training steps of small networks as people write them.

By Gluon, operator by operator and hybridised, and by modules, whose lines are the same for PyTorch.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Callable

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import integers, uniform

STEPS = 8  # in one call; the loss of the last is waited for
RATE = 1e-3
WORDS, WIDTH, LENGTH = 1000, 64, 20
HEADS = 4


@dataclass(frozen=True)
class Network:
    """A network in both habits.

    Parameters
    ----------
    title : str
        What reports call it.
    gluon : callable
        ``(mixgrad, gluon.nn)`` to a block.
    module : callable
        ``(library, library.nn)`` to a module; its parameters come in the order of the block's.
    data, label : callable
        The batch's size to an array of NumPy.
    """

    title: str
    gluon: Callable[[Any, Any], Any]
    module: Callable[[Any, Any], Any]
    data: Callable[[int], Any]
    label: Callable[[int], Any]


def _row(nn: Any, *layers: Any) -> Any:
    net = nn.HybridSequential()
    net.add(*layers)
    return net


def _mlp(mx: Any, nn: Any) -> Any:
    return _row(nn, nn.Dense(128, activation="relu", in_units=784), nn.Dense(10, in_units=128))


def _mlp_module(lib: Any, nn: Any) -> Any:
    return nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))


def _lenet(mx: Any, nn: Any) -> Any:
    return _row(
        nn,
        nn.Conv2D(6, 5, padding=2, activation="relu", in_channels=1),
        nn.MaxPool2D(2),
        nn.Conv2D(16, 5, activation="relu", in_channels=6),
        nn.MaxPool2D(2),
        nn.Dense(120, activation="relu", in_units=400),
        nn.Dense(84, activation="relu", in_units=120),
        nn.Dense(10, in_units=84),
    )


def _lenet_module(lib: Any, nn: Any) -> Any:
    features = nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU()
    dense = nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10)
    return nn.Sequential(*features, nn.MaxPool2d(2), nn.Flatten(), *dense)


def _language(mx: Any, nn: Any) -> Any:
    class Language(mx.gluon.HybridBlock):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(WORDS, WIDTH)
            self.lstm = mx.gluon.rnn.LSTM(2 * WIDTH, input_size=WIDTH, layout="NTC")
            self.out = nn.Dense(WORDS, flatten=False, in_units=2 * WIDTH)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.out(self.lstm(self.embedding(x))).reshape((-3, 0))

    return Language()


def _language_module(lib: Any, nn: Any) -> Any:
    class Language(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(WORDS, WIDTH)
            self.lstm = nn.LSTM(WIDTH, 2 * WIDTH, batch_first=True)
            self.out = nn.Linear(2 * WIDTH, WORDS)

        def forward(self, x: Any) -> Any:
            return self.out(self.lstm(self.embedding(x))[0]).reshape(-1, WORDS)

    return Language()


def _attention(mx: Any, nn: Any) -> Any:
    class Encoder(mx.gluon.HybridBlock):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.keys = nn.Dense(3 * WIDTH, flatten=False, in_units=WIDTH)
            self.out = nn.Dense(WIDTH, flatten=False, in_units=WIDTH)
            self.wide = nn.Dense(2 * WIDTH, activation="relu", flatten=False, in_units=WIDTH)
            self.narrow = nn.Dense(WIDTH, flatten=False, in_units=2 * WIDTH)
            self.norm1, self.norm2 = nn.LayerNorm(in_channels=WIDTH), nn.LayerNorm(in_channels=WIDTH)
            self.classes = nn.Dense(10, in_units=WIDTH)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            q, k, v = (
                F.transpose(part.reshape((0, 0, HEADS, -1)), (0, 2, 1, 3)).reshape((-3, 0, 0))
                for part in F.split(self.keys(x), 3, axis=2)
            )
            weight = F.softmax(F.batch_dot(q, k, transpose_b=True) * (WIDTH // HEADS) ** -0.5)
            heads = F.batch_dot(weight, v).reshape((-4, -1, HEADS, 0, 0))
            x = self.norm1(x + self.out(F.transpose(heads, (0, 2, 1, 3)).reshape((0, 0, -3))))
            x = self.norm2(x + self.narrow(self.wide(x)))
            return self.classes(F.mean(x, axis=1))

    return Encoder()


def _attention_module(lib: Any, nn: Any) -> Any:
    class Encoder(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 2 * WIDTH, dropout=0.0, batch_first=True)
            self.classes = nn.Linear(WIDTH, 10)

        def forward(self, x: Any) -> Any:
            return self.classes(self.layer(x).mean(1))

    return Encoder()


def _words(mx: Any, nn: Any) -> Any:
    class Words(mx.gluon.HybridBlock):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(10 * WORDS, WIDTH)
            self.out = nn.Dense(2, in_units=WIDTH)

        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return self.out(F.mean(self.embedding(x), axis=1))

    return Words()


def _words_module(lib: Any, nn: Any) -> Any:
    class Words(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(10 * WORDS, WIDTH)
            self.out = nn.Linear(WIDTH, 2)

        def forward(self, x: Any) -> Any:
            return self.out(self.embedding(x).mean(1))

    return Words()


NETWORKS = {
    "mlp": Network(
        "784-128-10", _mlp, _mlp_module, lambda n: uniform(n, 784, seed=1), lambda n: integers(n, below=10)
    ),
    "lenet": Network(
        "LeNet, 28x28",
        _lenet,
        _lenet_module,
        lambda n: uniform(n, 1, 28, 28, seed=1),
        lambda n: integers(n, below=10),
    ),
    "lstm": Network(
        f"LSTM of 128 units over {LENGTH} of {WORDS} words, the next one",
        _language,
        _language_module,
        lambda n: integers(n, LENGTH, below=WORDS, seed=1),
        lambda n: integers(n * LENGTH, below=WORDS, seed=2),
    ),
    "transformer": Network(
        f"transformer layer, {LENGTH} x {WIDTH}, {HEADS} heads",
        _attention,
        _attention_module,
        lambda n: uniform(n, LENGTH, WIDTH, seed=1),
        lambda n: integers(n, below=10),
    ),
    "embedding": Network(
        f"mean of {LENGTH} embeddings of {10 * WORDS}, 2 classes",
        _words,
        _words_module,
        lambda n: integers(n, LENGTH, below=10 * WORDS, seed=1),
        lambda n: integers(n, below=2),
    ),
}


def _values(shapes: Sequence[Sequence[int]]) -> list[Any]:
    """Parameters, the same for every library."""
    return [uniform(*shape, seed=place, low=-0.1, high=0.1) for place, shape in enumerate(shapes)]


def _gluon(network: Network, batch: int, hybrid: bool) -> Setup:
    def setup() -> Call:
        mx: Any = importlib.import_module("mixgrad")
        net = network.gluon(mx, mx.gluon.nn)
        net.initialize()
        parameters = list(net.collect_params().values())
        for parameter, value in zip(parameters, _values([one.shape for one in parameters])):
            parameter.set_data(to_array(mx, value))
        loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        if hybrid:
            net.hybridize()
            loss_of.hybridize()
        trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": RATE})
        x, label = (
            to_array(mx, value.astype("float32")) for value in (network.data(batch), network.label(batch))
        )

        def call() -> Any:
            for _ in range(STEPS):
                with mx.autograd.record():
                    loss = loss_of(net(x), label)
                loss.backward()
                trainer.step(len(label))
            mx.nd.waitall()
            return loss.mean()

        return call

    return setup


def _module(key: str, network: Network, batch: int) -> Setup:
    def setup() -> Call:
        lib: Any = importlib.import_module(module_of(key))
        nn = lib.nn
        net = network.module(lib, nn)
        np = importlib.import_module("numpy")
        array = lib.from_numpy if key == "torch" else lib.np.array
        parameters = dict(net.named_parameters())
        values = _values([tuple(one.shape) for one in parameters.values()])
        net.load_state_dict({name: array(value) for name, value in zip(parameters, values)})
        loss_of = nn.CrossEntropyLoss()
        adam = lib.optim.Adam(net.parameters(), lr=RATE)
        given = network.data(batch), network.label(batch)
        x, label = (array(value) if key == "torch" else array(value, dtype=value.dtype) for value in given)

        def call() -> Any:
            for _ in range(STEPS):
                adam.zero_grad()
                loss = loss_of(net(x), label)
                loss.backward()
                adam.step()
            return np.array(loss.item(), "float32")

        return call

    return setup


def _case(name: str, batch: int) -> Case:
    network = NETWORKS[name]
    return Case(
        f"step_{name}_{batch}",
        f"{network.title}, batch {batch}",
        {
            "mixgrad": _gluon(network, batch, False),
            "mixgrad_hybrid": _gluon(network, batch, True),
            "mixgrad_nn": _module("mixgrad_nn", network, batch),
            "torch": _module("torch", network, batch),
        },
        count=STEPS,
        unit="step",
        goal=Goal(("torch",)),
        tolerance=1e-2,
    )


CASES = [_case(name, batch) for name in NETWORKS for batch in ((1, 16) if name == "lstm" else (1, 64))]
