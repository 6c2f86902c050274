#!/usr/bin/env python3
"""Rounds of stores between processes of this machine, beside others: push gradients, pull sums.

    store_rounds.py [--workers 2] [--servers 2] [--seconds 3] [--mxnet PYTHON] [--keys] [--zeromq]
    store_rounds.py --collective [--workers 2] [--seconds 3] [--gloo PYTHON] [--mpi PYTHON] [--keys]

Every worker pushes an array of each size and pulls the sum of all workers' into another one, without
optimiser, one round after the other; 8 keys at once beside 1, as layers of a network are. A worker's rate is
twice the bytes of its arrays (there and back) by the median time of a round. The first form is of stores
of type `dist_sync`. With --collective there are no servers, and pushpull is one call; gloo is that of
PyTorch (all_reduce, in place), MPI that of mpi4py (Allreduce), whose mpirun lies beside its Python. With
--keys processes prove who they are, and what travels by network is encrypted; the others cannot. With
--zeromq also stores of the first form without links between processes of one machine, as between machines.
Beside the first form stand two rates of plain TCP at 4 MB: of one process that sends to another one, and of
a worker when as many workers and servers as those of the stores exchange the same bytes, each way.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import importlib
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SIZES = {"4 KB": 1 << 10, "4 MB": 1 << 20, "64 MB": 1 << 24}  # float32 elements
KEYS = (1, 8)


def measure(go: Callable[[], Any], agree: Callable[[float], float], seconds: float) -> float:
    """Median time in seconds of a round; `agree` gives all workers the number of rank 0."""
    times: list[float] = []
    # All workers make the same number of rounds: as many as fit into the time by the first ones of rank 0.
    total = 12
    while len(times) < total:
        start = time.perf_counter()
        go()
        times.append(time.perf_counter() - start)
        if len(times) == 8:
            total = max(12, min(int(agree(seconds / statistics.median(times))), 20000))
    return statistics.median(times[8:])


def rounds(mx: Any, store: Any, elements: int, keys: int, seconds: float, first: int) -> tuple[float, float]:
    """The time of a round of so many keys, which are numbered from `first` on, and the sum of ones."""
    names = list(range(first, first + keys))
    # Zeros, for MXNet's pull also writes into the array that was pushed.
    sent = [mx.nd.zeros((elements,)) for _ in names]
    got = [mx.nd.zeros((elements,)) for _ in names]
    store.init(names, got)
    mx.nd.waitall()

    def go() -> None:
        if store.type == "collective":
            store.pushpull(names, sent, out=got)
        else:
            store.push(names, sent)
            store.pull(names, out=got)
        for array in got:
            array.wait_to_read()

    def agree(number: float) -> float:
        votes = mx.nd.array([number])
        store.init(first + 500, votes)
        store.pull(first + 500, out=votes)
        return float(votes.asscalar())

    found = measure(go, agree, seconds)
    sent = [mx.nd.ones((elements,)) for _ in names]
    go()
    return found, float(got[0][elements - 1 :].asscalar())


def rounds_of_gloo(elements: int, keys: int, seconds: float) -> tuple[float, float]:
    import torch
    from torch import distributed

    arrays = [torch.zeros(elements) for _ in range(keys)]

    def go() -> None:
        for work in [distributed.all_reduce(array, async_op=True) for array in arrays]:
            work.wait()

    def agree(number: float) -> float:
        votes = torch.tensor([number])
        distributed.broadcast(votes, 0)
        return float(votes)

    found = measure(go, agree, seconds)
    arrays[0].fill_(1)
    go()
    return found, float(arrays[0][-1])


def rounds_of_mpi(elements: int, keys: int, seconds: float) -> tuple[float, float]:
    import numpy as np
    from mpi4py import MPI

    everybody = MPI.COMM_WORLD
    sent = [np.zeros(elements, "float32") for _ in range(keys)]
    got = [np.zeros(elements, "float32") for _ in range(keys)]

    def go() -> None:
        MPI.Request.Waitall([everybody.Iallreduce(one, two) for one, two in zip(sent, got)])

    def go_alone() -> None:
        everybody.Allreduce(sent[0], got[0])

    found = measure(go_alone if keys == 1 else go, everybody.bcast, seconds)
    sent[0][:] = 1
    go()
    return found, float(got[0][-1])


def work(library: str, kind: str, seconds: float) -> None:
    """What a worker does; rank 0 prints."""
    store: Any = None
    if library == "gloo":
        from torch import distributed, set_num_threads

        set_num_threads(1)
        distributed.init_process_group("gloo")
        rank, workers = distributed.get_rank(), distributed.get_world_size()
    elif library == "mpi":
        from mpi4py import MPI

        rank, workers = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
    else:
        mx = importlib.import_module(library)
        store = mx.kv.create(kind)
        rank, workers = store.rank, store.num_workers
    found, first = [], 0
    for name, elements in SIZES.items():
        for keys in KEYS:
            if elements * keys > 1 << 24:
                continue
            if library == "gloo":
                seen, value = rounds_of_gloo(elements, keys, seconds)
            elif library == "mpi":
                seen, value = rounds_of_mpi(elements, keys, seconds)
            else:
                seen, value = rounds(mx, store, elements, keys, seconds, first)
            if value != workers:
                raise SystemExit(f"the sum of {workers} ones is {value}")
            found.append((name, elements * 4, keys, seen))
            first += 1000
    if rank == 0:
        print(json.dumps(found), flush=True)
    if library == "mixgrad":
        store.leave()
    if library == "gloo":
        distributed.destroy_process_group()


def free_port() -> int:
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        return int(port.getsockname()[1])


def in_child(work: Callable[[], object]) -> int:
    """The number of a process that does the work and ends, with 1 where it failed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def tcp_rate(size: int) -> float:
    """Bytes per second of plain TCP between two processes here, one way: the median of ten runs of 64 MB."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen(1)

        def receive() -> None:
            with socket.create_connection(door.getsockname()) as there:
                room = memoryview(bytearray(size))
                while there.recv_into(room) > 0:
                    pass

        child = in_child(receive)
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


def read_all(connection: socket.socket, room: memoryview) -> bool:
    """False where the other side has closed before."""
    while len(room) > 0:
        found = connection.recv_into(room)
        if found == 0:
            return False
        room = room[found:]
    return True


def serve_tcp(door: socket.socket, workers: int, size: int) -> None:
    """Gets so many bytes and sends as many back, to each worker in a thread, until all have closed."""

    def answer(connection: socket.socket) -> None:
        with connection:
            room = memoryview(bytearray(size))
            while read_all(connection, room):
                connection.sendall(room)

    threads = [threading.Thread(target=answer, args=(door.accept()[0],)) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def exchange_tcp(addresses: list[tuple[str, int]], size: int, rounds: int) -> float:
    """The median time of a round of a worker: a part to each server and as much back, all at a time."""
    connections = [socket.create_connection(address) for address in addresses]
    data, rooms = bytes(size), [memoryview(bytearray(size)) for _ in addresses]

    def go(connection: socket.socket, room: memoryview) -> None:
        connection.sendall(data)
        if not read_all(connection, room):
            raise ConnectionError("a server of the exchange by plain TCP has closed")

    times = []
    with concurrent.futures.ThreadPoolExecutor(len(addresses)) as threads:
        for _ in range(rounds):
            start = time.perf_counter()
            list(threads.map(go, connections, rooms))
            times.append(time.perf_counter() - start)
    for connection in connections:
        connection.close()
    return statistics.median(times[rounds // 5 :])


def tcp_exchange_rate(workers: int, servers: int, size: int, rounds: int = 200) -> float:
    """Bytes per second that a worker sends, and gets, by plain TCP: an array in equal parts to all servers.

    Nothing is added up or kept twice: what processes that only copy through sockets reach here.
    """
    part = size // servers
    doors, children = [], []
    for _ in range(servers):
        door = socket.create_server(("127.0.0.1", 0), backlog=workers)
        doors.append(door)
        children.append(in_child(functools.partial(serve_tcp, door, workers, part)))
    addresses = [door.getsockname() for door in doors]
    for _ in range(workers - 1):
        children.append(in_child(functools.partial(exchange_tcp, addresses, part, rounds)))
    seconds = exchange_tcp(addresses, part, rounds)
    for child in children:
        if os.waitpid(child, 0)[1] != 0:
            raise SystemExit("a process of the exchange by plain TCP failed")
    for door in doors:
        door.close()
    return part * servers / seconds


def run_mpi(python: str, command: list[str], workers: int) -> list[Any]:
    """All processes by mpirun; what rank 0 printed."""
    mpirun = Path(python).parent / "mpirun"
    words = [str(mpirun), "--allow-run-as-root", "--oversubscribe", "-n", str(workers), *command]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, timeout=600)
    return list(json.loads(next(line for line in done.stdout.splitlines() if line.startswith("[["))))


def run(
    library: str, python: str, given: argparse.Namespace, keys: Path | None, links: bool = True
) -> list[Any]:
    """All processes of one store; what rank 0 printed."""
    servers = 0 if given.collective else given.servers
    kind = "collective" if given.collective else "dist_sync"
    command = [python, __file__, "--work", library, "--kind", kind, "--seconds", str(given.seconds)]
    if library == "mpi":
        return run_mpi(python, command, given.workers)
    common = {
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(free_port()),
        "DMLC_NUM_WORKER": str(given.workers),
        "DMLC_NUM_SERVER": str(servers),
        "OMP_NUM_THREADS": "1",
        "MIXGRAD_LINKS": "1" if links else "0",
    }
    if library == "mxnet":
        common["DMLC_INTERFACE"] = "lo"
    if keys is not None:
        common["MIXGRAD_KEYS"] = str(keys)
    if library == "gloo":
        common["MASTER_ADDR"], common["MASTER_PORT"] = "127.0.0.1", str(free_port())
        common["WORLD_SIZE"] = str(given.workers)
    roles = [] if given.collective else [("scheduler", 0)]
    roles += [("server", i) for i in range(servers)] + [("worker", i) for i in range(given.workers)]
    processes = []
    for role, number in roles:
        variables = {**os.environ, **common, "DMLC_ROLE": role}
        if library == "mixgrad":
            variables["MIXGRAD_NUMBER"] = str(number)
        if library == "gloo":
            variables["RANK"] = str(number)
        output = subprocess.PIPE if role == "worker" else subprocess.DEVNULL
        serve = [python, "-c", f"import {library}"]
        processes.append(
            subprocess.Popen(
                command if role == "worker" else serve, env=variables, stdout=output, text=True, cwd=ROOT
            )
        )
    try:
        printed = [process.communicate(timeout=600)[0] for process in processes[-given.workers :]]
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
    parser.add_argument("--collective", action="store_true", help="stores without servers")
    parser.add_argument("--gloo", metavar="PYTHON", help="of an environment with PyTorch")
    parser.add_argument("--mpi", metavar="PYTHON", help="of an environment with mpi4py, mpirun beside it")
    parser.add_argument("--work", metavar="LIBRARY", help=argparse.SUPPRESS)
    parser.add_argument("--kind", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.kind, given.seconds)
        return
    if given.mxnet if given.collective else given.gloo or given.mpi:
        parser.error("--gloo and --mpi are for --collective, and --mxnet is not")
    results = {"mixgrad": run("mixgrad", sys.executable, given, None)}
    if given.zeromq:
        results["ZeroMQ"] = run("mixgrad", sys.executable, given, None, links=False)
    if given.keys:
        with tempfile.TemporaryDirectory() as folder:
            make = [sys.executable, "-m", "mixgrad", "keys", folder]
            make += ["-n", str(given.workers), "-s", str(0 if given.collective else given.servers)]
            subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
            results["keys"] = run("mixgrad", sys.executable, given, Path(folder))
            if given.zeromq:
                results["encrypted"] = run("mixgrad", sys.executable, given, Path(folder), links=False)
    if given.mxnet:
        results["MXNet"] = run("mxnet", given.mxnet, given, None)
    if not given.collective:
        print(f"plain TCP, one way: {1e-9 * tcp_rate(4 << 20):.2f} GB/s at 4 MB")
        exchanged = tcp_exchange_rate(given.workers, given.servers, 4 << 20)
        print(f"plain TCP, each way of a worker in the same exchange: {1e-9 * exchanged:.2f} GB/s at 4 MB")
    for name, python in (("gloo", given.gloo), ("mpi", given.mpi)):
        if python:
            results[{"mpi": "MPI"}.get(name, name)] = run(name, python, given, None)
    servers = 0 if given.collective else given.servers
    print(f"{given.workers} workers, {servers} servers; ms of a round (GB/s of a worker, both ways)")
    print("| array | keys | " + " | ".join(results) + " |")
    print("|---|" + "---|" * (1 + len(results)))
    for rows in zip(*results.values(), strict=True):
        name, size, keys, _ = rows[0]
        cells = [f"{1e3 * row[3]:.2f} ({2e-9 * size * keys / row[3]:.3f})" for row in rows]
        print(f"| {name} | {keys} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
