"""The benchmark runner: its command line, its reports and its statistics; nothing is timed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
BENCHMARKS = ROOT / "benchmarks"


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    # A process of its own: benchmarks/cases and tests/python/cases have one name.
    command = [sys.executable, *arguments]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=cwd, env=env, check=False, capture_output=True, text=True)


def row(title: str, ours: list[list[float]], theirs: list[list[float]], **more: Any) -> dict[str, Any]:
    libraries = {
        "mixgrad": {"title": "mixgrad", "rounds": ours, "version": "1"},
        "torch": {"title": "PyTorch", "rounds": theirs, "version": "2"},
    }
    facts = {
        "reads": 0,
        "writes": 0,
        "flops": 0,
        "goals": [{"peers": ["torch"], "ratio": 1.0, "limit": None}],
    }
    named = {"case": title, "title": title, "unit": "call", "measure": "time", "problems": []}
    return {**named, **facts, "libraries": libraries, **more}


@pytest.fixture
def result() -> dict[str, Any]:
    return {
        "format": 1,
        "machine": {"processor": "P", "cores": 2, "memory": 2**34, "system": "S", "commit": "c", "date": "d"},
        "settings": {"threads": 2, "rounds": 2, "seconds": 1.0, "warmup": 0.3, "quick": False},
        "versions": {"mixgrad": "1", "torch": "2"},
        "other_cores": 0.0,
        "ceilings": {"read 1 MB": 1e11, "copy 1 MB": 2e11, "read 100 MB": 1e10, "copy 100 MB": 1e10},
        "interrupted": False,
        "rows": [
            row("faster", [[1e-3, 1e-3], [1e-3]], [[2e-3], [3e-3]], reads=10**6),
            row("slower", [[2e-3], [2e-3]], [[1e-3], [1e-3]]),
            row("level", [[1e-3], [1e-3]], [[0.9e-3], [1.1e-3]]),
            row("dot", [[2e-3], [2e-3]], [[1e-3], [4e-3]], flops=10**9),
            row("broken", [[]], [[1e-3], [1e-3]], problems=["mixgrad: status 1"]),
        ],
    }


def test_list_names_every_case() -> None:
    done = run("benchmarks/run.py", "--list")
    assert done.returncode == 0, done.stderr
    for name in ("dispatch_chain", "engine", "elementwise", "softmax_64", "dot", "mlp", "import", "size"):
        assert f"\n{name} " in f"\n{done.stdout}"


def test_every_case_has_a_mixgrad_setup_or_a_program() -> None:
    code = (
        "from bench.case import load_cases, setup_for\n"
        "from bench.libraries import LIBRARIES\n"
        "for case in load_cases().values():\n"
        "    assert case.program or setup_for(case, 'before'), case.name\n"
        "    assert set(case.setups) <= set(LIBRARIES), case.name\n"
    )
    done = run("-c", code, cwd=BENCHMARKS)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("module", ["summary", "report", "programs"])
def test_docstring_examples(module: str) -> None:
    code = f"import doctest, bench.{module} as m; r = doctest.testmod(m); assert r.attempted and not r.failed"
    done = run("-c", code, cwd=BENCHMARKS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_measurement_prints_what_it_found() -> None:
    arguments = ("exp", "mixgrad", "--threads", "1", "--seconds", "0.001", "--warmup", "0")
    done = run("-m", "bench.measure", *arguments, cwd=BENCHMARKS)
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    assert len(got["samples"]) >= 3
    assert got["signature"][0] == 4_000_000


def test_report_into_a_page(result: dict[str, Any], tmp_path: Path) -> None:
    stored, page = tmp_path / "figures.json", tmp_path / "page.md"
    stored.write_text(json.dumps(result), encoding="utf-8")
    for _ in range(2):  # the second time replaces what the first wrote
        done = run("benchmarks/run.py", "--render", str(stored), "--output", str(page))
        assert done.returncode == 1, done.stderr  # a case is broken
    text = page.read_text(encoding="utf-8")
    assert text.count("| faster | 1.00 ms | PyTorch | 2.50 ms (2.25 to 2.75) |") == 1
    assert "| 2.50 (2.00 to 3.00) | 1 or more: yes |" in text
    assert "| 0.50 | 1 or more: no |" in text
    assert "| 1.00 (0.90 to 1.10) | 1 or more: unclear |" in text
    assert "| broken | failed |" in text
    assert "- broken: mixgrad: status 1" in text
    assert "| faster | 1.00 MB |  | 5.00 us, memory | 0% | 0% |" in text
    assert "| dot | 0 MB | 1000 M | 1.00 ms, arithmetic | 50% | 40% |" in text
    assert "do not rely" not in text
    page.write_text(f"before\n{text}after\n", encoding="utf-8")
    run("benchmarks/run.py", "--render", str(stored), "--output", str(page))
    assert page.read_text(encoding="utf-8") == f"before\n{text}after\n"


def test_page_without_markers_is_kept(result: dict[str, Any], tmp_path: Path) -> None:
    stored, page = tmp_path / "figures.json", tmp_path / "page.md"
    stored.write_text(json.dumps(result), encoding="utf-8")
    page.write_text("words\n", encoding="utf-8")
    done = run("benchmarks/run.py", "--render", str(stored), "--output", str(page))
    assert done.returncode == 2
    assert "lacks the lines" in done.stderr
    assert page.read_text(encoding="utf-8") == "words\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "nothing*"), "no case matches 'nothing*'"),
        (("--libraries", "nothing"), "no library matches 'nothing'"),
        (("--threads", "100000"), "--threads 100000; this process may use 1 to"),
        (("--rounds", "0"), "--rounds must be at least 1"),
        (("--env", "torch"), "--env takes NAME=PYTHON"),
        (
            ("--env", "torch=/nowhere/python", "--only", "exp", "--threads", "1"),
            "cannot start /nowhere/python",
        ),
        (("--before", "/nowhere"), "holds no package mixgrad"),
        (("--render", "/nowhere.json"), "No such file"),
    ],
)
def test_clear_errors(arguments: tuple[str, ...], said: str) -> None:
    done = run("benchmarks/run.py", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_memory_plans_of_all_networks() -> None:
    """No plan needs more than MXNet's of the same graph, nor 3% more than what is alive at once."""
    made = run("benchmarks/memory.py")
    assert made.returncode == 0, made.stdout[-2000:] + made.stderr
    assert made.stdout.count("\n| ") >= 40


