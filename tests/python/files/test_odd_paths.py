"""Every reader gives an answer for every kind of path, soon."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "files" / "odd_paths.py"


def test_readers_answer_on_odd_paths(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(tmp_path)],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    steps = done.stdout.splitlines()
    assert done.returncode == 0, f"ended by {done.returncode} at {steps[-2:]}: {done.stderr[-2000:]}"
    assert int(steps[-1].split()[0]) >= 17 * 15


SHORTENED = """
import os, sys
import mixgrad as mx
path = sys.argv[1]
net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=100, name="fc")
weights = {"fc_weight": mx.nd.ones((100, 1000)), "fc_bias": mx.nd.zeros((100,))}
mx.model.save_packed(path, net, weights, {})
model = mx.model.load_packed(path)
os.truncate(path, 100)
print(model.arg_params["fc_weight"].sum().asscalar())
"""


def test_shortening_a_file_that_is_in_use_ends_no_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SHORTENED, str(tmp_path / "net.mxg")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "100000.0\n")
