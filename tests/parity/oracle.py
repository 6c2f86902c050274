"""Ask real MXNet 1.9.1: from tests/, python -m parity.oracle OUTPUT.npz (needs an interpreter with mxnet)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from .case import Array
from .cases import CASES
from .runner import run
from .store import save


def main(path: Path) -> int:
    """Run every case in this process and write the answers; 1 when a case did not behave as its row says."""
    import mxnet as mx

    results: dict[str, dict[str, Array]] = {}
    wrong = 0
    for case in CASES:
        if case.name in results:
            print(f"two cases are called {case.name}")
            wrong += 1
        try:
            answer = run(mx, case)
        except Exception as error:
            if not case.error:
                print(f"{case.name}: {str(error).strip().splitlines()[-1]}")
                wrong += 1
            answer = {"error": np.array(1)}
        else:
            if case.error:
                print(f"{case.name}: expected an error")
                wrong += 1
        results[case.name] = answer
    save(path, results)
    operators = len({case.op for case in CASES})
    print(f"{len(results)} cases, {operators} operators, {wrong} wrong, {path.stat().st_size} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
