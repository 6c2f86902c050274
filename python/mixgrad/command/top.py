"""Show what the processes of a distributed training do: updates, rates, rounds, who is behind."""

from __future__ import annotations

import argparse
import http.client
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ..base import MXNetError
from ..kvstore._metrics import port_of
from .console import heading, port_number, positive, process_count, show, show_json

__all__ = ["act", "add_arguments"]

_SECONDS = 2.0  # for an answer
_LINE = re.compile(r"mixgrad_(\w+)\{[^}]*\} ([-+.\w]+)")
_BEHIND = 2  # rounds; a worker that is so far behind the first is called a straggler


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add = parser.add_argument
    add("--port", type=port_number, required=True, help="MIXGRAD_METRICS_PORT of the training")
    add("--host", default="127.0.0.1", help="where its processes listen (default: 127.0.0.1)")
    add(
        "-n",
        "--num-workers",
        type=process_count,
        help="how many workers; asked of the scheduler if not given",
    )
    add("-s", "--num-servers", type=process_count, help="how many servers")
    add("--every", type=positive, default=1.0, metavar="SECONDS", help="seconds between tables (default: 1)")
    add("--once", action="store_true", help="one table, of the rates of one such time")


def _ask(host: str, port: int) -> dict[str, float] | None:
    """The numbers of a process; None if none answers there."""
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        text = answer.read(1 << 20).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return {name: float(value) for name, value in _LINE.findall(text)} if answer.status == 200 else None


class _Cluster:
    def __init__(self, given: argparse.Namespace) -> None:
        self._host, self._port = given.host, given.port
        counts = {"workers": given.num_workers, "servers": given.num_servers}
        if None in counts.values():
            known = _ask(given.host, given.port)
            if known is None or not {"workers", "servers"} <= known.keys():
                raise MXNetError(
                    f"[top] no scheduler answers at {given.host}:{given.port}; expected a training with "
                    f"MIXGRAD_METRICS_PORT={given.port}, or -n and -s"
                )
            counts = {name: int(value or known[name]) for name, value in counts.items()}
        servers, workers = counts["servers"], counts["workers"]
        self.names = [("scheduler", 0), *(("server", i) for i in range(servers))]
        self.names += [("worker", i) for i in range(workers)]
        self._ports = [port_of(given.port, role, number, servers) for role, number in self.names]

    def ask(self) -> tuple[float, list[dict[str, float] | None]]:
        with ThreadPoolExecutor(min(len(self._ports), 32)) as pool:
            answers = list(pool.map(lambda port: _ask(self._host, port), self._ports))
        return time.monotonic(), answers


def rows_of(
    names: list[tuple[str, int]],
    before: list[dict[str, float] | None],
    now: list[dict[str, float] | None],
    seconds: float,
) -> list[dict[str, Any]]:
    """A row for each process, of what it said at two times."""
    rounds = [one["rounds"] for (role, _), one in zip(names, now) if one and role == "worker"]
    first = max(rounds, default=0)
    rows: list[dict[str, Any]] = []
    for (role, number), old, new in zip(names, before, now):
        row: dict[str, Any] = {"process": role if role == "scheduler" else f"{role}:{number}"}
        rows.append(row)
        row["state"] = "silent" if new is None else "up"
        if new is None or role == "scheduler":
            continue
        row["keys"], row["rounds"] = int(new["keys"]), int(new["rounds"])
        what = ("pushes_total", "pushed_bytes_total", "pulled_bytes_total")
        if role == "server":
            what = ("updates_total", "updated_bytes_total", "")
        is_same = old is not None and old["uptime_seconds"] <= new["uptime_seconds"]
        for column, name in zip(("updates_per_second", "bytes_in_per_second", "bytes_out_per_second"), what):
            if name and old is not None and is_same:
                row[column] = (new.get(name, 0) - old.get(name, 0)) / seconds
        if role == "worker":
            # What a worker sends comes out of it; what it pulls goes in.
            row["bytes_in_per_second"], row["bytes_out_per_second"] = (
                row.get("bytes_out_per_second"),
                row.get("bytes_in_per_second"),
            )
            row["lag"] = int(first - new["rounds"])
            if row["lag"] >= _BEHIND:
                row["state"] = "straggler"
    return rows


_COLUMNS = {
    "process": "PROCESS",
    "state": "STATE",
    "keys": "KEYS",
    "rounds": "ROUNDS",
    "lag": "LAG",
    "updates_per_second": "UPDATES/S",
    "bytes_in_per_second": "MB IN/S",
    "bytes_out_per_second": "MB OUT/S",
}


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name.startswith("bytes"):
        return f"{value / 1e6:.3f}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _print(rows: list[dict[str, Any]]) -> None:
    texts = [[_cell(name, row.get(name)) for name in _COLUMNS] for row in rows]
    widths = [max(map(len, column)) for column in zip(_COLUMNS.values(), *texts)]

    def line(cells: list[str]) -> str:
        return "  ".join(
            cell.rjust(width) if i > 1 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(cells, widths))
        )

    heading(line(list(_COLUMNS.values())))
    for text in texts:
        show(line(text))


def act(given: argparse.Namespace) -> None:
    """Prints tables until it is interrupted or nobody answers any more."""
    cluster = _Cluster(given)
    begin, before = cluster.ask()
    while True:
        time.sleep(given.every)
        now, answers = cluster.ask()
        rows = rows_of(cluster.names, before, answers, now - begin)
        if given.json:
            show_json(rows)
        else:
            _print(rows)
        if given.once or all(answer is None for answer in answers):
            return
        print(flush=True)
        sys.stdout.flush()
        begin, before = now, answers
