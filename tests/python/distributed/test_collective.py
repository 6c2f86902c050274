"""Real processes without servers: what training ends with, and what is said when workers differ or end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from distributed import starters, training_worker
from distributed.test_training import HERE, LIMIT, expect_equal, launch

import mixgrad as mx
from mixgrad.command import main
from mixgrad.distributed._port import HeldPort

SCRIPT = str(HERE / "collective_worker.py")
VARIABLES = {"DMLC_ROLE": "worker", "DMLC_NUM_SERVER": "0", "DMLC_PS_ROOT_URI": "127.0.0.1"}


def run(what: str, folder: Path, workers: int, **more: str) -> subprocess.CompletedProcess[str]:
    return launch(SCRIPT, what, str(folder), workers=workers, servers=0, **more)


@pytest.mark.parametrize(("what", "workers"), [("train", 2), ("train", 3), ("sharded", 1), ("sharded", 3)])
def test_every_worker_ends_bit_for_bit_as_one_process(what: str, workers: int, tmp_path: Path) -> None:
    done = run(what, tmp_path, workers)
    assert done.returncode == 0, done.stderr
    wanted = training_worker.alone(workers, 30)
    for rank in range(workers):
        with np.load(tmp_path / f"{rank}.npz") as values:
            expect_equal(dict(values), wanted)
            assert values["accuracy"] > 0.9


@pytest.mark.parametrize(("what", "workers"), [("memory", 2), ("memory_sharded", 3)])
def test_training_takes_the_memory_that_was_planned(what: str, workers: int, tmp_path: Path) -> None:
    done = run(what, tmp_path, workers)
    assert done.returncode == 0, done.stderr
    states = []
    for rank in range(workers):
        with np.load(tmp_path / f"{rank}.npz") as values:
            states.append(values["states"])
            assert values["taken"] == pytest.approx(values["planned"], rel=0.02)
    assert sum(states) == (1 if "sharded" in what else workers) * 2 * 4 * sum(
        out * (inputs + 1) for inputs, out in ((1000, 700), (700, 300), (300, 900), (900, 10))
    )


def test_one_trace_of_the_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("train", tmp_path, 2, MIXGRAD_TRACE=str(tmp_path / "traces"))
    assert done.returncode == 0, done.stderr
    assert main(["trace", str(tmp_path / "traces"), "-o", str(tmp_path / "all.json"), "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)["clocks"]) == ["worker 0", "worker 1"]
    names = [event["name"] for event in json.loads((tmp_path / "all.json").read_text())["traceEvents"]]
    assert names.count("multi_sgd_mom_update") == 2 * 30


@pytest.mark.parametrize(("launcher", "program"), [("slurm", "srun"), ("ssh", "ssh"), ("mpi", "mpirun")])
def test_a_trainer_adds_gradients_up_on_several_machines(launcher: str, program: str, tmp_path: Path) -> None:
    path, noted = starters.on_path(tmp_path, program)
    words = [sys.executable, "-m", "mixgrad", "launch", "--launcher", launcher, "-n", "2", "-s", "0"]
    if launcher == "ssh":
        (tmp_path / "hosts").write_text("127.0.0.1\n", encoding="utf-8")
        words += ["-H", str(tmp_path / "hosts")]
    done = subprocess.run(
        [*words, sys.executable, SCRIPT, "fit", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env={**os.environ, **path},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = noted.read_text()
    if launcher == "ssh":  # two workers, and nobody else
        assert len(told.splitlines()) == 2
    else:
        assert ("--ntasks=2" if launcher == "slurm" else "-n 2") in told
    with np.load(tmp_path / "0.npz") as first, np.load(tmp_path / "1.npz") as second:
        expect_equal(dict(first), dict(second))
        assert first["accuracy"] > 0.8


def test_who_was_killed_is_named(tmp_path: Path) -> None:
    """By processes that nobody watches over: the launcher would end them."""
    with HeldPort("127.0.0.1") as port:
        more = {"DMLC_NUM_WORKER": "3", "DMLC_PS_ROOT_PORT": str(port.number), "MIXGRAD_DEAD_AFTER": "0.5"}
        processes = [
            subprocess.Popen(
                [sys.executable, SCRIPT, "kill", str(tmp_path)],
                env={**os.environ, **VARIABLES, **more, "MIXGRAD_NUMBER": str(rank)},
                stdout=subprocess.PIPE,
                text=True,
            )
            for rank in range(3)
        ]
        told = [process.communicate(timeout=LIMIT)[0] for process in processes]
    assert [process.returncode for process in processes] == [3, -9, 3]
    for rank in (0, 2):
        assert f"worker {rank}: [kvstore." in told[rank]
        assert "has not heard worker:1 for 0.5 s" in told[rank]


def test_workers_that_differ_are_told(tmp_path: Path) -> None:
    done = run("shape", tmp_path, 2)
    assert done.returncode == 3
    assert "key 'v' (float32, 2 elements) in worker:0" in done.stdout.replace("and the first value of ", "")
    assert "key 'v' (float32, 3 elements)" in done.stdout
    done = run("optimizer", tmp_path, 2)
    assert done.returncode != 0
    assert "other parameters of it, in worker:1 than in worker:0" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"DMLC_NUM_SERVER": "1"}, "has no servers, and DMLC_NUM_SERVER is 1"),
        ({"MIXGRAD_NUMBER": ""}, "needs MIXGRAD_NUMBER"),
        ({"DMLC_PS_ROOT_URI": ""}, "needs DMLC_PS_ROOT_URI"),
        ({"MIXGRAD_NUMBER": "1", "DMLC_NUM_WORKER": "2", "MIXGRAD_TIME_LIMIT": "0.2"}, "for worker:0 at"),
    ],
)
def test_what_the_environment_lacks(more: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number = {"DMLC_NUM_WORKER": "1", "MIXGRAD_NUMBER": "0", "DMLC_PS_ROOT_PORT": "21"}
    for name, value in {**VARIABLES, **number, **more}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(mx.base.MXNetError, match=said):
        mx.kv.create("collective")


def test_options_for_servers_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--restarts", "1"], ["--snapshots", "kept"]):
        assert main(["launch", "-n", "2", "-s", "0", *option, "python"]) != 0
        assert f"{option[0]} is for stores with servers" in capsys.readouterr().err
