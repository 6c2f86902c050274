"""Every writer: whole files or none, whatever the target is, whatever happens to process and disk."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core, _files

sys.path.insert(0, str(Path(__file__).parents[2]))
from files import kills

ROOT_USER = os.geteuid() == 0


def a_network() -> Any:
    return mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")


def its_weights(value: float = 1) -> dict[str, Any]:
    return {"fc_weight": mx.nd.full((2, 3), value), "fc_bias": mx.nd.full((2,), value)}


def save_states(path: Path) -> None:
    store = mx.kv.create("local")
    store.set_optimizer(mx.optimizer.SGD())
    store.save_optimizer_states(path)


WRITERS: dict[str, Callable[[Path], Any]] = {
    "nd.save": lambda path: mx.nd.save(path, its_weights()),
    "nd.save safetensors": lambda path: mx.nd.save(path, its_weights(), format="safetensors"),
    "symbol.save": lambda path: a_network().save(str(path)),
    "save_packed": lambda path: mx.model.save_packed(path, a_network(), its_weights(), {}),
    "optimizer states": save_states,
    "profiler.dump": lambda path: mx.profiler.dump(finished=False, filename=path),
    "mg_profiler_dump": lambda path: _core.profiler_dump(os.fsencode(path)),
    "plot": lambda path: mx.viz.plot_network(a_network()).save(path),
    "URI": lambda path: mx.nd.save(f"file://{path}", its_weights()),
}


@pytest.fixture(params=WRITERS)
def write(request: Any) -> Callable[[Path], Any]:
    return WRITERS[request.param]


def test_links_are_written_through_and_modes_kept(write: Callable[[Path], Any], tmp_path: Path) -> None:
    real, link, last = tmp_path / "far" / "real", tmp_path / "link", tmp_path / "link2"
    real.parent.mkdir()
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to("far/real")
    last.symlink_to(link)
    write(last)
    assert last.is_symlink() and link.is_symlink() and not real.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640 and real.read_bytes() != b"old"
    assert sorted(os.listdir(tmp_path)) == ["far", "link", "link2"] and os.listdir(real.parent) == ["real"]


def test_a_link_to_nothing_makes_what_it_points_to(write: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("new")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "new").stat().st_size > 0


def test_new_files_have_the_modes_of_the_umask(write: Callable[[Path], Any], tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(tmp_path / "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_what_is_no_file_is_refused(write: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")  # which nobody reads
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        kinds = {entry.name: entry.lstat().st_mode for entry in tmp_path.iterdir()}
        for name in kinds:
            with pytest.raises(OSError, match=name):
                write(tmp_path / name)
    assert {entry.name: entry.lstat().st_mode for entry in tmp_path.iterdir()} == kinds


def test_pipes_and_devices_stay_what_they_are(write: Callable[[Path], Any], tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe, 0o600)
    reader = threading.Thread(target=lambda: got.append(len(pipe.read_bytes())))
    reader.start()
    for _ in range(100):  # until the reader is there
        try:
            write(pipe)
            break
        except OSError as error:
            assert "nobody reads" in str(error)
            time.sleep(0.05)
    reader.join(30)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and stat.S_IMODE(pipe.stat().st_mode) == 0o600 and got[0] > 0
    assert os.listdir(tmp_path) == ["pipe"]
    if ROOT_USER:  # a device of our own: what goes wrong must not take the machine's away
        null = tmp_path / "null"
        try:
            os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, 3))
            null.write_bytes(b"")
        except OSError:
            pytest.skip("no devices may be made here")
        before = null.stat()
        write(null)
        assert (null.stat().st_mode, null.stat().st_rdev) == (before.st_mode, before.st_rdev)


def test_names_of_every_length(write: Callable[[Path], Any], tmp_path: Path) -> None:
    for name in ("a", "n" * 255, "line\nbreak", os.fsdecode(b"not \xff UTF-8")):
        write(tmp_path / name)
        assert os.listdir(tmp_path) == [name]
        os.remove(tmp_path / name)
    for wrong in (tmp_path / ("n" * 256), tmp_path / "no" / "folder"):
        with pytest.raises(OSError, match="cannot create"):
            write(wrong)
    assert os.listdir(tmp_path) == []


def test_planted_links_redirect_nothing(tmp_path: Path) -> None:
    """Names that a writer could once have chosen lead to a file of the victim."""
    victim, folder = tmp_path / "victim", tmp_path / "shared"
    folder.mkdir()
    victim.write_text("precious")
    target = folder / "w.params"
    for serial in range(3000):
        os.symlink(victim, f"{target}.tmp-{os.getpid()}-{serial}")
    mx.nd.save(target, its_weights())
    assert victim.read_text() == "precious" and not target.is_symlink()


@pytest.mark.skipif(not ROOT_USER, reason="only root may give links away")
def test_links_that_others_planted_are_not_followed(tmp_path: Path) -> None:
    victim, folder = tmp_path / "victim", tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    victim.write_text("precious")
    (folder / "w.params").symlink_to(victim)
    os.lchown(folder / "w.params", 12345, 12345)
    with pytest.raises(OSError, match="another user"):
        mx.nd.save(folder / "w.params", its_weights())
    assert victim.read_text() == "precious"
    os.lchown(folder / "w.params", 0, 0)
    mx.nd.save(folder / "w.params", its_weights())
    assert (folder / "w.params").is_symlink() and victim.read_bytes() != b"precious"


@pytest.mark.skipif(not ROOT_USER, reason="only root may give files away")
def test_owners_are_kept(tmp_path: Path) -> None:
    mx.nd.save(tmp_path / "w", its_weights())
    os.chown(tmp_path / "w", 12345, 54321)
    (tmp_path / "w").chmod(0o604)
    mx.nd.save(tmp_path / "w", its_weights())
    made = (tmp_path / "w").stat()
    assert (made.st_uid, made.st_gid, stat.S_IMODE(made.st_mode)) == (12345, 54321, 0o604)


@pytest.mark.skipif(ROOT_USER, reason="root may write everything")
def test_files_without_permission_to_write_stay(tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(b"old")
    (tmp_path / "w").chmod(0o444)
    with pytest.raises(OSError, match="Permission denied"):
        mx.nd.save(tmp_path / "w", its_weights())
    assert (tmp_path / "w").read_bytes() == b"old"


def test_standard_output_is_written_as_it_is(tmp_path: Path) -> None:
    code = (
        "import mixgrad as mx; print('before', flush=True); "
        "mx.sym.var('x').save('/dev/stdout'); print('after')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("before\n{") and done.stdout.endswith("}after\n")
    with open(tmp_path / "out", "w+") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
        out.seek(0)
        assert out.read() == done.stdout
    assert os.listdir(tmp_path) == ["out"]


# Full disks.


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def trained_module(hidden: int) -> Any:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=hidden, name="fc")
    mod = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    mod.bind([("data", (2, 4))], [("softmax_label", (2,))])
    mod.init_params()
    mod.init_optimizer()  # plain SGD: states are small
    return mod


def save_bucketing(folder: Path, hidden: int) -> None:
    def graph(key: int) -> Any:
        data = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=hidden, name="fc")
        return mx.sym.SoftmaxOutput(data, name="softmax"), ["data"], ["softmax_label"]

    mod = mx.mod.BucketingModule(graph, default_bucket_key=7)
    mod.bind([("data", (2, 4))], [("softmax_label", (2,))])
    mod.init_params()
    mod.init_optimizer()
    mod.save_checkpoint(str(folder / "net"), 1, save_optimizer_states=True)


def save_feedforward(folder: Path, hidden: int) -> None:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=hidden, name="fc")
    params = {"fc_weight": mx.nd.ones((hidden, 4)), "fc_bias": mx.nd.ones((hidden,))}
    mx.model.FeedForward(net, num_epoch=1, arg_params=params, aux_params={}).save(str(folder / "net"))


CHECKPOINTS: dict[str, Callable[[Path, int], None]] = {
    "Module": lambda folder, hidden: trained_module(hidden).save_checkpoint(str(folder / "net"), 1, True),
    "BucketingModule": save_bucketing,
    "FeedForward": save_feedforward,
}


@pytest.mark.parametrize("kind", CHECKPOINTS)
def test_checkpoints_on_a_full_disk_are_whole_or_old(kind: str, tmp_path: Path) -> None:
    for before in ({}, {"hidden": 3}):
        if before:
            CHECKPOINTS[kind](tmp_path, before["hidden"])
        old = content(tmp_path)
        with (
            files_of_at_most(64 * 1024),
            pytest.raises(OSError, match=r"net-0001\.params.* bytes: File too large"),
        ):
            CHECKPOINTS[kind](tmp_path, 100_000)
        assert content(tmp_path) == old
    CHECKPOINTS[kind](tmp_path, 4)
    assert sorted(content(tmp_path)) == sorted(old) and content(tmp_path) != old


def test_every_writer_on_a_full_disk(write: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with files_of_at_most(16), pytest.raises(OSError, match=r"file.*File too large"):
        write(tmp_path / "file")
    assert content(tmp_path) == {"file": b"old"}


FILL = """
import os, sys
import mixgrad as mx
folder = sys.argv[1]
net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
def save(size):
    weights = {"fc_weight": mx.nd.ones((2, size)), "fc_bias": mx.nd.ones((2,))}
    mx.model.save_checkpoint(folder + "/net", 1, net, weights, {})