def test_ten_machines_are_skipped_without_namespaces(tmp_path: Path) -> None:
    env = {**os.environ, "PATH": str(tmp_path)}
    script = str(BENCHMARKS / "network" / "ten_machines.py")
    done = subprocess.run([sys.executable, script], env=env, check=False, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "skipped: there is no ip (iproute2)\n", done.stderr


def test_ten_machines_report(tmp_path: Path) -> None:
    row = {"computing": 4.0, "sent": 0.0, "cores": 0.1}
    rows = [{**row, "machines": 1, "step": 4.0}, {**row, "machines": 10, "step": 5.0, "sent": 190e6}]
    model = {"bytes": 100_000_000, "rows": {"hidden": rows}}
    figures = tmp_path / "figures.json"
    figures.write_text(
        json.dumps({"machines": [1, 10], "megabits": 1000, "delay": None, "models": {"net": model}})
    )
    done = run("benchmarks/network/ten_machines.py", "--render", str(figures), "--draw", f"{tmp_path}/a.svg")
    assert done.returncode == 0, done.stderr
    # Nine tenths of 100 MB to servers, as much to workers, and a tenth to a replica.
    assert "| net | hidden (4.00 s) | 10 | 5.00 | 8.00 | 190.0 | 190.0 | 30% | 0.10 |" in done.stdout
    assert "<svg" in (tmp_path / "a.svg").read_text()
