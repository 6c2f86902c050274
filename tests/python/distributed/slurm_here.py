"""A Slurm cluster of this machine alone, with its own keys, folders and ports, on loopback."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

CONFIGURATION = """
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/node.pid
SlurmctldPort={controller}
SlurmdPort={node}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""
PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "srun")


def lacking() -> str:
    """Why there can be none; empty: nothing."""
    missing = [
        name for name in PROGRAMS if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None
    ]
    if missing:
        return f"Slurm is not installed: there is no {missing[0]}"
    return "" if os.geteuid() == 0 else "Slurm starts as root only"


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        several = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in several:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in several]


@contextlib.contextmanager
def running(folder: Path) -> Iterator[dict[str, str]]:
    """While it lasts, ``srun`` with these variables runs tasks here."""
    munge = folder / "munge"
    munge.mkdir(mode=0o700)
    (munge / "key").touch(mode=0o600)
    (munge / "key").write_bytes(os.urandom(128))
    for name in ("state", "spool"):
        (folder / name).mkdir()
    controller, node = free_ports(2)
    host = socket.gethostname().partition(".")[0]
    text = CONFIGURATION.format(folder=folder, host=host, controller=controller, node=node)
    (folder / "slurm.conf").write_text(text, encoding="utf-8")
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    environment["PATH"] += ":/usr/sbin"
    files = [f"--{name}-file={munge / name}" for name in ("key", "pid", "log", "seed")]
    commands = [
        ["munged", "--foreground", "--force", f"--socket={munge / 'socket'}", *files],
        ["slurmctld", "-D", "-c"],
        ["slurmd", "-D"],
    ]
    with contextlib.ExitStack() as stack, open(folder / "log", "w") as log:
        for command in commands:
            process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, start_new_session=True
            )
            stack.callback(process.wait)
            stack.callback(process.terminate)
            while command[0] == "munged" and not (munge / "socket").exists():
                assert process.poll() is None, (folder / "log").read_text()
                time.sleep(0.05)
        limit = time.monotonic() + 60
        state = ["sinfo", "--noheader", "--format=%T"]
        while (
            "idle"
            not in subprocess.run(state, env=environment, capture_output=True, text=True, check=False).stdout
        ):
            assert time.monotonic() < limit, (folder / "log").read_text()
            time.sleep(0.2)
        yield {"SLURM_CONF": environment["SLURM_CONF"]}
