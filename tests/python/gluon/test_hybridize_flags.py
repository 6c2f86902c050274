"""Flags of hybridize that are misspelt, and the block that summary names."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import mixgrad as mx
from mixgrad.gluon import nn


def hybrid() -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2), nn.Dense(2, in_units=3))
    net.initialize()
    return net


class Plain(mx.gluon.Block):
    def __init__(self, *children: Any) -> None:
        super().__init__()
        for child in children:
            self.register_child(child)

    def forward(self, x: Any) -> Any:
        for child in self._children.values():
            x = child(x)
        return x


class HasFlag(nn.HybridSequential):
    got: Any = None

    def hybridize(self, active: bool = True, fast: Any = None, **flags: Any) -> None:
        self.got = fast
        super().hybridize(active, **flags)


@pytest.mark.parametrize("make", [hybrid, lambda: Plain(hybrid(), hybrid()), lambda: Plain(Plain(hybrid()))])
def test_a_misspelt_flag_is_a_warning_at_the_programs_line(make: Any) -> None:
    net = make()
    with pytest.warns(UserWarning) as found:
        net.hybridize(static_aloc=True)
    assert len(found) == 1 and found[0].filename == __file__
    text = str(found[0].message)
    assert "'static_aloc' is no flag" in text and "nearest: static_alloc" in text and "static_shape" in text
    assert net(mx.nd.ones((1, 2))).shape[0] == 1  # and it is hybridised


def test_flags_that_are_known_are_no_warning() -> None:
    own = HasFlag()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hybrid().hybridize(static_alloc=True, static_shape=True, forward_bulk_size=3)
        hybrid().hybridize(backend="MKLDNN", some_option=1)
        Plain(hybrid()).hybridize(True, backend="MKLDNN", some_option=1)
        Plain(own, nn.Dense(2)).hybridize(fast=7, inline_limit=3)
    assert own.got == 7 and own._inline_limit == 3


def test_summary_names_the_block_that_was_called() -> None:
    net = hybrid()
    net.hybridize()
    with pytest.raises(AssertionError, match=r"\[summary\] 'net' is hybridised.*hybridize\(False\) of 'net'"):
        net.summary(mx.nd.ones((1, 2)))
    around = Plain(nn.Flatten(), net)
    with pytest.raises(AssertionError, match=rf"'net' in '{around.name}' is hybridised"):
        around.summary(mx.nd.ones((1, 2)))
    net.hybridize(False)
    around.summary(mx.nd.ones((1, 2)))
