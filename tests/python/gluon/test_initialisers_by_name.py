"""Initialisers that choose by name, Mixed and Load, in Gluon: MXNet 1.9.1 refuses both there."""

from __future__ import annotations

import copy
import logging
import pickle
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import nn

init = mx.init


def network(deferred: bool = False) -> Any:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            nn.Dense(3, in_units=0 if deferred else 2), nn.BatchNorm(), nn.Dense(2, bias_initializer=None)
        )
    return net


def values(net: Any) -> dict[str, set[float]]:
    net(mx.nd.ones((1, 2)))
    return {
        name.removeprefix("net_"): set(one.data().asnumpy().ravel().tolist())
        for name, one in net.collect_params().items()
    }


@pytest.mark.parametrize("deferred", [False, True])
@pytest.mark.parametrize("hybrid", [False, True])
def test_mixed_chooses_by_the_names_of_parameters(deferred: bool, hybrid: bool) -> None:
    net = network(deferred)
    net.hybridize(hybrid)
    net.initialize(init.Mixed([".*dense0", ".*weight", ".*"], [init.Constant(5), "ones", init.Constant(7)]))
    found = values(net)
    assert found["dense0_weight"] == {5} and found["dense1_weight"] == {1}
    assert found["dense1_bias"] == {7}  # it has no initialiser of its own
    assert found["dense0_bias"] == {0} and found["batchnorm0_gamma"] == {1}  # these have
    assert found["batchnorm0_running_var"] == {1}


def test_a_pattern_is_needed_only_where_there_is_no_initialiser() -> None:
    net = nn.Dense(2, in_units=2, prefix="fc_")
    net.initialize(init.Mixed([".*weight"], [init.One()]))
    assert net.bias.data().asnumpy().tolist() == [0, 0]
    with pytest.raises(ValueError, match=r"\[Mixed\] 'fc_weight' matches none of 'bias'"):
        nn.Dense(2, in_units=2, prefix="fc_").initialize(init.Mixed(["bias"], [init.One()]))


def test_load_takes_what_it_has(tmp_path: Any) -> None:
    arrays = {"arg:net_dense0_weight": mx.nd.ones((3, 2)) * 7, "net_dense0_bias": mx.nd.ones((3,)) * 8}
    mx.nd.save(str(tmp_path / "some.params"), arrays)
    for source in (arrays, str(tmp_path / "some.params")):
        net = network(deferred=True)
        net.initialize(init.Load(source, default_init=init.Constant(3)))
        found = values(net)
        assert found["dense0_weight"] == {7} and found["dense0_bias"] == {8} and found["dense1_weight"] == {3}
        assert found["batchnorm0_gamma"] == {1}
    with pytest.raises(ValueError, match=r"'net_dense0_bias' is not among .* there are net_dense0_weight"):
        network().initialize(init.Load({"net_dense0_weight": mx.nd.ones((3, 2))}))
    with pytest.raises(ValueError, match="has shape"):
        network().initialize(init.Load({"net_dense0_weight": mx.nd.ones((3, 1))}, init.One()))


def test_a_file_with_other_names_is_a_warning(tmp_path: Any) -> None:
    net = network()
    net.initialize()
    net(mx.nd.ones((1, 2)))
    net.save_parameters(str(tmp_path / "net.params"))
    loaded = init.Load(str(tmp_path / "net.params"), default_init=init.One())
    with pytest.warns(UserWarning, match="none of the parameters.*net_dense0_weight.*for load_parameters"):
        network().initialize(loaded)


@pytest.mark.parametrize(
    "own", [init.Mixed([".*"], [init.Constant(5)]), init.Load({"fc_weight": mx.nd.full((2, 2), 5)})], ids=str
)
def test_they_serve_as_a_parameters_own(own: Any) -> None:
    net = nn.Dense(2, in_units=2, weight_initializer=own, prefix="fc_")
    net.hybridize()
    net.initialize()
    assert net(mx.nd.ones((1, 2))).asnumpy().tolist() == [[10, 10]]
    for again in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        again.initialize(force_reinit=True)
        assert again.weight.data().asnumpy().min() == 5
    one = mx.np.ones((1, 2))  # and in the manner of NumPy
    with mx.util.np_array(True):
        net.initialize(force_reinit=True)
        assert net(one).item(0) == 10


def test_text_of_mixed() -> None:
    mixed = init.Mixed(["a", ".*"], [init.Constant(3), init.Zero()])
    assert (
        init.create(mixed.dumps()) == mixed and repr(mixed) == "Mixed('a': Constant(value=3), '.*': Zero())"
    )
    x = mx.nd.ones((2,))
    init.create(mixed.dumps())("a_weight", x)
    assert x.asnumpy().tolist() == [3, 3]
    with pytest.raises(TypeError, match="functions"):
        init.Mixed(["a"], [lambda name, arr: None]).dumps()
    with pytest.raises(TypeError, match="arrays"):
        init.Load({}).dumps()


def test_verbose_tells_of_the_chosen(caplog: Any) -> None:
    with caplog.at_level(logging.INFO):
        nn.Dense(2, in_units=2, prefix="fc_").initialize(init.Mixed([".*"], [init.One()]), verbose=True)
        nn.Dense(2, in_units=2, prefix="fc_").initialize("ones", verbose=True)
    assert "fc_weight" in caplog.text


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (init.Xavier, "got the class Xavier; expected an object of it: Xavier()"),
        (42, "got int"),
        (np, "module"),
    ],
)
def test_what_is_no_initialiser(bad: Any, text: str) -> None:
    with pytest.raises(AssertionError) as found:
        nn.Dense(2, in_units=2).initialize(bad)
    assert isinstance(found.value, TypeError) and text in str(found.value)
    with pytest.raises(TypeError, match=r"initialis|class|create"):
        init.Mixed([".*"], [bad])
