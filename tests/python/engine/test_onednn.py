"""oneDNN, loaded when a program asks for it. Each test is a process of its own: what is loaded stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from leaving.programs import onednn_library

LIBRARY = onednn_library()
needs_library = pytest.mark.skipif(not LIBRARY, reason="onednn-cpu-gomp is not installed")


def run(program: str, **variables: str) -> str:
    """What a program prints; it must end by itself, with status 0."""
    kept = {name: value for name, value in os.environ.items() if name != "MIXGRAD_ONEDNN"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, **variables},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


def test_nothing_of_it_is_there_unasked() -> None:
    text = run("""
import mixgrad as mx
mx.nd.dot(mx.nd.ones((600, 600)), mx.nd.ones((600, 600))).wait_to_read()
assert not mx.runtime.Features().is_enabled("ONEDNN")
mx.runtime.use_onednn(False)
print(*{line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}, sep="\\n")
""")
    assert "libmixgrad" in text and "dnnl" not in text and "gomp" not in text, text


COMPARED = """
import sys
import numpy as np
import mixgrad as mx

random = np.random.default_rng(0)
a = mx.nd.array(random.standard_normal((700, 700)))
x = mx.nd.array(random.standard_normal((2, 32, 20, 20)))
w = mx.nd.array(random.standard_normal((48, 32, 3, 3)))

def results():
    x.attach_grad(), w.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Convolution(x, w, kernel=(3, 3), stride=(2, 2), num_filter=48, no_bias=True)
    y.backward()
    half = a.astype("bfloat16")
    arrays = [mx.nd.dot(a, a), mx.nd.dot(half, half).astype("float32"), y, x.grad, w.grad]
    return [array.asnumpy() for array in arrays]

own = results()
mx.runtime.use_onednn(path=sys.argv[1] if len(sys.argv) > 1 else None)
assert mx.runtime.Features().is_enabled("ONEDNN")
other = results()
for one, two, bound in zip(own, other, [1e-5, 1e-2, 1e-5, 1e-5, 1e-5]):
    assert abs(one - two).max() <= bound * abs(one).max()
mx.runtime.use_onednn(False)
assert not mx.runtime.Features().is_enabled("ONEDNN")
assert all((one == two).all() for one, two in zip(own, results()))
mx.runtime.use_onednn()
assert mx.runtime.Features().is_enabled("ONEDNN")
print("compared")
"""


@needs_library
def test_results_agree_and_it_can_be_switched() -> None:
    assert "compared" in run(COMPARED)


@needs_library
def test_the_environment_switches_it_on() -> None:
    program = "import mixgrad as mx; print(mx.runtime.Features().is_enabled('MKLDNN'))"
    assert run(program, MIXGRAD_ONEDNN="1") == run(program, MIXGRAD_ONEDNN=LIBRARY) == "True\n"
    assert run(program, MIXGRAD_ONEDNN="0") == run(program, MIXGRAD_ONEDNN="") == "False\n"


LEAVING = {
    "with work queued": "b = mx.nd.dot(a, a)",
    "with gradients queued": """
x, w = mx.nd.ones((8, 32, 64, 64)), mx.nd.ones((64, 32, 3, 3))
x.attach_grad(), w.attach_grad()
with mx.autograd.record():
    y = mx.nd.Convolution(x, w, kernel=(3, 3), stride=(2, 2), num_filter=64, no_bias=True)
y.backward()
""",
    "in an exit handler": """
import atexit, ctypes
atexit.register(lambda: mx.nd.dot(a, a).wait_to_read())
b = mx.nd.dot(a, a)
""",
    "by C's exit, in a thread": """
import ctypes, threading
b = mx.nd.dot(a, a)
thread = threading.Thread(target=lambda: ctypes.CDLL(None).exit(0))
thread.start()
thread.join()
""",
    "as a forked child": """
import os
mx.nd.dot(a, a).wait_to_read()
child = os.fork()
b = mx.nd.dot(a, a)
if child:
    assert os.waitpid(child, 0)[1] == 0
""",
}


@needs_library
@pytest.mark.parametrize("state", LEAVING)
def test_a_program_that_uses_it_leaves(state: str) -> None:
    begin = "import mixgrad as mx\nmx.runtime.use_onednn()\na = mx.nd.ones((1500, 1500))\n"
    for _ in range(3):
        run(begin + LEAVING[state])


def refusal(path: Path) -> str:
    return run(f"""
import mixgrad as mx
try:
    mx.runtime.use_onednn(path={str(path)!r})
except mx.MXNetError as error:
    print(type(error).__name__, error)
assert not mx.runtime.Features().is_enabled("ONEDNN")
""")


def test_what_is_no_library_of_it_is_refused(tmp_path: Path) -> None:
    assert "NotFoundError [onednn]" in refusal(tmp_path / "libdnnl.so.3")
    text = tmp_path / "text.so"
    text.write_text("not a library")
    assert "NotFoundError [onednn]" in refusal(text)
    import mixgrad as mx

    assert "FileFormatError [onednn] the library has no function dnnl_version" in refusal(
        Path(mx.get_library())
    )


def test_a_missing_library_is_explained(tmp_path: Path) -> None:
    """A search path without the distribution, as pip's --target leaves it."""
    import numpy as np

    import mixgrad as mx

    for package in (np, mx):
        folder = Path(package.__file__ or "").parent
        for beside in (folder, folder.parent / f"{folder.name}.libs"):
            if beside.exists():
                (tmp_path / beside.name).symlink_to(beside)
    program = f"""
import sys
sys.path = [{str(tmp_path)!r}] + [path for path in sys.path if "site-packages" not in path]
import sysconfig
sysconfig.get_path = lambda name: {str(tmp_path)!r}
import mixgrad as mx
try:
    mx.runtime.use_onednn()
except mx.MXNetError as error:
    print(error)
"""
    text = run(program)
    assert "libdnnl.so.3: cannot open" in text and "pip install onednn-cpu-gomp" in text
