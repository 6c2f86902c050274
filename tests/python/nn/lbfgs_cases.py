"""Functions that L-BFGS minimises, for PyTorch (``tests/data/nn/make_lbfgs.py``) and for us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

# The function and the options.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "bowl": ("bowl", {}),
    "bowl, short steps": ("bowl", {"lr": 0.3, "max_iter": 5}),
    "bowl, searched": ("bowl", {"line_search_fn": "strong_wolfe", "max_iter": 3}),
    "bowl until it is flat": ("bowl", {"line_search_fn": "strong_wolfe", "tolerance_grad": 0.1}),
    "bowl until it stays": ("bowl", {"lr": 0.5, "tolerance_change": 0.05}),
    "valley, searched": ("valley", {"line_search_fn": "strong_wolfe"}),
    "valley with a short memory": (
        "valley",
        {"line_search_fn": "strong_wolfe", "max_iter": 7, "history_size": 2},
    ),
    "valley, few calls": ("valley", {"line_search_fn": "strong_wolfe", "max_iter": 7, "max_eval": 5}),
    "valley, long first step": ("valley", {"line_search_fn": "strong_wolfe", "lr": 30.0, "max_iter": 4}),
    "valley, short first step": ("valley", {"line_search_fn": "strong_wolfe", "lr": 1e-3, "max_iter": 6}),
    "waves, searched": ("waves", {"line_search_fn": "strong_wolfe", "lr": 4.0, "max_iter": 4}),
}
STEPS = 4
START = (np.array([-1.2, 0.7, 2.0]), np.array([[1.0, -0.5, 0.3]]))

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "bowl": lambda a, b: ((a - 1) ** 2).sum() + 3 * ((b + a) ** 2).sum() + (a**4).sum() / 10,
    "valley": lambda a, b: ((1 - a) ** 2).sum() + 100 * ((b - a * a) ** 2).sum(),
    "waves": lambda a, b: (a.sin() * 3 + a * a / 10).sum() + ((b * 2).cos() + b * b / 5).sum(),
}


def path(name: str, optim: Any, params: list[Any], numbers: Callable[[Any], Any], pause: int = -1) -> Any:
    """Losses, weights and counts of each call of ``step``; at ``pause`` it goes on from a stored state."""
    kind, options = CASES[name]
    optimizer = optim.LBFGS(params, **options)
    rows = []

    def closure() -> Any:
        optimizer.zero_grad()
        loss = FUNCTIONS[kind](*params)
        loss.backward()
        return loss

    for step in range(STEPS):
        if step == pause:
            state = optimizer.state_dict()
            optimizer = optim.LBFGS(params, **options)
            optimizer.load_state_dict(state)
        loss = optimizer.step(closure).item()
        (state,) = optimizer.state_dict()["state"].values()
        weights = [one for param in params for one in numbers(param).reshape(-1).tolist()]
        rows.append([loss, state["func_evals"], state["n_iter"], *weights])
    return rows
