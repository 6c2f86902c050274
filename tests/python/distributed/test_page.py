"""The commands of docs/distributed.md, run as they are printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from distributed import slurm_here, starters

import mixgrad as mx

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs network namespaces")

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "distributed.md").read_text(encoding="utf-8")
LIMIT = 100.0


def blocks(language: str, heading: str) -> list[str]:
    """Code of a section; an empty heading is what stands before the first one."""
    begin = PAGE.index(f"\n## {heading}\n") if heading else 0
    end = PAGE.find("\n## ", begin + 1)
    return re.findall(rf"```{language}\n(.*?)```", PAGE[begin:end], re.DOTALL)


def environment(**more: str) -> dict[str, str]:
    """In which `python` and `mixgrad` are those of this interpreter."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "MIXGRAD_TIME_LIMIT": "40", **more}


def shell(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-euc", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=environment(**more),
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if shutil.which("mixgrad", path=environment()["PATH"]) is None:
        pytest.skip("the command mixgrad is not installed beside this Python")
    (tmp_path / "train.py").write_text(blocks("python", "")[0], encoding="utf-8")
    return tmp_path


def test_commands_of_the_readme_are_those_of_the_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("\n## On several processes and machines\n")[1].split("\n## ")[0]
    shown = [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)]
    commands = [line.split("  #")[0].rstrip() for line in shown[0]]
    headings = ("Local launch", "Slurm", "Ray")
    for command, heading in zip(commands, headings, strict=True):
        assert command in blocks("sh", heading)[0].splitlines()
    assert shown[1] == blocks("sh", "Two machines by hand")[0].splitlines()


def check_trained(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    lines = sorted(done.stdout.splitlines())
    assert [line.split(":")[0] for line in lines] == ["worker 0 of 2", "worker 1 of 2"]
    for line in lines:
        assert float(line.split(":")[2].strip(" }")) > 0.9


def test_local_launch(folder: Path) -> None:
    command, _ = blocks("sh", "Local launch")
    check_trained(shell(command, folder))


def test_without_servers(folder: Path) -> None:
    script = folder / "train.py"
    script.write_text(script.read_text().replace("dist_sync", "collective"), encoding="utf-8")
    (command,) = blocks("sh", "Without servers")
    check_trained(shell(command, folder))


def test_one_network_over_several_workers(folder: Path) -> None:
    heading = "One network over several workers"
    (folder / "split.py").write_text(blocks("python", heading)[0], encoding="utf-8")
    (command,) = blocks("sh", heading)
    check_trained(shell(command, folder))
    saved = mx.nd.load(str(folder / "split.params"))
    assert sorted(saved) == ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]


def test_slurm(folder: Path) -> None:
    more, _ = starters.on_path(folder, "srun")
    path = f"{folder / 'bin'}{os.pathsep}{environment()['PATH']}"
    (command,) = blocks("sh", "Slurm")
    check_trained(shell(command, folder, **{**more, "PATH": path}))


def test_slurm_itself(folder: Path) -> None:
    if lacks := slurm_here.lacking():
        pytest.skip(lacks)
    (cluster := folder / "cluster").mkdir()
    (command,) = blocks("sh", "Slurm")
    with slurm_here.running(cluster) as variables:
        check_trained(shell(command, folder, **variables))


def test_ray(folder: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'mixgrad[ray]'")
    (folder / "on_ray.py").write_text(blocks("python", "Ray")[0], encoding="utf-8")
    (command,) = blocks("sh", "Ray")
    _, run = command.splitlines()
    check_trained(shell(run, folder))


def test_metrics(folder: Path) -> None:
    metrics, traces = blocks("sh", "What is going on")
    check_trained(shell(metrics, folder))
    launch, merge = traces.splitlines()
    check_trained(shell(launch, folder))
    assert "5 processes" in shell(merge, folder).stdout


# Two folders stand for the machines, and a network of its own has both their addresses.
TWO_MACHINES = """
ip link set lo up
ip addr add 10.0.0.1/24 dev lo
ip addr add 10.0.0.2/24 dev lo
(cd first && sh -eu first.sh) &
first=$!
while [ ! -e second/keys/worker-1.secret ]; do sleep 0.05; kill -0 $first; done
(cd second && sh -eu second.sh)
wait $first
"""


def test_two_machines_by_hand(folder: Path) -> None:
    if subprocess.run(["unshare", "-rn", "ip", "link"], capture_output=True, check=False).returncode:
        pytest.skip("network namespaces are not allowed here")
    programs = {
        "ssh": f'#!/bin/sh\nshift\ncd "{folder}/second"\nexec "$@"\n',
        "scp": f"""#!/bin/sh
while [ $# -gt 1 ]; do cp "$1" "{folder}/second/${{2:+keys/}}" && shift; done
""",
    }
    for name, text in programs.items():
        program = folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text, encoding="utf-8")
        program.chmod(0o755)
    first, second = blocks("sh", "Two machines by hand")
    for name, text in (("first", first), ("second", second)):
        (folder / name).mkdir()
        (folder / name / f"{name}.sh").write_text(text, encoding="utf-8")
        (folder / name / "examples").symlink_to(ROOT / "examples")
    path = f"{folder / 'bin'}{os.pathsep}{environment()['PATH']}"
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-euc", TWO_MACHINES],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        env=environment(PATH=path),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (folder / "second" / "keys" / "worker-0.secret").exists()
    for i in range(2):
        assert f"worker {i}: step 400, 0 of its own dropped" in done.stdout
    assert float(done.stdout.split("accuracy ")[1]) > 0.93


def test_roles_in_a_program(folder: Path) -> None:
    script = folder / "roles.py"
    script.write_text(blocks("python", "Roles in a program")[0], encoding="utf-8")
    tasks = ["ps 0", "worker 1", "worker 0"]
    done = shell("\n".join(f"python roles.py {task} &" for task in tasks) + "\nwait", folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert done.stdout.splitlines() == ["100 [[1. 2. 3.]]"] * 2
    assert [path.name for path in (folder / "line").iterdir()] == ["model-100.params"]
