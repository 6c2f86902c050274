"""Graphs over the workers of a collective store: all end with what one process does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from distributed import graph_worker
from distributed.test_training import HERE, expect_equal, launch

import mixgrad as mx

SCRIPT = str(HERE / "graph_worker.py")


def run(what: str, folder: Path, workers: int, **more: str) -> subprocess.CompletedProcess[str]:
    return launch(SCRIPT, what, str(folder), workers=workers, servers=0, **more)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_module_over_workers_learns_what_one_process_does(workers: int, tmp_path: Path) -> None:
    done = run("fit", tmp_path, workers)
    assert done.returncode == 0, done.stderr
    wanted = graph_worker.fitted({f"g{i}": mx.cpu(i) for i in range(3)})
    assert wanted["accuracy"] > 0.9
    for rank in range(workers):
        with np.load(tmp_path / f"{rank}.npz") as values:
            expect_equal(dict(values), wanted)


def test_layers_of_an_unrolled_lstm(tmp_path: Path) -> None:
    done = run("lstm", tmp_path, 2, MIXGRAD_METRICS_PORT="0")
    assert done.returncode == 0, done.stderr
    wanted = graph_worker.unrolled({"g0": mx.cpu(0), "g1": mx.cpu(1)})
    for rank in range(2):
        with np.load(tmp_path / f"{rank}.npz") as values:
            expect_equal(dict(values), wanted)


def test_memory_is_taken_where_the_layer_is(tmp_path: Path) -> None:
    done = run("memory", tmp_path, 2)
    assert done.returncode == 0, done.stderr
    with np.load(tmp_path / "0.npz") as first, np.load(tmp_path / "1.npz") as second:
        assert second["taken"] > 2 * 4 * 2**24  # weight and gradient
        assert first["taken"] < 2**20
        assert second["planned"] > 4 * 64 * 2**14
        assert first["planned"] < 2**16
        np.testing.assert_array_equal(first["out"], second["out"])
        assert first["out"].shape == (64,)


def test_a_worker_that_is_killed_is_named(tmp_path: Path) -> None:
    done = run("killed", tmp_path, 2, MIXGRAD_DEAD_AFTER="0.5")
    assert done.returncode == 137
    assert "worker:1" in done.stderr
    if (tmp_path / "0.txt").exists():  # else the launcher was faster
        assert "worker:1" in (tmp_path / "0.txt").read_text()


def test_workers_whose_graphs_differ(tmp_path: Path) -> None:
    done = run("unequal", tmp_path, 2)
    assert done.returncode == 0, done.stderr
    for rank in range(2):
        said = (tmp_path / f"{rank}.txt").read_text()
        assert "[bind] got another graph, other shapes, groups or gradients in worker:1" in said


def test_arrays_of_another_worker(tmp_path: Path) -> None:
    done = run("handled", tmp_path, 2)
    assert done.returncode == 0, done.stderr


def test_groups_that_do_not_fit(tmp_path: Path) -> None:
    done = run("refused", tmp_path, 2)
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "0.txt").read_text().splitlines()
    for line, part in zip(
        said,
        (
            "group 'g0' is of worker:2; expected one of 2",
            "'worker:x' for g0; expected a Context, or a worker's device such as 'worker:1/cpu(0)'",
            "expected a worker's device for all groups",
            "group2ctx has int for g0",
            "context has 2 devices; expected one",
            "kvstore is 'collective'",
            "kvstore is 'dist_sync'",
            "update_in_graph=True, and group2ctxs names workers",
            "groups name workers, and the graph has sparse values",
        ),
    ):
        assert part in line, line
    assert len(said) == 9


def test_without_a_store() -> None:
    with pytest.raises(ValueError, match="no stores of type 'collective' are open"):
        graph_worker.perceptron().simple_bind(mx.cpu(), group2ctx=graph_worker.groups_over(2), data=(8, 64))
