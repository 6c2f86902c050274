"""All processes by one ``srun``: ``mixgrad join`` takes role and number from Slurm's variables."""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from ...base import InvalidArgumentError
from .local import pairs, watching

__all__ = ["launch"]


def launch(given: argparse.Namespace, servers: int) -> int:
    """Runs srun with a task for the scheduler, each server and each worker; returns its exit code."""
    if shutil.which("srun") is None:
        raise InvalidArgumentError("[launch] there is no srun on PATH; expected that of Slurm")
    words = ["srun", f"--ntasks={servers + given.num_workers + (servers > 0)}", "--kill-on-bad-exit=1"]
    words += [given.python or sys.executable, "-m", "mixgrad", "join", "-s", str(servers)]
    words += ["--host", given.host] if given.host else []
    words += ["--keys", os.path.abspath(given.keys)] if given.keys else []
    with watching() as job:
        job.add("workers", [*words, "--", *given.command], {**os.environ, **pairs(given.env)})
        return job.watch(0)
