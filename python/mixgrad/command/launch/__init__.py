"""Start the scheduler, servers and workers of a distributed training, and end them together."""

from __future__ import annotations

import argparse

from ...base import UnsupportedError
from ..console import at_least, port_number, positive, process_count, server_count
from . import kubernetes, local, mpi, slurm, ssh

__all__ = ["act", "add_arguments"]

_LAUNCHERS = {"local": local, "ssh": ssh, "mpi": mpi, "slurm": slurm}
_ABSENT = ("sge", "yarn")  # that MXNet has


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments: those of MXNet's tools/launch.py, and more."""
    add = parser.add_argument
    add("-n", "--num-workers", type=process_count, required=True, help="number of worker processes")
    add(
        "-s",
        "--num-servers",
        type=server_count,
        help="number of server processes; as many as workers if not given; 0: workers alone, of a collective "
        "store",
    )
    add("--launcher", choices=[*_LAUNCHERS, *_ABSENT], default="local", help="how to start them")
    add("-H", "--hostfile", help="machines, one a line, for --launcher ssh and mpi")
    add(
        "--host",
        help="address of this machine, where the scheduler listens, or without servers of the first worker's "
        "machine; not with --launcher local",
    )
    add("--keys", help="folder of keys that every machine sees, for --launcher mpi and slurm")
    add("--python", help="Python of the other machines; the path of this one if not given")
    add("--sync-dst-dir", help="as in MXNet; always refused")
    add("--env", action="append", default=[], metavar="NAME=VALUE", help="for every process")
    add(
        "--env-server",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="for servers and the scheduler",
    )
    add("--env-worker", action="append", default=[], metavar="NAME=VALUE", help="for workers")
    add(
        "--restarts",
        type=at_least(0),
        default=0,
        help="how often processes that fail are started again, in all; for --launcher local and ssh",
    )
    add(
        "--snapshots",
        metavar="FOLDER",
        help="folder where servers keep what they have: servers that all end go on from there",
    )
    add(
        "--snapshot-seconds",
        type=positive,
        metavar="SECONDS",
        help="how often a server writes its values there; 60 if not given",
    )
    add(
        "--snapshot-sync",
        choices=("none", "snapshot", "step"),
        help="what waits until it is on the disk, should the machine lose its power; snapshot if not given",
    )
    add(
        "--metrics-port",
        type=port_number,
        help="where the scheduler shows its numbers for mixgrad top; the ports after it are the others'",
    )
    add("--trace", metavar="FOLDER", help="where each process writes what it did, for mixgrad trace")
    add("--manifest", choices=["kubernetes"], help="start nothing, and print a manifest")
    add("--image", help="the image of containers, for --manifest")
    add("--name", default="mixgrad", help="what the objects of a manifest are called (default: mixgrad)")
    add("command", nargs=argparse.REMAINDER, help="the workers' command and its arguments")


def _refuse(given: argparse.Namespace) -> None:
    how = given.launcher
    if how in _ABSENT:
        raise UnsupportedError(
            f"[launch] the launcher {how!r} is not built; expected {', '.join(_LAUNCHERS)}, or processes "
            "started by other means with the variables that docs/kvstore.md lists"
        )
    if given.sync_dst_dir:
        raise UnsupportedError(
            "[launch] --sync-dst-dir: no files are copied to other machines; expected a folder that all see"
        )
    for option, takers in {
        "hostfile": ("ssh", "mpi"),
        "host": ("ssh", "mpi", "slurm"),
        "keys": ("mpi", "slurm"),
        "python": ("ssh", "mpi", "slurm"),
        "restarts": ("local", "ssh"),
        "metrics_port": ("local",),
        "trace": ("local",),
        "snapshots": ("local",),
        "snapshot_seconds": ("local",),
        "snapshot_sync": ("local",),
        "env_server": ("local", "ssh"),
        "env_worker": ("local", "ssh"),
    }.items():
        if getattr(given, option) and how not in takers:
            raise UnsupportedError(
                f"[launch] --launcher {how} does not take --{option.replace('_', '-')}; expected "
                f"{' or '.join(takers)}"
            )
    if given.num_servers == 0:
        for option in ("restarts", "snapshots", "snapshot_seconds"):
            if getattr(given, option):
                raise UnsupportedError(
                    f"[launch] --{option.replace('_', '-')} is for stores with servers: workers of a "
                    "collective store end together; expected --num-servers"
                )
    if how == "ssh" and not given.hostfile:
        raise SystemExit("mixgrad launch: --launcher ssh needs --hostfile, the machines one a line")


def act(given: argparse.Namespace) -> None:
    """Runs the processes; ends with the code of the first that failed, and of all others with it."""
    if given.command[:1] == ["--"]:
        given.command = given.command[1:]
    if not given.command:
        raise SystemExit("mixgrad launch: got no command; expected that of a worker, such as python train.py")
    servers = given.num_workers if given.num_servers is None else given.num_servers
    if given.manifest:
        if servers == 0:
            raise UnsupportedError("[launch] a manifest has a scheduler and servers; expected --num-servers")
        print(kubernetes.manifest(given, servers), end="")
        return
    _refuse(given)
    raise SystemExit(_LAUNCHERS[given.launcher].launch(given, servers))
