"""Readers on paths that are no ordinary files: ``python odd_paths.py FOLDER``.

Prints a line per reader and path. A read that waits is ended by a signal, and so is the process.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mixgrad as mx
from mixgrad.command import main as command_line
from mixgrad.command.image import read_input

WAIT_S = 10.0  # after which a read counts as one that never ends
WORK_S = 1.0  # of processor time, which a busy machine does not lengthen
TAIL = "-0001.params"  # which load_params puts behind a prefix


def _odd(folder: Path, good: bytes) -> Iterator[tuple[str, str]]:
    """Kind of path, and a path."""

    def at(name: str) -> str:
        return str(folder / (name + TAIL))

    os.mkfifo(at("pipe"))
    yield "a pipe", at("pipe")
    for device in ("zero", "full", "random", "tty"):
        os.symlink(f"/dev/{device}", at(device))
        yield f"/dev/{device}", at(device)
    os.mkdir(at("folder"))
    yield "a folder", at("folder")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(at("socket"))
    yield "a socket", at("socket")
    os.symlink(at("loop"), at("loop"))
    yield "a loop of links", at("loop")
    os.symlink(at("nothing"), at("dangling"))
    yield "a link to nothing", at("dangling")
    yield "missing", at("missing")
    Path(at("empty")).touch()
    yield "empty", at("empty")
    with open(at("sparse"), "wb") as file:
        file.truncate(1 << 40)
    yield "a hole of a terabyte", at("sparse")
    Path(at("locked")).write_bytes(good)
    os.chmod(at("locked"), 0)
    yield "unreadable", at("locked")
    yield "a slash behind", at("empty") + "/"
    yield "inside of a file", at("empty") + "/file" + TAIL
    yield "a zero byte", at("zero\0byte")
    yield "a name too long", at("n" * 300)
    for name in ("line\nbreak", os.fsdecode(b"not \xff UTF-8"), "\x1b[31mred"):
        Path(at(name)).write_bytes(good)
        yield f"a name {name!r}", at(name)
    with _changing(at("growing"), good, shrinks=False):
        yield "growing", at("growing")
    with _changing(at("shrinking"), good * 64, shrinks=True):
        yield "shrinking", at("shrinking")
    descriptor = os.open(at("deleted"), os.O_RDWR | os.O_CREAT)
    os.write(descriptor, good)
    os.remove(at("deleted"))
    os.symlink(f"/proc/self/fd/{descriptor}", at("gone"))
    yield "deleted while open", at("gone")
    os.symlink("/proc/self/mem", at("memory"))
    yield "/proc/self/mem", at("memory")


@contextlib.contextmanager
def _changing(path: str, good: bytes, shrinks: bool) -> Iterator[None]:
    """A file that another thread lengthens, or shortens and lengthens, all the time."""
    Path(path).write_bytes(good)
    stop = threading.Event()

    def change() -> None:
        with open(path, "r+b") as file:
            while not stop.is_set():
                if shrinks:
                    file.truncate(100)
                    file.truncate(len(good))
                elif file.seek(0, os.SEEK_END) < 1 << 26:
                    file.write(b"1,2\n" * 1000)
                time.sleep(0.0001)

    thread = threading.Thread(target=change, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _states(path: str) -> None:
    store = mx.kv.create("local")
    store.set_optimizer(mx.optimizer.SGD())
    store.load_optimizer_states(path)


def _beside_a_symbol(path: str) -> str:
    """The prefix of a checkpoint whose parameters the path are; its symbol, which is read first, is there."""
    prefix = path[: -len(TAIL)]
    symbol = f"{prefix}-symbol.json"
    if path.endswith(TAIL) and "\0" not in path and os.path.isdir(os.path.dirname(prefix)):
        with contextlib.suppress(OSError):  # it is there, or the name is too long
            os.symlink(Path(os.path.dirname(prefix), "model-symbol.json"), symbol)
    return prefix


def _command(*words: str) -> None:
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        command_line(list(words))


def _pixels(path: str, suffix: str) -> Any:
    named = Path(path.replace("\0", "")[:200] + suffix)
    if not os.path.lexists(named):
        os.symlink(path.rstrip("/"), named)
    return read_input(named, mx.model.InputFormat("data", (1, 3, 2, 2)))


READERS: dict[str, Callable[[str], Any]] = {
    "nd.load": mx.nd.load,
    "nd.load of a URI": lambda path: mx.nd.load("file://" + path),
    "sym.load": mx.sym.load,
    "load_checkpoint": lambda path: mx.model.load_checkpoint(_beside_a_symbol(path), 1),
    "load_params": lambda path: mx.model.load_params(path[: -len(TAIL)], 1),
    "optimizer states": _states,
    "load_packed": mx.model.load_packed,
    "CSVIter": lambda path: mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=1),
    "LibSVMIter": lambda path: mx.io.LibSVMIter(data_libsvm=path, data_shape=(2,), batch_size=1),
    "MNISTIter": lambda path: mx.io.MNISTIter(image=path, label=path, batch_size=1),
    "mixgrad inspect": lambda path: _command("inspect", path),
    "mixgrad run": lambda path: _command("run", path, path),
    "a .npy file": lambda path: _pixels(path, ".npy"),
    "an image": lambda path: _pixels(path, ".png"),
    "download": lambda path: mx.test_utils.download("file://" + path, path + ".copy", overwrite=True),
}


def main(folder: Path) -> int:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=1, name="fc")
    weights = {"fc_weight": mx.nd.ones((1, 3)), "fc_bias": mx.nd.ones((1,))}
    mx.model.save_checkpoint(str(folder / "model"), 1, net, weights, {})
    pack = ("pack", str(folder / "model"), "--input", "data=1,3", "--labels")
    READERS["labels of mixgrad pack"] = lambda path: _command(*pack, path)
    good = mx.nd.save_tobuffer({"arg:w": mx.nd.ones((2, 2))})
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    count = 0
    for kind, path in _odd(folder, good):
        for reader, read in READERS.items():
            print(f"{reader} of {kind}", flush=True)
            signal.setitimer(signal.ITIMER_REAL, WAIT_S)
            began = time.thread_time()
            # What an odd path gives is an error of these, or what is there.
            with contextlib.suppress(OSError, ValueError, KeyError, mx.MXNetError, MemoryError):
                read(path)
            worked = time.thread_time() - began
            signal.setitimer(signal.ITIMER_REAL, 0)
            count += 1
            if worked > WORK_S:
                print(f"worked {worked:.1f} s")
                return 1
    assert stat.S_ISFIFO(os.stat(folder / ("pipe" + TAIL)).st_mode)
    print(f"{count} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
