"""mx.processes.run: workers, what they return and raise, and how their deaths are told."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from process_work import METHODS, count_to, count_up, fail, leave, program, square

import mixgrad as mx
from mixgrad import nd

pytestmark = pytest.mark.usefixtures("nothing_stays")


@pytest.mark.parametrize("method", METHODS)
def test_what_workers_return(method):
    assert mx.processes.run(square, (1,), 4, method=method) == [1, 2, 5, 10]
    counts = nd.zeros((3,)).share_memory_()
    results = mx.processes.run(count_to, (counts, 20), 3, method=method)
    assert all(one is counts for one in results)
    assert counts.asnumpy().tolist() == [20, 20, 20]


@pytest.mark.parametrize("method", METHODS)
def test_what_a_worker_raises_ends_the_others(method):
    start = time.monotonic()
    with pytest.raises(KeyError, match="the second") as found:
        mx.processes.run(fail, count=3, method=method)
    assert "raise KeyError" in str(found.value.__cause__) and time.monotonic() - start < 30


def test_a_worker_that_exits():
    with pytest.raises(
        mx.processes.WorkerDiedError, match=r"worker 1 \(process \d+\) ended with status 3"
    ) as found:
        mx.processes.run(leave, count=2)
    assert "signal 9" not in str(found.value)


def test_a_script_that_starts_workers_when_it_is_imported(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import mixgrad as mx\nmx.processes.run(len, ((),), 1, method='spawn')\n")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    said = ended.stderr.strip().splitlines()[-1]
    assert "ended with status 1" in said and "below if __name__ == '__main__'" in said, said


def test_a_time_that_is_over():
    with pytest.raises(TimeoutError, match=r"workers \[0, 2\] have not ended within 2 s"):
        mx.processes.run(_slow_but_one, count=3, method="fork", timeout=2)
    with pytest.raises(ValueError, match="count is 0"):
        mx.processes.run(square, count=0)


def _slow_but_one(number):
    if number != 1:
        time.sleep(100)


def _kill_one_later(pids, number, seconds, done):
    """Kills a worker some time after it has begun."""
    while pids.asnumpy()[number] == 0:
        time.sleep(0.002)
    time.sleep(seconds)
    done.append((int(pids.asnumpy()[number]), time.monotonic()))
    os.kill(done[0][0], signal.SIGKILL)


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_worker_is_an_error_that_names_it(method):
    rng = np.random.default_rng(3)
    for number in range(2):
        counts, pids = nd.zeros((3,)).share_memory_(), nd.zeros((3,), dtype="int32").share_memory_()
        done = []
        killer = threading.Thread(target=_kill_one_later, args=(pids, number, rng.uniform(0, 0.05), done))
        killer.start()
        with pytest.raises(mx.processes.WorkerDiedError) as found:
            mx.processes.run(count_up, (counts, pids), 3, method=method)
        assert time.monotonic() - done[0][1] < 30
        assert f"worker {number} (process {done[0][0]}) was ended by signal 9 (SIGKILL)" in str(found.value)
        assert "for want of memory" in str(found.value)
        killer.join()
        assert not any(_lives(int(pid)) for pid in pids.asnumpy() if pid)


def test_others_may_go_on():
    counts, pids = nd.zeros((3,)).share_memory_(), nd.zeros((3,), dtype="int32").share_memory_()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        results = mx.processes.run(_end_first, (counts, pids), 3, method="fork", survive=True)
    assert results == [None, 1, 2] and counts.asnumpy()[1:].tolist() == [50, 50]
    (warning,) = [str(one.message) for one in told if one.category is RuntimeWarning]
    assert "worker 0" in warning and "SIGKILL" in warning and "others go on" in warning
    with (
        pytest.warns(RuntimeWarning, match="others go on"),
        pytest.raises(mx.processes.WorkerDiedError, match=r"worker 0 .*; worker 1|worker 1 .*; worker 0"),
    ):
        mx.processes.run(_end_all, count=2, method="fork", survive=True)


def _end_first(number, counts, pids):
    if number == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    count_to(number, counts, 50)
    return number


def _end_all(number):
    os.kill(os.getpid(), signal.SIGKILL)


def _lives(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("method", METHODS)
def test_workers_end_with_a_program_that_is_killed(method):
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    one = context.Process(target=program, args=(theirs,))
    one.start()
    pids = ours.recv()
    while (pids.asnumpy() == 0).any():
        time.sleep(0.01)
    found = [int(pid) for pid in pids.asnumpy()]
    assert all(map(_lives, found))
    one.kill()
    one.join()
    deadline = time.monotonic() + 60
    while any(map(_lives, found)):
        assert time.monotonic() < deadline, f"workers {found} outlive their program"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"count": "2"}, "expected a whole number of at least 1"),
        ({"count": 1.5}, "expected a whole number of at least 1"),
        ({"timeout": -1}, "expected seconds, 0 or more"),
        ({"timeout": float("nan")}, "expected seconds, 0 or more"),
        ({"method": "thread"}, "expected one of"),
    ],
)
def test_arguments(words, text):
    with pytest.raises(ValueError, match=text):
        mx.processes.run(square, (1,), **words)


def test_what_cannot_be_called():
    with pytest.raises(TypeError, match="expected a callable"):
        mx.processes.run("square")


def nested(number):
    return mx.processes.run(square, (1,))


def test_a_worker_has_no_workers():
    with pytest.raises(ValueError, match="called in a worker of another run"):
        mx.processes.run(nested, count=1, method="fork")
