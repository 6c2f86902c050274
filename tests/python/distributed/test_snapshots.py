"""Servers that keep what they have on disk: all of them are killed, and training goes on from there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from distributed import training_worker
from distributed.test_training import HERE, STEPS, expect_equal, launch


def train(folder: Path, *events: str, workers: int = 2, **more: str) -> subprocess.CompletedProcess[str]:
    kills = sum(event.count("+") + 1 for event in events)
    options = ("--restarts", str(kills), "--snapshots", str(folder / "kept"), "--snapshot-seconds", "0.1")
    script = str(HERE / "training_worker.py")
    words = (script, "dist_sync", str(STEPS), str(folder / "result"), *events)
    return launch(*words, workers=workers, options=options, **more)


def result(folder: Path) -> dict[str, np.ndarray]:
    with np.load(folder / "result.npz") as values:
        return dict(values)


@pytest.mark.parametrize("replicas", ["1", "2"])
@pytest.mark.parametrize(
    "events",
    [
        ("7:server:0+server:1",),
        ("3:server:0+server:1", "19:server:1+server:0"),
        ("12:server:0+server:1+scheduler",),
        ("5:server:0+worker:1+server:1",),
    ],
    ids=["all servers", "twice", "and the scheduler", "and a worker"],
)
def test_all_servers_may_be_killed(events: tuple[str, ...], replicas: str, tmp_path: Path) -> None:
    done = train(tmp_path, *events, MIXGRAD_REPLICAS=replicas)
    assert done.returncode == 0, done.stderr
    expect_equal(result(tmp_path), training_worker.alone(2, STEPS))


def test_one_killed_server_is_enough_without_replicas(tmp_path: Path) -> None:
    done = train(tmp_path, "9:server:1", MIXGRAD_REPLICAS="1", MXNET_KVSTORE_BIGARRAY_BOUND="100")
    assert done.returncode == 0, done.stderr
    expect_equal(result(tmp_path), training_worker.alone(2, STEPS))


def test_damage_is_told_by_the_name_of_the_file(tmp_path: Path) -> None:
    assert train(tmp_path, workers=1).returncode == 0
    slot = sorted((tmp_path / "kept" / "server-0").glob("slot-*/journal-*"))[0]
    content = bytearray(slot.read_bytes())
    content[10] ^= 1
    slot.write_bytes(content)
    done = train(tmp_path, workers=1)
    assert done.returncode != 0
    assert f"{slot} is damaged at byte 0" in done.stderr, done.stderr
