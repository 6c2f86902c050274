"""Runs one scenario with allocations failing, one point per line of standard input; preloaded with fail_new.

    child.py SCENARIO      reads "n lasting" lines; n = 0 counts
    child.py import        the same for one import of the package, once

Answers each line with "count N", "same" (no error, same results), "error TYPE" (and the next run gives the
same results) or "WRONG ...". A process that ends says the rest.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
SHIM = ctypes.CDLL(None)
SHIM.fail_new_stop.restype = ctypes.c_long
start, stop = SHIM.fail_new_start, SHIM.fail_new_stop
start.argtypes = (ctypes.c_long, ctypes.c_int)


def same(one: list, two: list) -> bool:
    """Whether two results are equal to the bit."""

    def bits(x: object) -> object:
        return (x.dtype, x.shape, x.tobytes()) if isinstance(x, np.ndarray) else x

    return [bits(x) for x in one] == [bits(x) for x in two]


def attempt(run: object) -> tuple[object, str]:
    try:
        return run(), ""
    except MemoryError as error:
        return None, type(error).__name__
    except ImportError as error:
        return None, f"ImportError: {error}"
    except Exception as error:
        return None, f"{type(error).__name__}: {error}".replace("\n", " ")[:300]


def import_once(line: str) -> str:
    n, lasting = map(int, line.split())
    # oneDNN's own static objects take memory, too, where nobody can help it.
    for library in sorted((Path(sys.prefix) / "lib").glob("libdnnl.so.*")):
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
    start(n, lasting)
    try:
        import mixgrad as mx

        count = stop()
    except BaseException as error:
        stop()
        return f"error {type(error).__name__}: {error}".replace("\n", " ")[:200]
    if n == 0:
        return f"count {count}"
    total = float((mx.nd.ones((2, 3)) + 1).sum().asscalar())
    return "same" if total == 12 else f"WRONG {total}"


def main() -> None:
    name = sys.argv[1]
    if name == "import":
        for line in sys.stdin:
            print(import_once(line), flush=True)
        return
    import mixgrad as mx
    from allocation.scenarios import SCENARIOS

    run = SCENARIOS[name]()
    reference = run()
    for _ in range(3):
        assert same(run(), reference), "the scenario itself does not repeat"
    for line in sys.stdin:
        n, lasting = map(int, line.split())
        mx.nd.waitall()
        start(n, lasting)
        result, error = attempt(run)
        count = stop()
        if n == 0:
            print(f"count {count}", flush=True)
            continue
        answer = f"error {error}" if error else "same"
        if not error and not same(result, reference):
            answer = "WRONG results without an error"
        del result
        with contextlib.suppress(mx.MXNetError):  # of a task whose results nobody has asked for
            mx.nd.waitall()
        again, later = attempt(run)
        if later:
            answer = f"WRONG after [{answer}] still fails: {later}"
        elif not same(again, reference):
            answer = f"WRONG results after [{answer}]"
        print(answer, flush=True)


main()
