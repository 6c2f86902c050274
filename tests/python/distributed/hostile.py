"""What strangers do to the ports of a store: scan them, say nothing, half a greeting, nonsense, read slowly.

hostile.py SECONDS CONNECTIONS PORT... does all of it at once, and says on its output what it did.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import socket
import sys
import time
from pathlib import Path

# ZMTP 3.1, NULL: what a peer of the store would begin with.
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x01" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x26\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity\x00\x00\x00\x00"
KINDS = ("idle", "half", "greets", "nonsense", "slow")
LIVES = 4.0  # seconds; a node ends connections that say nothing after 5


def ports_of(process: int) -> list[int]:
    """Where a process listens on loopback."""
    sockets = set()
    for name in os.listdir(f"/proc/{process}/fd"):
        try:
            target = os.readlink(f"/proc/{process}/fd/{name}")
        except OSError:
            continue
        if target.startswith("socket:["):
            sockets.add(target[8:-1])
    ports = []
    for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and fields[9] in sockets:
            ports.append(int(fields[1].rpartition(":")[2], 16))
    return ports


class Stranger:
    """One connection, which does what its kind does and is then replaced."""

    def __init__(self, kind: str, port: int) -> None:
        self.kind, self.since = kind, time.monotonic()
        self.socket = socket.socket()
        if kind == "slow":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):  # it goes on in the background
            self.socket.connect(("127.0.0.1", port))

    def begin(self) -> None:
        """Says what it has to say; the connection is there."""
        said = {
            "idle": b"",
            "half": GREETING[: random.randrange(1, 30)],
            "greets": GREETING,
            "nonsense": random.randbytes(300),
            "slow": GREETING + READY,
        }[self.kind]
        if said:
            with contextlib.suppress(OSError):  # the node may have ended it
                self.socket.send(said)

    def close(self) -> None:
        self.socket.close()


def attack(seconds: float, count: int, ports: list[int]) -> dict[str, int]:
    """`count` connections at each moment, and twenty that are closed at once in each second."""
    done = dict.fromkeys((*KINDS, "scanned"), 0)
    end, next_scan = time.monotonic() + seconds, 0.0
    strangers: list[Stranger] = []
    while (now := time.monotonic()) < end:
        for one in [one for one in strangers if now - one.since > LIVES]:
            one.close()
            strangers.remove(one)
        fresh = []
        # Not all in one moment: a flood of connections is another attack.
        for _ in range(min(count - len(strangers), max(1, count // 40))):
            kind = KINDS[sum(done.values()) % len(KINDS)]
            fresh.append(Stranger(kind, random.choice(ports)))
            done[kind] += 1
        if fresh:
            select.select([], [one.socket for one in fresh], [], 0.02)
            for one in fresh:
                one.begin()
            strangers += fresh
        if now >= next_scan:
            next_scan = now + 0.05
            with socket.socket() as scan:
                scan.settimeout(0.5)
                with contextlib.suppress(OSError):  # a port that is full is what a scan finds
                    scan.connect(("127.0.0.1", random.choice(ports)))
            done["scanned"] += 1
        time.sleep(0.02)
    for one in strangers:
        one.close()
    return done


if __name__ == "__main__":
    print(attack(float(sys.argv[1]), int(sys.argv[2]), [int(word) for word in sys.argv[3:]]), flush=True)
