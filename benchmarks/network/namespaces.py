"""Machines as network namespaces: each has its own interface, and a link of a chosen speed to a switch."""

from __future__ import annotations

import os
import subprocess
from types import TracebackType

__all__ = ["Machines", "missing"]


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)


def missing() -> str:
    """What this system lacks for them; empty: nothing."""
    name = f"mg{os.getpid()}-try"
    try:
        _run("ip", "netns", "add", name)
    except FileNotFoundError:
        return "there is no ip (iproute2)"
    except subprocess.CalledProcessError as error:
        return f"network namespaces are not allowed: {error.stderr.strip()}"
    try:
        _run("ip", "-n", name, "link", "add", "veth0", "type", "veth", "peer", "name", "veth1")
        _run("ip", "-n", name, "link", "add", "switch", "type", "bridge")
        _run("tc", "-n", name, "qdisc", "add", "dev", "veth0", "root", *_TOKENS, "rate", "100mbit")
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        return f"veth, bridge or tbf is not there: {getattr(error, 'stderr', error)}".strip()
    finally:
        _run("ip", "netns", "del", name)
    return ""


# A queue of 20 ms, as a switch of that speed has it, and bursts of four packets of the largest size.
_TOKENS = ("tbf", "burst", "256kb", "latency", "20ms")


class Machines:
    """So many of them, with the addresses 10.77.0.1, 10.77.0.2, ..."""

    def __init__(self, count: int, megabits: float, delay_ms: float) -> None:
        self.count = count
        self.has_delay = False
        self._prefix = f"mg{os.getpid()}"
        hub = f"{self._prefix}-hub"
        self._names = [hub]
        try:
            _run("ip", "netns", "add", hub)
            _run("ip", "-n", hub, "link", "add", "switch", "type", "bridge")
            _run("ip", "-n", hub, "link", "set", "switch", "up")
            for i in range(count):
                self._add(i, hub, megabits, delay_ms)
        except BaseException as error:
            self.close()
            if isinstance(error, subprocess.CalledProcessError):
                raise RuntimeError(f"{' '.join(error.cmd)}: {error.stderr.strip()}") from error
            raise

    def _add(self, number: int, hub: str, megabits: float, delay_ms: float) -> None:
        name = self.name(number)
        _run("ip", "netns", "add", name)
        self._names.append(name)
        port = f"port{number}"
        peer = ("peer", "name", "eth0", "netns", name)
        _run("ip", "-n", hub, "link", "add", port, "type", "veth", *peer)
        _run("ip", "-n", hub, "link", "set", port, "master", "switch", "up")
        _run("ip", "-n", name, "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            _run("ip", "-n", name, "link", "set", device, "up")
        for place, device in ((name, "eth0"), (hub, port)):  # what it sends, and what it is sent
            self._shape(place, device, megabits, delay_ms)

    def _shape(self, place: str, device: str, megabits: float, delay_ms: float) -> None:
        root = ("tc", "-n", place, "qdisc", "add", "dev", device, "root")
        rate = f"{megabits:g}mbit"
        delay = ("delay", f"{delay_ms / 2:g}ms")
        try:
            _run(*root, "handle", "1:", "netem", "rate", rate, *delay, "limit", "1000")
            self.has_delay = True
        except subprocess.CalledProcessError:  # a kernel without netem: the rate alone
            _run(*root, *_TOKENS, "rate", rate)

    def name(self, number: int) -> str:
        """The namespace of a machine."""
        return f"{self._prefix}-{number}"

    def address(self, number: int) -> str:
        """Where the others find it."""
        return f"10.77.0.{number + 1}"

    def close(self) -> None:
        """Take them down."""
        for name in self._names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
        self._names = []

    def __enter__(self) -> Machines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
