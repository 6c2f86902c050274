"""Leaving with work queued: every state of the programs in tests/leaving, in C and Python.

tests/soak/leaving.py has all languages and 2,000 processes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mixgrad as mx

sys.path.insert(0, str(Path(__file__).parents[2]))

from leaving import programs

ROOT = Path(__file__).parents[3]
LIBRARY = Path(mx.__file__).parent
TIMES = 1


def _run_all(runs: list[programs.Program], times: int) -> list[str]:
    plan = [(program, state) for program in runs for state in program.states] * times
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return [text for text in pool.map(lambda item: item[0].run(item[1]), plan) if text]


def _code_of(program: str) -> int:
    return subprocess.run([sys.executable, "-c", program], check=False).returncode


@pytest.mark.skipif(shutil.which("c++") is None, reason="this machine has no C++ compiler")
def test_c_programs_leave_with_their_own_code(tmp_path: Path) -> None:
    runs = programs.c_programs(tmp_path, LIBRARY)
    assert sum(len(program.states) for program in runs) >= 30
    assert _run_all(runs, TIMES) == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="this machine has no C compiler")
def test_python_programs_leave_with_their_own_code(tmp_path: Path) -> None:
    runs = programs.python_programs(tmp_path, LIBRARY)
    assert sum(len(program.states) for program in runs) >= 30
    assert _run_all(runs, TIMES) == []


def test_the_shortest_program_leaves() -> None:
    program = "import mixgrad as mx; a = mx.nd.ones((1500, 1500)); b = mx.nd.dot(a, a)"
    assert [_code_of(program) for _ in range(3)] == [0, 0, 0]


def test_a_daemon_thread_in_a_wait_does_not_end_the_process() -> None:
    program = """
import mixgrad as mx, threading, sys
a = mx.nd.ones((1500, 1500))
for _ in range(10):
    b = mx.nd.dot(a, a)
for wait in (b.wait_to_read, b.asnumpy, mx.nd.waitall):
    threading.Thread(target=wait, daemon=True).start()
sys.exit(7)
"""
    assert _code_of(program) == 7


def test_a_file_that_a_thread_writes_is_finished(tmp_path: Path) -> None:
    program = """
import mixgrad as mx, os, sys, threading, time
values = [mx.nd.ones((1000, 1000)) + i for i in range(20)]
threading.Thread(target=lambda: mx.nd.save(sys.argv[1], values), daemon=True).start()
while not os.listdir(sys.argv[2]):
    time.sleep(0.001)
"""
    path = tmp_path / "many.params"
    subprocess.run([sys.executable, "-c", program, str(path), str(tmp_path)], check=True)
    assert [file.name for file in tmp_path.iterdir()] == ["many.params"]
    assert len(mx.nd.load(str(path))) == 20


@pytest.mark.parametrize("first", ["", "import mixgrad\n"], ids=["alone", "beside the main interpreter's"])
def test_subinterpreters_are_refused(first: str) -> None:
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    pytest.importorskip(name)
    made = 'create("legacy")' if sys.version_info >= (3, 13) else "create(isolated=False)"
    program = f"""
import {name} as interpreters
number = interpreters.{made}
interpreters.run_string(number, '''
try:
    import mixgrad
except ImportError as error:
    print(error, flush=True)
''')
"""
    done = subprocess.run(
        [sys.executable, "-c", first + program], capture_output=True, text=True, timeout=60, check=True
    )
    assert "expected the main interpreter" in done.stdout, done.stdout + done.stderr


def test_nothing_of_the_library_is_destroyed_at_exit() -> None:
    """Threads may still use it: no object registers a destructor, but for the exit work itself."""
    objects = sorted((ROOT / "build" / "release" / "CMakeFiles" / "mixgrad_objects.dir").rglob("*.o"))
    if not objects or shutil.which("nm") is None:
        pytest.skip("there is no build of the library here, or no nm")
    lines = subprocess.run(["nm", "-A", "-u", *objects], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"/([^/]+)\.o:\s+U (?:__cxa_atexit|atexit)$", lines, re.MULTILINE)
    assert sorted(set(found)) == ["at_exit.cc"]
