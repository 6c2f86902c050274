"""Scripts that say ``import mxnet``, run by ``python -m mixgrad.mxnet`` and by ``mixgrad script``."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """\
import multiprocessing
import sys

import helper
import mxnet as mx
import mxnet.ndarray as nd
from mxnet.base import MXNetError
from mxnet.test_utils import *


def work(extent):
    import mxnet

    total = float(mxnet.nd.ones((extent,)).sum().asscalar())
    return total, mxnet.nd is nd, issubclass(MXNetError, RuntimeError)


if __name__ == "__main__":
    import mixgrad

    assert (mx.__version__, mx.nd) == ("1.9.1", mixgrad.nd) and mixgrad.__version__ != "1.9.1"
    assert nd is mixgrad.nd and nd.__spec__.name == "mixgrad.ndarray"
    print(sys.argv[1:], helper.VALUE, __file__)
    if "children" in sys.argv:
        for method in multiprocessing.get_all_start_methods():
            with multiprocessing.get_context(method).Pool(1) as pool:
                print(method, pool.map(work, [3]))
    exec(sys.argv[-1])
"""


def run(folder: Path, *words: str, command: str = "mixgrad.mxnet") -> subprocess.CompletedProcess[str]:
    start = [sys.executable, "-m", *command.split()]
    return subprocess.run([*start, *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "package"
    inner.mkdir()
    (inner / "__init__.py").touch()
    (inner / "train.py").write_text(SCRIPT)
    (inner / "helper.py").write_text("VALUE = 5\n")
    (inner / "__main__.py").write_text("import mxnet, sys; print(__name__, __package__, sys.argv[1:])\n")
    return tmp_path


@pytest.mark.parametrize("command", ["mixgrad.mxnet", "mixgrad script"])
def test_script_sees_its_arguments_and_its_folder(folder: Path, command: str) -> None:
    done = run(folder, "package/train.py", "--json", "--help", "pass", command=command)
    assert done.stdout == f"['--json', '--help', 'pass'] 5 {folder / 'package' / 'train.py'}\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_children_of_every_start_method_have_the_alias(folder: Path) -> None:
    done = run(folder, "package/train.py", "children", "pass")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("[(3.0, True, True)]") >= 2


def test_exit_codes(folder: Path) -> None:
    assert run(folder, "package/train.py", "sys.exit(7)").returncode == 7
    assert run(folder, "package/train.py", "raise ValueError").returncode == 1
    if os.name == "posix":
        assert run(folder, "package/train.py", "raise KeyboardInterrupt").returncode == -signal.SIGINT


def test_tracebacks_begin_with_the_script(folder: Path) -> None:
    done = run(folder, "package/train.py", "nd.ones((2,)) + nd.ones((3,))")
    lines = done.stderr.splitlines()
    assert lines[0].startswith("Traceback") and "train.py" in lines[1]
    assert "_script.py" not in done.stderr and "ShapeError" in lines[-1]


def test_syntax_errors_are_shown_as_python_shows_them(folder: Path) -> None:
    (folder / "bad.py").write_text("x = = 1\n")
    plain = subprocess.run([sys.executable, folder / "bad.py"], capture_output=True, text=True, check=False)
    assert run(folder, str(folder / "bad.py")).stderr == plain.stderr


def test_modules_packages_code_and_input(folder: Path) -> None:
    assert run(folder, "-m", "package", "a").stdout == "__main__ package ['a']\n"
    assert run(folder, "package", "a").stdout == "__main__  ['a']\n"
    assert run(folder, "-c", "import mxnet, sys; print(sys.argv)", "a").stdout == "['-c', 'a']\n"
    assert run(folder, "-cimport mxnet", "a").returncode == 0


@pytest.mark.parametrize("words", [(), ("-m",), ("--what",), ("none.py",), ("-m", "no.module")])
def test_nothing_to_run(folder: Path, words: tuple[str, ...]) -> None:
    done = run(folder, *words)
    assert done.returncode == 2 and done.stderr.startswith(("usage: ", "python -m mixgrad.mxnet: "))
    assert "Traceback" not in done.stderr


def test_names_that_numpy_lost_are_explained_with_the_line(folder: Path) -> None:
    (folder / "old.py").write_text(
        "import mxnet\nimport numpy as np\nprint(hasattr(np, 'loads'))\nnp.loads(b'')\n"
    )
    done = run(folder, "old.py")
    assert done.stdout == "False\n"
    assert f"{folder / 'old.py'}:4 uses np.loads" in done.stderr and "write pickle.loads" in done.stderr


def test_other_processes_have_no_alias(folder: Path) -> None:
    code = "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', 'import mxnet']))"
    done = run(folder, "-c", code)
    assert done.returncode == 1 and "No module named 'mxnet'" in done.stderr


def test_absent_modules_are_named_as_they_were_asked_for(folder: Path) -> None:
    assert "No module named 'mxnet.nothing'" in run(folder, "-c", "import mxnet.nothing").stderr
