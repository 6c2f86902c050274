"""Training on Ray: what needs no Ray, and trainings where it is installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.distributed._keys import Keys, key_folder
from mixgrad.ray import _installed
from mixgrad.ray.serving import options_of

has_ray = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not has_ray, reason="Ray is not installed: pip install 'mixgrad[ray]'")
ROOT = Path(__file__).resolve().parents[3]


class Rows:
    """What a dataset of Ray gives: passes over columns. It counts those that were begun."""

    def __init__(self, count: int) -> None:
        self.count, self.passes = count, 0

    def iter_batches(self, *, batch_size: int, batch_format: str, **options: Any) -> Iterator[Any]:
        assert batch_format == "numpy"
        self.passes += 1
        x = np.arange(self.count, dtype="float32")
        for first in range(0, self.count, batch_size):
            part = x[first : first + batch_size]
            yield {"x": np.stack([part, -part], 1), "y": part % 3}


def test_batches_of_a_dataset() -> None:
    rows = Rows(10)
    it = mx.ray.DatasetIter(rows, data="x", label={"softmax_label": "y"}, batch_size=4)
    assert it.provide_data[0].shape == (4, 2) and it.provide_label[0].name == "softmax_label"
    first = [(batch.data[0].asnumpy()[:, 0].tolist(), batch.pad) for batch in it]
    assert first == [([0, 1, 2, 3], 0), ([4, 5, 6, 7], 0), ([8, 9, 0, 1], 2)]
    # The look at the first rows began the first pass; nothing else did, though the last batch was filled.
    assert rows.passes == 1
    it.reset()
    assert [(batch.data[0].asnumpy()[:, 0].tolist(), batch.pad) for batch in it] == first
    assert rows.passes == 2
    it.reset()
    it.next()
    again = mx.ray.DatasetIter(Rows(10), data="x", label={"softmax_label": "y"}, batch_size=4)
    again.load_state_dict(it.state_dict())
    assert again.next().data[0].asnumpy()[:, 0].tolist() == [4, 5, 6, 7]


def test_datasets_that_do_not_fit() -> None:
    with pytest.raises(TypeError, match="expected one of Ray Data"):
        mx.ray.DatasetIter([1, 2, 3])
    with pytest.raises(mx.base.NotFoundError, match="no column 'z'"):
        mx.ray.DatasetIter(Rows(3), data="z")
    with pytest.raises(ValueError, match="holds no rows"):
        mx.ray.DatasetIter(Rows(0))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"num_workers": 0}, "num_workers is 0"),
        ({"num_workers": 1, "num_servers": True}, "num_servers is True"),
        ({"num_workers": 1, "restarts": -1}, "restarts is -1"),
        ({"num_workers": 1, "placement_strategy": "ANY"}, "placement_strategy is 'ANY'"),
        ({"num_workers": 1, "worker_resources": {"CPU": "many"}}, "worker_resources is"),
    ],
)
def test_arguments_that_make_no_sense(arguments: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        mx.ray.fit(print, **arguments)


def test_without_ray_an_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'mixgrad\[ray\]'"):
        mx.ray.fit(print, num_workers=1)
    monkeypatch.setitem(sys.modules, "ray.train.backend", None)
    with pytest.raises(ImportError, match=r"\[ray.StoreConfig\] needs Ray"):
        mx.ray.StoreConfig()
    with pytest.raises(ImportError, match="no_such_part"):
        _installed.needed("ray.StoreConfig", "ray.no_such_part")


def test_resources() -> None:
    assert options_of({"CPU": 1, "memory": 1e9}) == {"num_cpus": 1, "num_gpus": 0, "memory": 1e9}


def test_keys_of_a_process_go_with_it(tmp_path: Path) -> None:
    keys = Keys.made(1, 1)
    assert sorted(keys.secrets) == [("scheduler", 0), ("server", 0), ("worker", 0)]
    assert keys.secrets["server", 0] not in repr(keys)
    folder = tmp_path / "of a killed one"
    with key_folder("server", 0, keys.public, keys.secrets["server", 0], str(folder)) as path:
        assert {file.name: file.stat().st_mode & 0o777 for file in Path(path).iterdir()} == {
            "public.txt": 0o600,
            "server-0.secret": 0o600,
        }
        # Who takes the place of a killed one finds this.
        with key_folder("server", 0, keys.public, "another", str(folder)):
            assert (folder / "server-0.secret").read_text() == "another"
        folder.mkdir(mode=0o700)
    assert not folder.exists()
    folder.mkdir(mode=0o755)
    with (
        pytest.raises(ValueError, match="belongs to this user alone"),
        key_folder("server", 0, "", "", str(folder)),
    ):
        pass


# What follows runs in a program of its own: Ray's workers import what its driver has.
PROGRAM = '''
import os
import sys
from pathlib import Path

import numpy as np
import ray

import mixgrad as mx

ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False, logging_level="error")


def train(folder, steps):
    """A worker that is killed once, in the middle."""
    kv = mx.kv.create("dist_sync")
    kv.init("w", mx.nd.zeros((3,)))
    out = mx.nd.zeros((3,))
    for step in range(kv.rounds_done, steps):
        once = Path(folder) / f"{kv.rank}"
        if step == 20 and kv.rank == 1 and not once.exists():
            once.touch()
            os.kill(os.getpid(), 9)
        kv.push("w", mx.nd.ones((3,)) * (step + 1))
        kv.pull("w", out=out)
        assert (out.asnumpy() == 2 * (step + 1)).all()
    return kv.rank, out.asnumpy().tolist(), os.environ["MIXGRAD_KEYS"], os.environ["SOME"]


def fails():
    kv = mx.kv.create("dist_sync")
    if kv.rank == 1:
        raise KeyError("not there")
    kv.barrier()


def learn(parts):
    """Least squares over the rows of a dataset."""
    kv = mx.kv.create("dist_sync")
    rows = mx.ray.DatasetIter(parts[kv.rank], data="x", label="y", batch_size=10)
    w = mx.nd.zeros((1, 2))
    kv.init("w", w)
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, rescale_grad=1 / 20))
    for _ in range(30):
        rows.reset()
        for batch in rows:
            x, y = batch.data[0], batch.label[0].reshape((-1, 1))
            kv.push("w", mx.nd.dot((mx.nd.dot(x, w.T) - y).T, x))
            kv.pull("w", out=w)
    return w.asnumpy()


results = mx.ray.fit(train, 2, 2, args=(sys.argv[1], 40), environment={"SOME": "thing"})
assert [result[:2] for result in results] == [(0, [80.0] * 3), (1, [80.0] * 3)], results
assert {result[3] for result in results} == {"thing"}
assert not any(os.path.exists(result[2]) for result in results)
assert Path(sys.argv[1], "1").exists()
try:
    mx.ray.fit(fails, 2, 1)
except mx.ray.WorkerError as error:
    assert error.rank == 1 and "worker 1 failed: KeyError: 'not there'" in str(error), error
else:
    raise AssertionError("nobody noticed")
try:
    mx.ray.fit(fails, 20, 1, placement_seconds=1)
except mx.ray.PlacementError as error:
    assert "the cluster has {'CPU': 6.0}" in str(error), error
else:
    raise AssertionError("nobody noticed")

x = np.random.default_rng(1).normal(size=(200, 2)).astype("float32")
data = ray.data.from_numpy(x).map_batches(lambda b: {"x": b["data"], "y": b["data"] @ np.float32([2, -1])})
weights = mx.ray.fit(learn, 2, 1, args=(data.split(2, equal=True),))
for one in weights:
    np.testing.assert_allclose(one, [[2, -1]], atol=1e-3)
print("fit is content")
'''

TRAIN = """
import ray
from ray.train import RunConfig, ScalingConfig
from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer
import sys
import numpy as np
import mixgrad as mx