def content():
    return {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
for size in (0, 3):
    if size:
        save(size)
    old = content()
    try:
        save(50_000)
    except OSError as error:
        assert "net-0001.params" in str(error) and "No space left" in str(error), error
    assert content() == old, (os.listdir(folder), list(old))
save(4)
print(sorted(content()))
"""


def test_a_disk_without_space(tmp_path: Path) -> None:
    mount = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=256k none "$0" && exec "$@"', str(tmp_path)]
    if shutil.which("unshare") is None or subprocess.run([*mount, "true"], check=False).returncode:
        pytest.skip("no file system may be mounted here")
    command = [*mount, sys.executable, "-c", FILL, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "['net-0001.params', 'net-symbol.json']\n"


# Files that belong together.


def test_files_written_together_appear_together(tmp_path: Path) -> None:
    with _files.together():
        mx.nd.save(tmp_path / "a", its_weights())
        with _files.together():
            mx.nd.save(tmp_path / "b", its_weights())
        assert [name for name in os.listdir(tmp_path) if not name.startswith(".")] == []
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    old = content(tmp_path)
    with pytest.raises(ValueError, match="stop"), _files.together():
        mx.nd.save(tmp_path / "a", its_weights(2))
        raise ValueError("stop")
    assert content(tmp_path) == old
    with pytest.raises(ValueError, match="no files were begun"):
        _core.files_commit()


def test_other_threads_write_at_once(tmp_path: Path) -> None:
    with _files.together():
        thread = threading.Thread(target=mx.nd.save, args=(tmp_path / "other", its_weights()))
        thread.start()
        thread.join()
        assert (tmp_path / "other").exists()


# Processes that die.


@pytest.mark.parametrize("writer", kills.WRITERS)
def test_killed_writers_leave_whole_files(writer: str, tmp_path: Path) -> None:
    kills.end_inside(tmp_path, writer)
    kills.kill_often(tmp_path, writer, 1, np.random.RandomState(0))


def test_files_of_living_writers_are_left_alone(tmp_path: Path) -> None:
    code = (
        "import sys, mixgrad as mx; from mixgrad import _files\n"
        "with _files.together():\n"
        "    mx.nd.save(sys.argv[1] + '/slow', [mx.nd.ones((2,))])\n"
        "    print('written', flush=True); sys.stdin.readline()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    living, dead = (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)
    )
    for process in (living, dead):
        assert process.stdout is not None and process.stdout.readline() == "written\n"
    assert len(os.listdir(tmp_path)) == 2
    dead.kill()
    dead.communicate()
    mx.nd.save(tmp_path / "fast", its_weights())
    left = set(os.listdir(tmp_path)) - {"fast"}
    assert len(left) == 1
    living.communicate("\n")
    assert living.returncode == 0 and sorted(os.listdir(tmp_path)) == ["fast", "slow"]


def test_only_leftovers_are_swept(tmp_path: Path) -> None:
    kept = (".hidden", ".x.mgtmp", ".w.0123abcd.mgtmp", "w.0123abcd-0123456789abcdef.mgtmp", ".w.tmp")
    for name in kept:
        (tmp_path / name).write_text("mine")
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / ".w.0123abcd-0123456789abcdef.mgtmp").symlink_to(victim)
    stale = tmp_path / ".w.0123abcd-fedcba9876543210.mgtmp"  # of another machine
    stale.write_text("half")
    mx.nd.save(tmp_path / "w", its_weights())
    assert stale.exists()
    os.utime(stale, (0, 0))
    mx.nd.save(tmp_path / "w", its_weights())
    assert not stale.exists() and victim.read_text() == "mine"
    assert all((tmp_path / name).exists() for name in kept)
