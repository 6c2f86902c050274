"""The machine that measures: what it is, and how busy it is with other things."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any, Optional


def cores() -> int:
    """Processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def describe(root: Path) -> dict[str, Any]:
    """Processor, cores, memory, system and the commit that is measured."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        memory = 0
    command = ["git", "-C", str(root), "describe", "--always", "--dirty"]
    try:
        commit = subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    except OSError:
        commit = ""
    return {
        "processor": model,
        "cores": cores(),
        "memory": memory,
        "system": f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver())}".rstrip(", "),
        "commit": commit,
        "date": time.strftime("%Y-%m-%d"),
    }


class Others:
    """How many cores other processes took since this was made; None where the system does not say."""

    def __init__(self) -> None:
        self._start = self._now()

    @staticmethod
    def _now() -> Optional[tuple[float, float, float]]:
        """Seconds on the clock, of all processors, of this process and its finished children."""
        try:
            fields = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()[1:9]
        except OSError:
            return None
        user, nice, system, _, _, irq, softirq, steal = map(int, fields)
        busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
        return time.monotonic(), busy, sum(os.times()[:4])

    def cores(self) -> Optional[float]:
        now = self._now()
        if now is None or self._start is None:
            return None
        elapsed, busy, own = (b - a for a, b in zip(self._start, now))
        return max(0.0, (busy - own) / elapsed) if elapsed > 0 else 0.0
