"""Weights after some steps of every optimiser, with its options."""

from __future__ import annotations

from typing import Any

import numpy as np

TOLERANCE = 3e-5

COMMON = [
    {},
    {"wd": 0.1, "rescale_grad": 0.5},
    {"clip_gradient": 0.3, "learning_rate": 0.05},
]
OWN: dict[str, list[dict[str, Any]]] = {
    "sgd": [{"momentum": 0.9}, {"momentum": 0.5, "wd": 0.01}],
    "ccsgd": [{"momentum": 0.9}],
    "nag": [{"momentum": 0.9}, {"momentum": 0.5, "wd": 0.01}],
    "signum": [{"momentum": 0.0}, {"wd_lh": 0.01, "wd": 0.1}],
    "ftml": [{"beta1": 0.3}],
    "lars": [{"momentum": 0.9, "eta": 0.1, "wd": 0.1}, {"eps": 0.01, "momentum_correction": False}],
    "lbsgd": [{"momentum": 0.9, "warmup_strategy": name} for name in ("linear", "power2", "sqrt", "lars")],
    "lamb": [{"bias_correction": False}, {"lower_bound": 0.1, "upper_bound": 0.5}],
    "dcasgd": [{"lamda": 0.5}],  # MXNet fails with momentum
    "adam": [{"beta1": 0.5, "beta2": 0.7, "epsilon": 1e-3}],
    "adagrad": [{"eps": 0.01}],
    "rmsprop": [{"centered": True}, {"clip_weights": 0.5}, {"gamma1": 0.5, "centered": True, "gamma2": 0.3}],
    "adadelta": [{"rho": 0.5, "epsilon": 0.1}],
    "ftrl": [{"lamda1": 0.2, "beta": 0.5}],
    "adamax": [{"beta1": 0.5, "beta2": 0.6}],
    "nadam": [],
    "test": [],
}
CASES = [
    (name, i) for name, own in OWN.items() for i in range(1 if name == "test" else len(COMMON) + len(own))
]


def _steps(mx: Any, optimizer: Any, dtype: str = "float32", count: int = 6, weights: int = 2) -> Any:
    rng = np.random.RandomState(3)
    names = ["fc_weight", "fc_bias"][:weights]
    optimizer.idx2name = dict(enumerate(names))
    optimizer.set_wd_mult({})
    arrays = [mx.nd.array(rng.randn(3, 4), dtype=dtype) for _ in names]
    update = mx.optimizer.get_updater(optimizer)
    for _ in range(count):
        for i, weight in enumerate(arrays):
            update(i, mx.nd.array(rng.randn(3, 4), dtype=dtype), weight)
    return [a.asnumpy().astype("float64").tolist() for a in arrays]


def optimizer(mx: Any, case: Any) -> Any:
    name, i = case
    options = [*COMMON, *OWN[name]][i]
    if name == "test":
        options = {"rescale_grad": 0.5}
    # Nadam of MXNet multiplies one product by every weight's factor: one weight compares.
    return _steps(mx, mx.optimizer.create(name, **options), weights=1 if name == "nadam" else 2)


def group_adagrad(mx: Any) -> Any:
    return _steps(mx, mx.optimizer.create("groupadagrad", learning_rate=0.5, eps=0.01, clip_gradient=0.7))


def scheduled(mx: Any) -> Any:
    schedule = mx.lr_scheduler.FactorScheduler(2, 0.5)
    made = mx.optimizer.create("sgd", learning_rate=0.3, lr_scheduler=schedule, begin_num_update=1)
    return [_steps(mx, made), made.learning_rate, made.num_update]


def multipliers(mx: Any) -> Any:
    made = mx.optimizer.create(
        "sgd", learning_rate=0.3, wd=0.1, param_idx2name={0: "a_weight", 1: "a_bias", 2: "a_gamma"}
    )
    made.set_lr_mult({"a_weight": 0.5, 1: 2.0})
    made.set_wd_mult({"a_gamma": 3.0})
    return [[made._get_lr(i), made._get_wd(i)] for i in range(4)]


HALF_CASES = ["sgd", "nag", "adam", "lamb", "lars"]


def half(mx: Any, case: str) -> Any:
    options = {"momentum": 0.9} if case in ("sgd", "nag", "lars") else {}
    return _steps(mx, mx.optimizer.create(case, multi_precision=True, **options), "float16")
