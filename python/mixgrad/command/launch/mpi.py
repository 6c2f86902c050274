"""Servers and workers by one ``mpirun``: ``mixgrad join`` takes role and number from MPI's variables."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import shutil
import subprocess
import sys

from ...base import InvalidArgumentError
from ...distributed._address import numeric
from ...distributed._port import HeldPort
from ...distributed._processes import serving_command
from ...distributed._tasks import port_of
from .local import pairs, watching
from .ssh import own_host_towards, read_machines

__all__ = ["launch"]


def _exports(names: list[str]) -> list[str]:
    """How mpirun is told to hand on variables: Open MPI names each, MPICH and its kin hand on all."""
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" in version or "OpenRTE" in version:
        return [word for name in names for word in ("-x", name)]
    if "HYDRA" in version or "Intel" in version:
        return []
    raise InvalidArgumentError(
        f"[launch] `mpirun --version` says {version.strip()[:60]!r}; expected Open MPI, MPICH or Intel MPI"
    )


def launch(given: argparse.Namespace, servers: int) -> int:
    """Runs the scheduler here and mpirun for all others; returns the exit code."""
    if shutil.which("mpirun") is None:
        raise InvalidArgumentError("[launch] there is no mpirun on PATH; expected Open MPI or MPICH")
    host = given.host or ("127.0.0.1" if not given.hostfile else "")
    if not host:
        first = read_machines(given.hostfile)[0].host
        host = own_host_towards(first) if servers > 0 else first
    host = numeric(host, "launch")
    with contextlib.ExitStack() as stack:
        # Without servers it is worker 0 that listens, perhaps elsewhere.
        port = stack.enter_context(HeldPort(host)).number if servers > 0 else port_of(secrets.token_hex(8))
        job = stack.enter_context(watching())
        more = {
            "DMLC_NUM_WORKER": str(given.num_workers),
            "DMLC_NUM_SERVER": str(servers),
            "DMLC_PS_ROOT_URI": host,
            "DMLC_PS_ROOT_PORT": str(port),
            "DMLC_JOB_CLUSTER": "mpi",
            **({"MIXGRAD_KEYS": os.path.abspath(given.keys)} if given.keys else {}),
            **pairs(given.env),
        }
        shared = {**os.environ, **more}
        here = {"DMLC_ROLE": "scheduler", "MIXGRAD_NUMBER": "0", "MIXGRAD_SERVING": "1"}
        if servers > 0:
            job.add("scheduler", serving_command(), {**shared, **here})
        names = [name for name in shared if name.startswith(("DMLC_", "MIXGRAD_", "MXNET_", "OMP_"))]
        names += [name for name in ("PYTHONPATH", "LD_LIBRARY_PATH", "PATH") if name in shared]
        words = ["mpirun", "-n", str(servers + given.num_workers)]
        words += ["--hostfile", given.hostfile] if given.hostfile else []
        words += _exports(sorted({*names, *more}))
        words += [given.python or sys.executable, "-m", "mixgrad", "join", "--", *given.command]
        job.add("workers", words, shared)
        return job.watch(0)
