#!/usr/bin/env python3
"""Rounds of a `dist_sync` store between processes of this machine, beside MXNet: push gradients, pull sums.

    store_rounds.py [--workers 2] [--servers 2] [--seconds 3] [--mxnet PYTHON] [--keys] [--zeromq]

Every worker pushes an array of each size and pulls the sum of all workers' into another one, without
optimiser, one round after the other; 8 keys at once beside 1, as layers of a network are. A worker's rate is
twice the bytes of its arrays (there and back) by the median time of a round. With --keys processes prove
who they are; MXNet's cannot. With --zeromq also without links between processes of one machine, as between
machines: then what goes under keys is encrypted.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SIZES = {"4 KB": 1 << 10, "4 MB": 1 << 20, "64 MB": 1 << 24}  # float32 elements
KEYS = (1, 8)


def rounds(mx: Any, store: Any, elements: int, keys: int, seconds: float, first: int) -> float:
    """Median time in seconds of a round of so many keys, which are numbered from `first` on."""
    names = list(range(first, first + keys))
    # Zeros, for MXNet's pull also writes into the array that was pushed.
    sent = [mx.nd.zeros((elements,)) for _ in names]
    got = [mx.nd.zeros((elements,)) for _ in names]
    store.init(names, got)
    mx.nd.waitall()
    times = []
    count = 0
    # All workers make the same number of rounds: as many as fit into the time by the first ones of rank 0.
    total = 12
    while count < total:
        start = time.perf_counter()
        store.push(names, sent)
        store.pull(names, out=got)
        for array in got:
            array.wait_to_read()
        times.append(time.perf_counter() - start)
        count += 1
        if count == 8:
            votes = mx.nd.array([seconds / statistics.median(times) if store.rank == 0 else 0.0])
            store.init(first + 500, votes)
            store.pull(first + 500, out=votes)
            total = max(12, min(int(votes.asscalar()), 20000))
    store.push(names, [mx.nd.ones((elements,)) for _ in names])
    store.pull(names, out=got)
    value = float(got[0][elements - 1 :].asscalar())
    if value != store.num_workers:
        raise SystemExit(f"the sum of {store.num_workers} ones is {value}")
    return statistics.median(times[8:])


def work(library: str, seconds: float) -> None:
    """What a worker does; rank 0 prints."""
    mx = importlib.import_module(library)
    store = mx.kv.create("dist_sync")
    found, first = [], 0
    for name, elements in SIZES.items():
        for keys in KEYS:
            if elements * keys > 1 << 24:
                continue
            found.append((name, elements * 4, keys, rounds(mx, store, elements, keys, seconds, first)))
            first += 1000
    if store.rank == 0:
        print(json.dumps(found), flush=True)
    if library == "mixgrad":
        store.leave()


def free_port() -> int:
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        return int(port.getsockname()[1])


def tcp_rate(size: int) -> float:
    """Bytes per second of plain TCP between two processes here, one way: the median of ten runs of 64 MB."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(1)
        child = os.fork()
        if child == 0:
            with socket.create_connection(door.getsockname()) as there:
                room = memoryview(bytearray(size))
                while there.recv_into(room) > 0:
                    pass
            os._exit(0)
        here, _ = door.accept()
    data, times = bytes(size), []
    with here:
        for _ in range(11):
            start = time.perf_counter()
            for _ in range(max(1, (64 << 20) // size)):
                here.sendall(data)
            times.append(time.perf_counter() - start)
    os.waitpid(child, 0)
    return max(1, (64 << 20) // size) * size / statistics.median(times[1:])


def run(
    library: str, python: str, given: argparse.Namespace, keys: Path | None, links: bool = True
) -> list[Any]:
    """All processes of one store; what rank 0 printed."""
    common = {
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(free_port()),
        "DMLC_NUM_WORKER": str(given.workers),
        "DMLC_NUM_SERVER": str(given.servers),
        "OMP_NUM_THREADS": "1",
        "MIXGRAD_LINKS": "1" if links else "0",
    }
    if library == "mxnet":
        common["DMLC_INTERFACE"] = "lo"
    if keys is not None:
        common["MIXGRAD_KEYS"] = str(keys)
    command = [python, __file__, "--work", library, "--seconds", str(given.seconds)]
    roles = [("scheduler", 0)]
    roles += [("server", i) for i in range(given.servers)] + [("worker", i) for i in range(given.workers)]
    processes = []
    for role, number in roles:
        variables = {**os.environ, **common, "DMLC_ROLE": role}
        if library == "mixgrad":
            variables["MIXGRAD_NUMBER"] = str(number)
        output = subprocess.PIPE if role == "worker" else subprocess.DEVNULL
        serve = [python, "-c", f"import {library}"]
        processes.append(
            subprocess.Popen(
                command if role == "worker" else serve, env=variables, stdout=output, text=True, cwd=ROOT
            )
        )
    try:
        printed = [process.communicate(timeout=600)[0] for process in processes[1 + given.servers :]]
    finally:
        for process in processes:
            if process.poll() is None and library == "mixgrad":
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
            elif process.poll() is None:
                process.kill()
            process.wait()
    lines = [line for text in printed for line in text.splitlines() if line.startswith("[[")]
    if not lines:
        raise SystemExit(f"{library}: no worker came to its end")
    return list(json.loads(lines[0]))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each size")
    parser.add_argument("--mxnet", metavar="PYTHON", help="of an environment with MXNet 1.9.1")
    parser.add_argument("--keys", action="store_true", help="also with keys")
    parser.add_argument("--zeromq", action="store_true", help="also without links")
    parser.add_argument("--work", metavar="LIBRARY", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.seconds)
        return
    results = {"mixgrad": run("mixgrad", sys.executable, given, None)}
    if given.zeromq:
        results["ZeroMQ"] = run("mixgrad", sys.executable, given, None, links=False)
    if given.keys:
        with tempfile.TemporaryDirectory() as folder:
            make = [sys.executable, "-m", "mixgrad", "keys", folder]
            make += ["-n", str(given.workers), "-s", str(given.servers)]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
            results["keys"] = run("mixgrad", sys.executable, given, Path(folder))
            if given.zeromq:
                results["encrypted"] = run("mixgrad", sys.executable, given, Path(folder), links=False)
    if given.mxnet:
        results["MXNet"] = run("mxnet", given.mxnet, given, None)
    print(f"plain TCP, one way: {1e-9 * tcp_rate(4 << 20):.2f} GB/s at 4 MB")
    print(f"{given.workers} workers, {given.servers} servers; ms of a round (GB/s of a worker, both ways)")
    print("| array | keys | " + " | ".join(results) + " |")
    print("|---|" + "---|" * (1 + len(results)))
    for rows in zip(*results.values(), strict=True):
        name, size, keys, _ = rows[0]
        cells = [f"{1e3 * row[3]:.2f} ({2e-9 * size * keys / row[3]:.3f})" for row in rows]
        print(f"| {name} | {keys} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
