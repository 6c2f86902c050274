"""Stand-ins for programs that start processes on many machines; each runs them on this one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# What ssh does with a machine's name: nothing here. Each call's words are noted, to be looked at.
SSH = """#!/bin/sh
echo "$*" >> "{noted}"
while [ $# -gt 1 ]; do shift; done
exec sh -c "$1"
"""

# mpirun and srun: all tasks at once, the first bad exit ends the others.
MANY = """#!{python}
import os, subprocess, sys, time
name, words = {name!r}, sys.argv[1:]
if words == ["--version"]:
    print("mpirun (Open MPI) 4.1.4")
    raise SystemExit
open({noted!r}, "a").write(" ".join(words) + "\\n")
count, exported = 0, []
while words and words[0].startswith("-"):
    word = words.pop(0)
    if word == "-n":
        count = int(words.pop(0))
    elif word.startswith("--ntasks="):
        count = int(word.partition("=")[2])
    elif word == "-x":
        exported.append(words.pop(0))
    elif word == "--hostfile":
        words.pop(0)
tasks = []
for i in range(count):
    environment = dict(os.environ)
    if name == "mpirun":  # nothing but what was asked for travels
        environment = {{one: environment[one] for one in exported if one in environment}}
        environment |= {{"OMPI_COMM_WORLD_RANK": str(i), "OMPI_COMM_WORLD_SIZE": str(count)}}
    else:
        environment |= {{"SLURM_PROCID": str(i), "SLURM_NTASKS": str(count), "SLURM_STEP_ID": "0"}}
        environment |= {{"SLURM_JOB_ID": str(os.getpid()), "SLURM_STEP_NODELIST": "node7"}}
    tasks.append(subprocess.Popen(words, env=environment))
code = 0
while tasks:
    time.sleep(0.02)
    for task in list(tasks):
        if task.poll() is not None:
            tasks.remove(task)
            code = code or task.returncode
    if code:
        [task.terminate() for task in tasks]
raise SystemExit(code)
"""


def on_path(folder: Path, name: str) -> tuple[dict[str, str], Path]:
    """An environment whose PATH has the stand-in, and the file where it notes its words."""
    noted = folder / f"{name}.noted"
    text = SSH.format(noted=noted) if name == "ssh" else MANY
    if name != "ssh":
        text = text.format(python=sys.executable, name=name, noted=str(noted))
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(text, encoding="utf-8")
    program.chmod(0o755)
    return {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}, noted
