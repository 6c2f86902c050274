"""Compression and states of optimisers of a store between real processes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from distributed import states_worker
from distributed.test_training import HERE, launch

import mixgrad as mx
from mixgrad.optimizer import state_file


@pytest.mark.parametrize(
    "params",
    [{"type": "2bit", "threshold": 0.3}, {"type": "1bit"}, {"type": "bf16"}, {"type": "topk", "ratio": 0.1}],
    ids=["2bit", "1bit", "bf16", "topk"],
)
def test_compressed_gradients_add_up_as_on_one_machine(params: dict[str, object]) -> None:
    script = str(HERE / "compression_worker.py")
    done = launch(script, json.dumps(params), workers=2, MXNET_KVSTORE_BIGARRAY_BOUND="1000")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("is content") == 2


def test_workers_that_compress_otherwise_are_told() -> None:
    script = str(HERE / "compression_worker.py")
    done = launch(script, '{"type": "2bit"}', '{"type": "2bit", "threshold": 0.25}', workers=2, servers=1)
    assert "got an update compressed as 2bit, threshold 0.25" in done.stdout, done.stderr
    assert "the store expects 2bit, threshold 0.5. Every worker calls set_gradient_compression" in done.stdout


@pytest.mark.parametrize("rule", ["sgd", "adam"])
def test_states_are_those_of_one_process(rule: str, tmp_path: Path) -> None:
    both = {kind: tmp_path / kind for kind in ("local", "dist")}
    for folder in both.values():
        folder.mkdir()
    states_worker.train("local", rule, 0, 8, str(both["local"]), workers=2)
    states_worker.train("local", rule, 8, 12, str(both["local"]), workers=2)
    for first, last in ((0, 8), (8, 12)):
        script = str(HERE / "states_worker.py")
        words = (script, rule, str(first), str(last), str(both["dist"]))
        done = launch(*words, workers=2, MXNET_KVSTORE_BIGARRAY_BOUND="1000")  # w1 lies on both servers
        assert done.returncode == 0, done.stderr
        with np.load(both["local"] / f"{last}.npz") as wanted, np.load(both["dist"] / f"{last}.npz") as found:
            for name, value in wanted.items():
                np.testing.assert_array_equal(found[name], value, err_msg=name)
        for kind in ("states", "dump"):
            data = [(folder / f"{last}.{kind}").read_bytes() for folder in both.values()]
            # One store's file is the other's, but for the order of keys.
            loaded = [state_file.load(one) for one in data]
            assert set(loaded[0][0]) == set(loaded[1][0]) == set(states_worker.SHAPES)
            assert all(
                state_file.dump(loaded[0][0][k]) == state_file.dump(loaded[1][0][k]) for k in loaded[0][0]
            )
            assert (
                loaded[0][1] == loaded[1][1] if kind == "states" else type(loaded[0][1]) is type(loaded[1][1])
            )
    # A store of one process goes on from the servers' file.
    (both["local"] / "8.states").write_bytes((both["dist"] / "8.states").read_bytes())
    states_worker.train("local", rule, 8, 12, str(both["local"]), workers=2)
    with np.load(both["local"] / "12.npz") as again, np.load(both["dist"] / "12.npz") as found:
        for name, value in again.items():
            np.testing.assert_array_equal(found[name], value, err_msg=name)


def test_files_that_are_no_states_are_refused(tmp_path: Path) -> None:
    script = tmp_path / "loads.py"
    script.write_text(
        "import mixgrad as mx, sys\nkv = mx.kv.create('dist_sync')\n"
        "for call in (kv.save_optimizer_states, kv.load_optimizer_states):\n"
        "    try:\n        call(sys.argv[1])\n    except ValueError as error:\n        print(error)\n"
        "kv.init('w', mx.nd.ones((2,)))\nkv.set_optimizer(mx.optimizer.Adam())\n"
        "try:\n    kv.load_optimizer_states(sys.argv[1])\nexcept ValueError as error:\n    print(error)\n"
        "kv.pushpull('w', mx.nd.ones((2,)), out=mx.nd.ones((2,)))\n"
    )
    bad = tmp_path / "bad.states"
    bad.write_bytes(b"nonsense" * 9)
    done = launch(str(script), str(bad), workers=1, servers=1)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("the store has no optimiser; call set_optimizer first") == 2
    assert "not a states file: 72 bytes" in done.stdout


REFUSED = """
import json, sys
import mixgrad as mx

