"""Learning-rate schedules against closed forms, their warm-ups, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mixgrad as mx

schedules = mx.lr_scheduler


def rates(schedule: Any, count: int) -> list[float]:
    return [schedule(i) for i in range(count)]


def test_factor_falls_after_each_step_and_stops() -> None:
    schedule = schedules.FactorScheduler(3, 0.5, stop_factor_lr=0.2, base_lr=1)
    assert rates(schedule, 16) == [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25] + [0.2] * 6


def test_factor_counts_steps_that_were_jumped_over() -> None:
    assert schedules.FactorScheduler(2, 0.5, base_lr=1)(7) == 0.125


def test_multi_factor_falls_after_each_listed_update() -> None:
    schedule = schedules.MultiFactorScheduler([2, 5, 9], 0.5, base_lr=1)
    assert rates(schedule, 12) == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.125, 0.125]
    assert schedules.MultiFactorScheduler([2, 5, 9], 0.5, base_lr=1)(15) == 0.125


@given(
    total=st.integers(1, 40),
    warmup=st.integers(0, 39),
    base=st.floats(0.1, 2),
    final=st.floats(0, 0.1),
    power=st.floats(0.5, 3),
)
def test_poly_and_cosine_follow_their_formulas(
    total: int, warmup: int, base: float, final: float, power: float
) -> None:
    warmup = min(warmup, total - 1)
    options: dict[str, Any] = {"base_lr": base, "final_lr": final, "warmup_steps": warmup}
    poly = schedules.PolyScheduler(total, pwr=power, **options)
    cosine = schedules.CosineScheduler(total, **options)
    for update in range(total + 5):
        if update < warmup:
            expected = [base * update / warmup] * 2
        else:
            done = min((update - warmup) / (total - warmup), 1)
            share = [(1 - done) ** power, (1 + math.cos(math.pi * done)) / 2]
            expected = [final + (base - final) * s for s in share]
        assert [poly(update), cosine(update)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("mode", "expected"), [("linear", [0.1, 0.325, 0.55, 0.775]), ("constant", [0.1] * 4)]
)
def test_warmup(mode: str, expected: list[float]) -> None:
    for schedule in (
        schedules.FactorScheduler(9, base_lr=1, warmup_steps=4, warmup_begin_lr=0.1, warmup_mode=mode),
        schedules.PolyScheduler(9, base_lr=1, warmup_steps=4, warmup_begin_lr=0.1, warmup_mode=mode),
    ):
        assert rates(schedule, 4) == pytest.approx(expected)
        assert schedule(4) == 1


def test_warmup_as_long_as_the_schedule_ends_at_the_final_rate() -> None:
    schedule = schedules.CosineScheduler(4, base_lr=1, final_lr=0.5, warmup_steps=4)
    assert rates(schedule, 6) == pytest.approx([0, 0.25, 0.5, 0.75, 0.5, 0.5])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: schedules.FactorScheduler(0), ValueError, "step must be at least 1, got 0"),
        (
            lambda: schedules.FactorScheduler(1, 1.5),
            ValueError,
            "at most 1 so that the rate never grows, got 1.5",
        ),
        (lambda: schedules.MultiFactorScheduler([1, 1]), ValueError, r"grow strictly, got \[1, 1\]"),
        (lambda: schedules.MultiFactorScheduler([0, 1]), ValueError, "at least 1"),
        (lambda: schedules.MultiFactorScheduler([]), TypeError, "list of update numbers"),
        (lambda: schedules.MultiFactorScheduler(3), TypeError, "list of update numbers, got 3"),
        (lambda: schedules.PolyScheduler(0), ValueError, r"\[PolyScheduler\] max_update must be at least 1"),
        (lambda: schedules.CosineScheduler(1.5), TypeError, r"\[CosineScheduler\].*integer, got 1.5"),
        (lambda: schedules.LRScheduler(0.1, warmup_steps=-1), ValueError, "0 or more, got -1"),
        (lambda: schedules.LRScheduler(0.1, warmup_steps=1.5), TypeError, "integer, got 1.5"),
        (lambda: schedules.LRScheduler(0.1, 1, 0.5), ValueError, "got 0.5 > 0.1"),
        (lambda: schedules.LRScheduler(0.1, 1, 0.05, "cubic"), ValueError, "got 'cubic'"),
        (lambda: schedules.LRScheduler()(1), NotImplementedError, "must define"),
        (lambda: schedules.LRScheduler().get_warmup_lr(1), ValueError, "past the warm-up"),
    ],
)
def test_refusals_show_what_arrived(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
