"""Training goes on from files that real MXNet wrote: graph, parameters, and the optimiser's pickled states.

They lie in tests/data/training; MXNet made them with the data of this file, two epochs of SGD with momentum
from Xavier's weights, and ``mod.save_checkpoint("net", 2, save_optimizer_states=True)``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 2e-4
PREFIX = str(Path(__file__).parents[2] / "data" / "training" / "net")
OPTIONS = {"learning_rate": 0.1, "momentum": 0.9}


def _data(mx: Any) -> Any:
    rng = np.random.RandomState(0)
    x = rng.randn(80, 5)
    return mx.io.NDArrayIter(x, x[:, :3].argmax(1), 8)


def _lists(parts: Any) -> Any:
    return [{name: value.asnumpy().tolist() for name, value in part.items()} for part in parts]


CASES = [True, False]


def module(mx: Any, states: bool) -> Any:
    mod = mx.mod.Module.load(PREFIX, 2, load_optimizer_states=states)
    mod.fit(_data(mx), optimizer="sgd", optimizer_params=OPTIONS, begin_epoch=2, num_epoch=4)
    return _lists(mod.get_params())


def predicted(mx: Any) -> Any:
    symbol, arg_params, aux_params = mx.model.load_checkpoint(PREFIX, 2)
    mod = mx.mod.Module(symbol)
    mod.bind([("data", (8, 5))], for_training=False)
    mod.set_params(arg_params, aux_params)
    return mod.predict(_data(mx)).asnumpy().tolist()