ray.init(num_cpus=6, include_dashboard=False, log_to_driver=False, logging_level="error")


def train(config):
    kv = mx.kv.create("dist_sync")
    assert kv.rank == ray.train.get_context().get_world_rank()
    rows = mx.ray.DatasetIter(ray.train.get_dataset_shard("train"), data="x", batch_size=7, dtype="float32")
    kv.init("w", mx.nd.zeros((2,)))
    total = mx.nd.zeros((1,))
    for _ in range(2):
        for batch in rows:
            total += batch.data[0][: 7 - batch.pad].sum()
        rows.reset()
    out = mx.nd.zeros((1,))
    kv.init("sum", out)
    kv.push("sum", total)
    kv.pull("sum", out=out)
    open(f"{config['folder']}/sum{kv.rank}", "w").write(str(float(out.asscalar())))


data = ray.data.from_items([{"x": float(i)} for i in range(40)])
trainer = DataParallelTrainer(
    train,
    train_loop_config={"folder": sys.argv[1]},
    backend_config=mx.ray.StoreConfig(num_servers=2),
    scaling_config=ScalingConfig(num_workers=2),
    run_config=RunConfig(storage_path=sys.argv[1]),
    datasets={"train": data},
)
trainer.fit()
for rank in range(2):
    assert float(open(f"{sys.argv[1]}/sum{rank}").read()) == 2 * sum(range(40))
print("train is content")
"""


@needs_ray
@pytest.mark.parametrize("program", [PROGRAM, TRAIN], ids=["fit", "Ray Train"])
def test_trainings(program: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(program, encoding="utf-8")
    python = os.pathsep.join([str(Path(mx.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": python, "MIXGRAD_TIME_LIMIT": "60"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    assert "is content" in done.stdout
