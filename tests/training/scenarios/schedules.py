"""Learning rates of every schedule over its updates."""

from __future__ import annotations

from typing import Any

TOLERANCE = 1e-6

WARM = {"warmup_steps": 4, "warmup_begin_lr": 0.01}
MAKERS: dict[str, Any] = {
    "factor": lambda s, **o: s.FactorScheduler(step=5, factor=0.5, stop_factor_lr=0.01, base_lr=0.4, **o),
    "multifactor": lambda s, **o: s.MultiFactorScheduler(step=[6, 9, 20], factor=0.1, base_lr=0.4, **o),
    "poly": lambda s, **o: s.PolyScheduler(max_update=20, base_lr=0.4, pwr=3, final_lr=0.02, **o),
    "cosine": lambda s, **o: s.CosineScheduler(max_update=20, base_lr=0.4, final_lr=0.02, **o),
}
CASES = [(name, warm) for name in MAKERS for warm in ("none", "linear", "constant")]


def schedule(mx: Any, case: Any) -> Any:
    name, warm = case
    options = {} if warm == "none" else {**WARM, "warmup_mode": warm}
    made = MAKERS[name](mx.lr_scheduler, **options)
    return [made(i) for i in range(30)]
