"""Make the keys by which processes of a distributed store on several machines know each other."""

from __future__ import annotations

import argparse

from .. import _core
from ..kvstore import _zeromq
from .console import process_count, server_count, show_json

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("folder", help="new folder: public.txt for all machines, a secret for each process")
    parser.add_argument(
        "-n", "--num-workers", type=process_count, required=True, help="how many workers there are"
    )
    parser.add_argument(
        "-s",
        "--num-servers",
        type=server_count,
        help="how many servers; as many as workers if not given, 0 for a collective store",
    )


def act(given: argparse.Namespace) -> None:
    """Writes the files, secrets for their owner alone; those that are there are not touched."""
    servers = given.num_workers if given.num_servers is None else given.num_servers
    _zeromq.load()
    _core.kvstore_make_keys(given.folder, given.num_workers, servers)
    if given.json:
        show_json({"folder": given.folder, "workers": given.num_workers, "servers": servers})
    else:
        print(f"{given.folder}: keys of the scheduler, {servers} servers and {given.num_workers} workers")
