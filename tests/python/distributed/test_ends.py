"""How processes of a store end, under which numbers they come, and which keys they take."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from distributed.test_training import LIMIT, end_all, launch, start_all

import mixgrad as mx

LEAVES = """
import sys, pathlib
import mixgrad as mx

def main():
    kv = mx.kv.create("dist_sync")
    kv.init("a", mx.nd.zeros((3,)))
    first_time = pathlib.Path(sys.argv[1])
    if kv.rank == 1 and not first_time.exists():
        first_time.touch()
        {ends}
    out = mx.nd.zeros((3,))
    for step in range(kv.rounds_done, 3):
        kv.push("a", mx.nd.ones((3,)) * (step + 1))
        kv.pull("a", out=out)
        assert (out.asnumpy() == 2 * (step + 1)).all(), out.asnumpy()
    print(f"worker {{kv.rank}} is content\\n", end="", flush=True)

main()
"""


@pytest.mark.parametrize("ends", ["sys.exit(3)", "raise SystemExit('so it ends')", "exit(4)"])
def test_who_ends_with_a_code_is_waited_for(ends: str, tmp_path: Path) -> None:
    script = tmp_path / "ends.py"
    script.write_text(LEAVES.format(ends=ends), encoding="utf-8")
    done = launch(str(script), str(tmp_path / "seen"), workers=2, options=("--restarts", "1"))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == ["worker 0 is content", "worker 1 is content"], done.stdout


@pytest.mark.parametrize("where", ["module", "function", "exit"])
def test_an_update_that_failed_is_an_exit_code(where: str, tmp_path: Path) -> None:
    script = tmp_path / "fails.py"
    body = [
        "kv = mx.kv.create('dist_sync')",
        "kv.init('w', mx.nd.ones((2,)))",
        "kv.barrier()",
        "kv.push('w', mx.nd.ones((2,))) if kv.rank == 0 else time.sleep(11)",
    ]
    in_function = ["def main():", *("    " + line for line in body), "main()"]
    lines = ["import mixgrad as mx, sys, time", *(body if where == "module" else in_function)]
    script.write_text("\n".join([*lines, *(["sys.exit(0)"] if where == "exit" else []), ""]))
    done = launch(str(script), workers=2, servers=1, MIXGRAD_TIME_LIMIT="6")
    assert done.returncode == 1, done.stderr
    assert "worker:0 ended with code 1" in done.stderr
    assert "an update of key 'w' failed" in done.stderr and "worker:1" in done.stderr, done.stderr


def test_leave_tells_of_what_failed(tmp_path: Path) -> None:
    script = tmp_path / "told.py"
    script.write_text(
        "import mixgrad as mx, time\nkv = mx.kv.create('dist_sync')\nkv.init('w', mx.nd.ones((2,)))\n"
        "kv.barrier()\n"
        "if kv.rank == 0:\n    kv.push('w', mx.nd.ones((2,)))\n    try:\n        kv.leave()\n"
        "    except mx.MXNetError as error:\n        print(error, flush=True)\n"
        "else:\n    time.sleep(10)\n"
    )
    done = launch(str(script), workers=2, servers=1, MIXGRAD_TIME_LIMIT="6")
    assert done.returncode == 0, done.stderr
    assert "worker:1" in done.stdout and "'w'" in done.stdout


def test_an_interrupted_barrier_counts_once(tmp_path: Path) -> None:
    script = tmp_path / "interrupted.py"
    script.write_text(
        "import mixgrad as mx, os, signal, threading, time\n"
        "kv = mx.kv.create('dist_sync')\nkv.init('w', mx.nd.ones((2,)))\nkv.barrier()\n"
        "if kv.rank == 0:\n"
        "    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "    try:\n        kv.barrier()\n        print('passed ', end='', flush=True)\n"
        "    except KeyboardInterrupt:\n        print('interrupted ', end='', flush=True)\n"
        "else:\n    time.sleep(1.5)\n"
        "kv.barrier()\nbegin = time.monotonic()\n"
        "time.sleep(1 if kv.rank else 0)\nkv.barrier()\n"
        "waited = kv.rank or time.monotonic() - begin > 0.7\n"
        "print('waited ' if waited else 'hurried ', end='', flush=True)\n"
    )
    done = launch(str(script), workers=2, servers=1)
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["interrupted", "waited", "waited"], done.stdout


def test_two_processes_of_one_number(tmp_path: Path) -> None:
    script = tmp_path / "all.py"
    script.write_text("import mixgrad as mx\nmx.kv.create('dist_sync')\n")
    processes = start_all(script, {}, numbered=True)
    second = None
    try:
        processes.pop().kill()  # in place of worker 1 there is another worker 0
        environment = Path(f"/proc/{processes[2].pid}/environ").read_bytes().split(b"\0")
        pairs = dict(word.decode().split("=", 1) for word in environment if word)
        second = subprocess.Popen([sys.executable, str(script)], env=pairs, stderr=subprocess.PIPE, text=True)
        limit = time.monotonic() + LIMIT
        workers = [processes[2], second]
        while all(worker.poll() is None for worker in workers):
            assert time.monotonic() < limit
            time.sleep(0.05)
        (ended,) = [worker for worker in workers if worker.poll() is not None]
        _, errors = ended.communicate(timeout=LIMIT)
        assert "expected one process for each number" in errors, errors
    finally:
        for process in [*processes, *([second] if second else [])]:
            process.kill()
            process.communicate()


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("MIXGRAD_NUMBER", "2", "MIXGRAD_NUMBER is 2 in a store of 2 workers; expected 0 to 1"),
        ("MIXGRAD_ROUNDS", "first:9", "first:9' in a store of 2 workers; expected at most first:2"),
        ("MIXGRAD_LEAVE_LIMIT", "soon", "MIXGRAD_LEAVE_LIMIT is 'soon'"),
        ("MIXGRAD_MEMORY", "much", "MIXGRAD_MEMORY is 'much'"),
    ],
)
def test_variables_that_do_not_fit_the_store(
    name: str, value: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_worker(monkeypatch, **{name: value})
    with pytest.raises(ValueError, match=text):
        mx.kv.create("dist_sync")


def set_worker(monkeypatch: pytest.MonkeyPatch, **more: str) -> None:
    variables = {
        "DMLC_ROLE": "worker",
        "DMLC_NUM_WORKER": "2",
        "DMLC_NUM_SERVER": "1",
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": "9999",
        "MIXGRAD_NUMBER": "1",
    }
    for name, value in {**variables, **more}.items():
        monkeypatch.setenv(name, value)


def test_keys_that_others_may_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mixgrad.command import main

    folder = tmp_path / "keys"
    assert main(["keys", str(folder), "-n", "2", "-s", "1"]) == 0
    set_worker(monkeypatch, MIXGRAD_KEYS=str(folder))
    for path, mode, good in ((folder, 0o777, 0o700), (folder / "public.txt", 0o666, 0o644)):
        path.chmod(mode)
        with pytest.raises(ValueError, match="may be changed by others"):
            mx.kv.create("dist_sync")
        path.chmod(good)
    open_folder = tmp_path / "open"
    open_folder.mkdir()
    open_folder.chmod(0o777)
    assert main(["keys", str(open_folder), "-n", "1", "-s", "1"]) == 1
    assert list(open_folder.iterdir()) == []


def test_values_beyond_the_memory_of_servers(tmp_path: Path) -> None:
    script = tmp_path / "large.py"
    script.write_text(
        "import mixgrad as mx\nkv = mx.kv.create('dist_sync')\n"
        "try:\n    kv.init('w', mx.nd.ones((1000,)))\n"
        "except ValueError as error:\n    print(error, flush=True)\n"
    )
    done = launch(str(script), workers=1, servers=1, MIXGRAD_MEMORY="6000")
    assert "'w'" in done.stdout and "needs 8000 bytes" in done.stdout, done.stdout + done.stderr


# A process that becomes a server runs the mixgrad that it was importing, with the flags that it had.
def test_a_server_keeps_the_paths_of_its_script(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "json.py").write_text("raise RuntimeError('this is not the library')\n")
    script = tmp_path / "all.py"
    script.write_text(
        f"import sys\nsys.path.append({str(tmp_path / 'other')!r})\n"
        "import mixgrad as mx\nkv = mx.kv.create('dist_sync')\nkv.barrier()\n"
    )
    assert end_all(start_all(script, {"PYTHONPATH": os.environ.get("PYTHONPATH", "")})) == [0] * 4