kv = mx.kv.create("dist_sync")
kv.init(["big", "w"], [mx.nd.zeros((50, 50)), mx.nd.zeros((2,))])
kv.set_optimizer(mx.optimizer.SGD(learning_rate=1, momentum=0.5))
value = mx.nd.zeros((2,))

good, values, said = sys.argv[1] + "/good", [], []
for name in ("first", "bad", "none", "good", "bad", "good"):
    kv.pushpull("w", mx.nd.ones((2,)), out=value)
    values.append(float(value[0].asscalar()))
    if name == "first":
        if kv.rank == 0:
            kv.save_optimizer_states(good)
        kv.barrier()
        continue
    try:
        kv.load_optimizer_states(sys.argv[1] + "/" + name)
        said.append("")
    except (ValueError, OSError) as error:
        said.append(str(error))
if kv.rank == 1:
    kv.save_optimizer_states(good, dump_optimizer=True)
sys.stdout.write(json.dumps([kv.rank, values, said]) + "\\n")
"""


def test_every_worker_hears_of_a_file_that_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "refused.py"
    script.write_text(REFUSED)
    (tmp_path / "bad").write_bytes(b"nonsense" * 9)
    done = launch(str(script), str(tmp_path), workers=3, MIXGRAD_TIME_LIMIT="20")
    assert done.returncode == 0, done.stderr
    update = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=1, momentum=0.5))
    weight, wanted, saved = mx.nd.zeros((2,)), [], b""
    for place in range(6):  # a refusal changes no momentum; place 4 is the first one after a load
        if place == 4:
            update.set_states(saved)
        update("w", mx.nd.ones((2,)) * 3, weight)
        wanted.append(float(weight[0].asscalar()))
        if place == 0:
            saved = update.get_states()
    lines = sorted(json.loads(line) for line in done.stdout.splitlines())
    assert [rank for rank, _, _ in lines] == [0, 1, 2]
    for rank, values, (bad, none, good, again, last) in lines:
        assert values == wanted
        assert good == last == "" and bad == again and "not a states file: 72 bytes" in bad
        assert "none" in none
        assert all(("worker 0 refused the file: " in text) == (rank > 0) for text in (bad, none))
    _, rule = state_file.load((tmp_path / "good").read_bytes())
    assert not [name for name in vars(rule) if "refusal" in name]


SHARED = """
import sys
import numpy as np
import mixgrad as mx
from mixgrad.distributed import SharedVariables, SyncReplicas

first, last, folder, is_sync = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4] == "sync"
values = {name: mx.nd.ones((2,)) for name in "abc"}
if first:
    with np.load(f"{folder}/{first}.npz") as saved:
        values = {name: mx.nd.array(saved[name]) for name in values}
adam = mx.optimizer.Adam(learning_rate=0.1)
variables = SharedVariables(values, SyncReplicas(adam, 1) if is_sync else adam)
variables.start()
if first:
    variables.store.load_optimizer_states(f"{folder}/{first}.{sys.argv[5]}")
for step in range(first, last):
    gradients = {name: mx.nd.array([1.0, 0.1]) * (1 + step % (2 + i)) for i, name in enumerate(values)}
    if step % 3 == 0:  # another worker's dropped gradient: b and c have fewer updates than a
        variables.store.push(variables._keys[0], gradients["a"])
    else:
        variables.apply(gradients)
variables.pull()
variables.store.save_optimizer_states(f"{folder}/{last}.states")
variables.store.save_optimizer_states(f"{folder}/{last}.dump", dump_optimizer=True)
np.savez(f"{folder}/{last}.npz", **{name: value.asnumpy() for name, value in values.items()})
"""


@pytest.mark.parametrize(("kind", "file"), [("sync", "states"), ("async", "dump")])
def test_states_of_shared_variables(kind: str, file: str, tmp_path: Path) -> None:
    script = tmp_path / "shared.py"
    script.write_text(SHARED)
    update = mx.optimizer.get_updater(mx.optimizer.Adam(learning_rate=0.1))
    values = {name: mx.nd.ones((2,)) for name in "abc"}
    for first, last in ((0, 10), (10, 14)):
        done = launch(str(script), str(first), str(last), str(tmp_path), kind, file, workers=1)
        assert done.returncode == 0, done.stderr
        for step in range(first, last):
            for i, (name, value) in enumerate(values.items()):
                if step % 3 or name == "a":
                    update(name, mx.nd.array([1.0, 0.1]) * (1 + step % (2 + i)), value)
        with np.load(tmp_path / f"{last}.npz") as found:
            for name, value in values.items():
                np.testing.assert_array_equal(found[name], value.asnumpy(), err_msg=name)
