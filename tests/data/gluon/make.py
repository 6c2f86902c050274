"""Writes the files of this folder by real MXNet 1.9.1, or reads what mixgrad wrote: make.py [check FOLDER].

`tests/python/gluon/test_files.py` reads these; `python tests/data/gluon/write.py FOLDER` writes the others.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mxnet as mx
import networks
import numpy as np

HERE = Path(__file__).parent
OPTIMIZERS = {"sgd": {"learning_rate": 0.1, "momentum": 0.9}, "adam": {"learning_rate": 0.01}}


def layer_answers() -> dict[str, np.ndarray]:
    """Outputs, gradients and states of each layer."""
    found: dict[str, np.ndarray] = {}
    for number, (name, (layer, shape)) in enumerate(networks.layers(mx).items()):
        values = np.random.RandomState(number).uniform(-2, 2, shape).astype(np.float32)
        x = mx.nd.array(np.abs(values).round() if name == "embedding" else values)
        layer.initialize()
        layer(x)
        networks.fill(mx, layer, number)
        if name != "embedding":  # whose input has no gradient
            x.attach_grad()
        with mx.autograd.record():
            y = layer(x)
            loss = (y * y * y).sum()
        loss.backward()
        found[f"{name}/output"] = y.asnumpy()
        if x.grad is not None:
            found[f"{name}/input"] = x.grad.asnumpy()
        for key, parameter in layer._collect_params_with_prefix().items():
            value = parameter.data() if parameter.grad_req == "null" else parameter.grad()
            found[f"{name}/{key}"] = value.asnumpy()
    return found


def batch() -> tuple[Any, Any]:
    random = np.random.RandomState(1)
    return mx.nd.array(random.uniform(-1, 1, (6, 1, 8, 8))), mx.nd.array(random.randint(0, 3, 6))


def write() -> None:
    answers = layer_answers()
    x, label = batch()
    for name, options in OPTIMIZERS.items():
        net = networks.digits(mx)
        net.initialize()
        net.hybridize()
        net(x)
        networks.fill(mx, net, 7)
        if name == "sgd":
            net.save_parameters(str(HERE / "net.params"))
            net.collect_params().save(str(HERE / "prefixed.params"))
            net.export(str(HERE / "exported"), 3)
            answers["net/output"] = net(x).asnumpy()
        trainer = mx.gluon.Trainer(net.collect_params(), name, options)
        answers[f"{name}/losses"] = np.array(networks.train(mx, net, trainer, x, label, 4))
        trainer.save_states(str(HERE / f"{name}.states"))
        net.save_parameters(str(HERE / f"{name}.params"))
        answers[f"{name}/later"] = np.array(networks.train(mx, net, trainer, x, label, 4))
    np.savez_compressed(HERE / "answers.npz", **answers)


def check(folder: Path) -> None:
    x, _ = batch()
    expected = np.load(folder / "answers.npz")

    def same(name: str, got: Any) -> None:
        np.testing.assert_allclose(got, expected[name], rtol=1e-4, atol=1e-5, err_msg=name)

    net = networks.digits(mx)
    net.load_parameters(str(folder / "net.params"))
    same("net/output", net(x).asnumpy())
    net = networks.digits(mx)
    net.collect_params().load(str(folder / "prefixed.params"))
    same("net/output", net(x).asnumpy())
    block = mx.gluon.SymbolBlock.imports(
        str(folder / "exported-symbol.json"), ["data"], str(folder / "exported-0003.params")
    )
    same("net/output", block(x).asnumpy())
    print("MXNet reads them all")


if __name__ == "__main__":
    check(Path(sys.argv[2])) if sys.argv[1:2] == ["check"] else write()
