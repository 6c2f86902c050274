"""Optimisers that PyTorch and mixgrad run alike: for ``tests/data/nn/make_optimizers.py`` and the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

# Name of the class and options.
OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd": ("SGD", {"lr": 0.1}),
    "sgd up, with decay": ("SGD", {"lr": 0.1, "maximize": True, "weight_decay": 0.1}),
    "sgd with momentum": ("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
    "sgd with dampening": ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}),
    "sgd of nesterov": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    "adam": ("Adam", {"lr": 0.01}),
    "adam with decay": ("Adam", {"lr": 0.01, "betas": (0.8, 0.9), "eps": 0.1, "weight_decay": 0.1}),
    "adam up": ("Adam", {"lr": 0.01, "maximize": True, "weight_decay": 0.1}),
    "amsgrad": ("Adam", {"lr": 0.01, "amsgrad": True, "weight_decay": 0.1}),
    "adamw": ("AdamW", {"lr": 0.01, "weight_decay": 0.1}),
    "amsgrad with decoupled decay": ("AdamW", {"lr": 0.01, "amsgrad": True, "maximize": True}),
    "rmsprop": ("RMSprop", {"lr": 0.01, "alpha": 0.9, "weight_decay": 0.1}),
    "rmsprop with momentum": ("RMSprop", {"lr": 0.01, "momentum": 0.9, "eps": 0.01}),
    "rmsprop centred": ("RMSprop", {"lr": 0.01, "centered": True, "maximize": True}),
    "adagrad": ("Adagrad", {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1}),
    "adagrad from a sum": ("Adagrad", {"lr": 0.1, "initial_accumulator_value": 0.5}),
    "adadelta": ("Adadelta", {"rho": 0.8, "eps": 0.01, "weight_decay": 0.1}),
    "adadelta up": ("Adadelta", {"lr": 0.5, "maximize": True}),
    "adamax": ("Adamax", {"lr": 0.05, "weight_decay": 0.1}),
    "adamax up": ("Adamax", {"lr": 0.05, "betas": (0.5, 0.6), "eps": 0.1, "maximize": True}),
    "nadam": ("NAdam", {"lr": 0.05, "weight_decay": 0.1}),
    "nadam up, decoupled": (
        "NAdam",
        {"lr": 0.05, "weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True},
    ),
    "nadam with momentum decay": ("NAdam", {"betas": (0.8, 0.9), "momentum_decay": 0.5, "eps": 0.1}),
    "radam": ("RAdam", {"lr": 0.05, "weight_decay": 0.1}),
    "radam, rectified": ("RAdam", {"lr": 0.05, "betas": (0.8, 0.9), "eps": 0.1, "maximize": True}),
    "radam, decoupled": ("RAdam", {"lr": 0.05, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    "radam of a short memory": ("RAdam", {"lr": 0.05, "betas": (0.5, 0.5)}),
    "asgd": ("ASGD", {"lr": 0.1, "weight_decay": 0.1}),
    "asgd averages": ("ASGD", {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 2, "maximize": True}),
    "rprop": ("Rprop", {"lr": 0.1}),
    "rprop within limits": ("Rprop", {"etas": (0.7, 1.5), "step_sizes": (0.008, 0.02), "maximize": True}),
}

SHAPES = ((3, 4), (5,))
STEPS = 6
# From this step on the rate is half of what it was.
CHANGE = 3

# Schedules: the class and its options.
SCHEDULES: dict[str, tuple[str, dict[str, Any]]] = {
    "step": ("StepLR", {"step_size": 3, "gamma": 0.5}),
    "milestones": ("MultiStepLR", {"milestones": [2, 5, 5], "gamma": 0.1}),
    "constant": ("ConstantLR", {"factor": 0.5, "total_iters": 4}),
    "linear": ("LinearLR", {"start_factor": 0.25, "total_iters": 6}),
    "exponential": ("ExponentialLR", {"gamma": 0.9}),
    "polynomial": ("PolynomialLR", {"total_iters": 6, "power": 2.0}),
    "cosine": ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.01}),
    "cosine again": ("CosineAnnealingWarmRestarts", {"T_0": 3, "T_mult": 2, "eta_min": 0.01}),
    "lambda": ("LambdaLR", {"lr_lambda": lambda epoch: 0.95**epoch}),
    "multiplicative": ("MultiplicativeLR", {"lr_lambda": lambda epoch: 1 - epoch / 20}),
}
EPOCHS = 12


def start(number: int) -> np.ndarray:
    """What a parameter starts from."""
    return np.random.RandomState(number).uniform(-1, 1, size=SHAPES[number]).astype(np.float32)


def gradient(number: int, step: int) -> np.ndarray:
    """The gradient of a parameter at a step."""
    random = np.random.RandomState(100 * step + number + 7)
    return random.normal(size=SHAPES[number]).astype(np.float32)


# OneCycleLR's options: ``make_one_cycle.py`` has PyTorch write its rates and momenta.
ONE_CYCLE: dict[str, dict[str, Any]] = {
    "usual": {"total_steps": 12},
    "linear": {"epochs": 3, "steps_per_epoch": 4, "anneal_strategy": "linear", "pct_start": 0.25},
    "three phases": {"total_steps": 14, "three_phase": True, "div_factor": 10.0, "final_div_factor": 100.0},
    "three lines": {
        "total_steps": 11,
        "three_phase": True,
        "anneal_strategy": "linear",
        "base_momentum": 0.5,
        "max_momentum": 0.7,
        "pct_start": 0.4,
    },
    "late": {"total_steps": 7, "pct_start": 0.9},
    "no rise": {"total_steps": 5, "pct_start": 0.0},
    "momentum stays": {"total_steps": 5, "cycle_momentum": False},
}
