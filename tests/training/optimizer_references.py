"""The rules of all optimisers once more, in NumPy and float64, for comparison.

Each function makes one step: it gets the weight, the gradient, the optimiser ``o`` with its constants, rate,
decay, the count ``t`` of steps and a dict that it may fill, and returns the new weight.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Step = Callable[[Array, Array, Any, float, float, int, dict[str, Any]], Array]


def prepare(o: Any, grad: Array) -> Array:
    return clip(o, o.rescale_grad * grad)


def clip(o: Any, grad: Array) -> Array:
    return grad if o.clip_gradient is None else np.clip(grad, -o.clip_gradient, o.clip_gradient)


def decayed(o: Any, grad: Array, w: Array, wd: float) -> Array:
    """Rescaled gradient with weight decay, clipped together."""
    return clip(o, o.rescale_grad * grad + wd * w)


def sgd(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    s["m"] = o.momentum * s.get("m", 0) - lr * (prepare(o, grad) + wd * w)
    return w + s["m"]


def nag(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad) + wd * w
    s["m"] = o.momentum * s.get("m", 0) - lr * g
    return w + o.momentum * s["m"] - lr * g


def signum(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    if o.momentum == 0:
        return (1 - lr * wd) * w - lr * np.sign(prepare(o, grad))
    s["m"] = o.momentum * s.get("m", 0) - (1 - o.momentum) * (wd * w + prepare(o, grad))
    return (1 - lr * o.wd_lh) * w + lr * np.sign(s["m"])


def dcasgd(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    s["m"] = o.momentum * s.get("m", 0) - lr * (g + wd * w + o.lamda * g * g * (w - s.get("w", w)))
    s["w"] = w
    return w + s["m"]


def adam(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = decayed(o, grad, w, wd)
    s["m"] = o.beta1 * s.get("m", 0) + (1 - o.beta1) * g
    s["v"] = o.beta2 * s.get("v", 0) + (1 - o.beta2) * g**2
    rate = lr * np.sqrt(1 - o.beta2**t) / (1 - o.beta1**t)
    return w - rate * s["m"] / (np.sqrt(s["v"]) + o.epsilon)


def adamax(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = decayed(o, grad, w, wd)
    s["m"] = o.beta1 * s.get("m", 0) + (1 - o.beta1) * g
    s["u"] = np.maximum(o.beta2 * s.get("u", 0), np.abs(g))
    return w - lr / (1 - o.beta1**t) * s["m"] / (s["u"] + 1e-8)


def nadam(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = decayed(o, grad, w, wd)
    mu = [o.beta1 * (1 - 0.5 * 0.96 ** (i * o.schedule_decay)) for i in range(1, t + 2)]
    s["m"] = o.beta1 * s.get("m", 0) + (1 - o.beta1) * g
    s["v"] = o.beta2 * s.get("v", 0) + (1 - o.beta2) * g**2
    mean = (1 - mu[t - 1]) * g / (1 - np.prod(mu[:t])) + mu[t] * s["m"] / (1 - np.prod(mu))
    return w - lr * mean / (np.sqrt(s["v"] / (1 - o.beta2**t)) + o.epsilon)


def ftml(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = decayed(o, grad, w, wd)
    s["v"] = o.beta2 * s.get("v", 0) + (1 - o.beta2) * g**2
    d = (1 - o.beta1**t) / lr * (np.sqrt(s["v"] / (1 - o.beta2**t)) + o.epsilon)
    s["z"] = o.beta1 * s.get("z", 0) + (1 - o.beta1) * g - (d - o.beta1 * s.get("d", 0)) * w
    s["d"] = d
    return np.asarray(-s["z"] / d)


def adagrad(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    s["h"] = s.get("h", 0) + g**2
    return w - lr * (g / np.sqrt(s["h"] + o.float_stable_eps) + wd * w)


def groupadagrad(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    s["h"] = s.get("h", 0) + (g**2).mean(axis=1, keepdims=True)
    return w - lr * g / np.sqrt(s["h"] + o.float_stable_eps)


def adadelta(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    s["a"] = o.rho * s.get("a", 0) + (1 - o.rho) * g**2
    step = np.sqrt(s.get("s", 0) + o.epsilon) / np.sqrt(s["a"] + o.epsilon) * g
    s["s"] = o.rho * s.get("s", 0) + (1 - o.rho) * step**2
    return w - step - wd * w


def rmsprop(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = decayed(o, grad, w, wd)
    s["n"] = o.gamma1 * s.get("n", 0) + (1 - o.gamma1) * g**2
    if o.centered:
        s["m"] = o.gamma1 * s.get("m", 0) + (1 - o.gamma1) * g
        s["d"] = o.gamma2 * s.get("d", 0) - lr * g / np.sqrt(s["n"] - s["m"] ** 2 + o.epsilon)
        w = w + s["d"]
    else:
        w = w - lr * g / np.sqrt(s["n"] + o.epsilon)
    return w if o.clip_weights is None else np.clip(w, -o.clip_weights, o.clip_weights)


def ftrl(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    n = s.get("n", 0)
    s["z"] = s.get("z", 0) + g - (np.sqrt(n + g**2) - np.sqrt(n)) * w / lr
    s["n"] = n + g**2
    z = s["z"]
    return np.where(
        np.abs(z) > o.lamda1, (np.sign(z) * o.lamda1 - z) / ((o.beta + np.sqrt(s["n"])) / lr + wd), 0
    )


def lars(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    wn, gn = np.linalg.norm(w), np.linalg.norm(grad) * o.rescale_grad
    rate = lr * (o.eta * wn / (gn + wd * wn + o.eps) if wn > 0 and gn > 0 else 1)
    keep = o.momentum * (lr / s.get("lr", lr) if o.momentum_correction else 1)
    s["lr"] = lr
    s["m"] = keep * s.get("m", 0) - rate * (prepare(o, grad) + wd * w)
    return np.asarray(w + s["m"])


def lamb(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    s["m"] = o.beta1 * s.get("m", 0) + (1 - o.beta1) * g
    s["v"] = o.beta2 * s.get("v", 0) + (1 - o.beta2) * g**2
    m, v = s["m"], s["v"]
    if o.bias_correction:
        m, v = m / (1 - o.beta1**t), v / (1 - o.beta2**t)
    step = m / (np.sqrt(v) + o.epsilon) + wd * w
    wn, sn = np.linalg.norm(w), np.linalg.norm(step)
    wn = np.clip(wn, o.lower_bound or 0, o.upper_bound or np.inf)
    return np.asarray(w - lr * (wn / sn if wn > 0 and sn > 0 else 1) * step)


def moments(g: Array, o: Any, t: int, s: dict[str, Any]) -> tuple[Array, Array]:
    """Mean and root of the variance, without bias."""
    s["m"] = o.beta1 * s.get("m", 0) + (1 - o.beta1) * g
    s["v"] = o.beta2 * s.get("v", 0) + (1 - o.beta2) * g**2
    first, second = (1 - o.beta1**t, 1 - o.beta2**t) if o.correct_bias else (1, 1)
    return s["m"] / first, np.sqrt(s["v"] / second) + o.epsilon


def adamw(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    mean, root = moments(prepare(o, grad), o, t, s)
    return np.asarray(w - lr * (mean / root + wd * w))


def lans(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    g = prepare(o, grad)
    g = g / np.linalg.norm(g)
    mean, root = moments(g, o, t, s)
    r, c = mean / root + wd * w, g / root + wd * w
    length = np.clip(np.linalg.norm(w), o.lower_bound or 0, o.upper_bound or np.inf)
    unit_r, unit_c = r / np.linalg.norm(r), c / np.linalg.norm(c)
    return np.asarray(w - lr * length * (o.beta1 * unit_r + (1 - o.beta1) * unit_c))


def lbsgd(w: Array, grad: Array, o: Any, lr: float, wd: float, t: int, s: dict[str, Any]) -> Array:
    count = o.init_updates + t
    s["sum"] = s.get("sum", 0) + grad
    if count % o.batch_scale:
        return w
    mean = s.pop("sum") / o.batch_scale
    warm = o.warmup_epochs * o.updates_per_epoch
    if o.warmup_strategy == "lars":
        ratio = (w**2).sum() / ((mean**2).sum() + wd * (w**2).sum() + 1e-18)
        factor = np.clip(np.sqrt(ratio), 0.01, 100)
    elif count >= warm:
        factor = o.batch_scale
    else:
        power = {"linear": 1, "power2": 2, "sqrt": 0.5}[o.warmup_strategy]
        factor = 1 + (o.batch_scale - 1) * (count / warm) ** power
    return sgd(w, mean, o, lr * factor, wd, t, s)


STEPS: dict[str, Step] = {
    "sgd": sgd,
    "ccsgd": sgd,
    "nag": nag,
    "signum": signum,
    "dcasgd": dcasgd,
    "adam": adam,
    "adamax": adamax,
    "nadam": nadam,
    "ftml": ftml,
    "adagrad": adagrad,
    "groupadagrad": groupadagrad,
    "adadelta": adadelta,
    "rmsprop": rmsprop,
    "ftrl": ftrl,
    "lars": lars,
    "lamb": lamb,
    "adamw": adamw,
    "lans": lans,
    "lbsgd": lbsgd,
}
