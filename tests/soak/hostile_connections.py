"""Strangers at the ports of a store: how much longer the rounds of honest workers take.

python tests/soak/hostile_connections.py [SECONDS [CONNECTIONS]]

Two workers and two servers, rounds of 64 KB; five seconds each in peace, under attack, and while the same
attack goes to ports of nobody, which takes its share of this machine as well; in turn. Ends with 1 where the
median round takes 10% longer under attack than in the last case.
"""

from __future__ import annotations

import contextlib
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))
sys.path.insert(0, str(ROOT / "soak"))
from distributed import hostile  # noqa: E402
from distributed_kills import children  # noqa: E402

WORKER = """
import sys, time
import mixgrad as mx
kv = mx.kv.create("dist_sync")
value = mx.nd.ones((16384,))
kv.init("w", value)
end = time.monotonic() + float(sys.argv[1])
with open(f"{sys.argv[2]}.{kv.rank}", "w") as file:
    while True:
        begin = time.monotonic()
        kv.push("w", value)
        kv.pull("w", out=value)
        mx.nd.waitall()
        value = mx.nd.ones((16384,))
        file.write(f"{begin} {time.monotonic() - begin}\\n")
        if begin >= end:
            break
kv.leave()
"""


PHASE = 5.0  # seconds


def decoy() -> socket.socket:
    """A port where nobody does anything."""
    port = socket.socket()
    port.bind(("127.0.0.1", 0))
    port.listen(4096)
    return port


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 50
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        script, times = Path(folder) / "worker.py", Path(folder) / "times"
        script.write_text(WORKER)
        words = [sys.executable, "-m", "mixgrad", "launch", "-n", "2", "-s", "2", sys.executable, str(script)]
        environment = {**os.environ, "MIXGRAD_ROUNDS": "drop"}  # the one that ends first is not waited for
        with subprocess.Popen([*words, str(seconds), str(times)], env=environment) as launcher:
            first = Path(f"{times}.0")
            while not first.exists() or first.stat().st_size == 0:
                time.sleep(0.05)
                assert launcher.poll() is None, "the training did not begin"
            there = children(launcher.pid)
            ports = [
                port for name, one in there.items() if "worker" not in name for port in hostile.ports_of(one)
            ]
            times_of: dict[str, list[tuple[float, float]]] = {"peace": [], "decoy": [], "attack": []}
            done = dict.fromkeys((*hostile.KINDS, "scanned"), 0)
            end = time.monotonic() + seconds - 3 * PHASE
            while time.monotonic() < end:
                for phase, spans in times_of.items():
                    begin = time.monotonic()
                    if phase == "peace":
                        time.sleep(PHASE)
                    elif phase == "decoy":
                        with contextlib.ExitStack() as stack:
                            decoys = [stack.enter_context(decoy()) for _ in ports]
                            hostile.attack(PHASE, count, [one.getsockname()[1] for one in decoys])
                    else:
                        for kind, more in hostile.attack(PHASE, count, ports).items():
                            done[kind] += more
                    # Until all connections stand, and what was before is over.
                    spans.append((begin + PHASE / 2, time.monotonic()))
            launcher.wait()
        rounds = [tuple(map(float, line.split())) for line in first.read_text().splitlines()]
        took = {
            phase: [took for at, took in rounds if any(begin <= at < stop for begin, stop in spans)]
            for phase, spans in times_of.items()
        }
    print(f"{len(ports)} ports, {count} connections at a time: {done}")
    median = {phase: statistics.median(times) for phase, times in took.items()}
    for phase, times in took.items():
        print(f"{phase}: a round takes {1e6 * median[phase]:.0f} us, of {len(times)}")
    change = 100 * (median["attack"] / median["decoy"] - 1)
    print(f"{change:+.1f}%")
    return 0 if launcher.returncode == 0 and change < 10 else 1


if __name__ == "__main__":
    sys.exit(main())
