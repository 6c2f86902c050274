"""Ask real MXNet 1.9.1: from tests/, python -m parity.oracle OUTPUT.npz (needs an interpreter with mxnet).

With --add, OUTPUT.npz keeps the answers that it has, and only the others are asked for.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .case import Array, Case
from .cases import CASES
from .runner import run
from .store import load, save

# What the wheel's oneDNN refuses, or ends the process of, in float16 and float64: asked for without it.
WITHOUT_ONEDNN = ("amp_cast", "amp_multicast")


def answers(cases: list[Case], path: Path) -> int:
    """Run the cases in this process and write the answers; give how many did not behave as their row says."""
    import mxnet as mx

    results: dict[str, dict[str, Array]] = {}
    wrong = 0
    for case in cases:
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
    return wrong


def aside(cases: list[Case], path: Path) -> int | None:
    """The same in a process of its own; None where that died."""
    child = os.fork()
    if child == 0:
        sys.stdout.flush()
        if cases[0].op in WITHOUT_ONEDNN:
            os.environ["MXNET_MKLDNN_ENABLED"] = "0"
        wrong = answers(cases, path)
        sys.stdout.flush()
        os._exit(min(wrong, 100))  # without freeing what is damaged
    _, status = os.waitpid(child, 0)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else None


def main(path: Path, add: bool = False) -> int:
    """Ask for all cases and write the answers; 1 when one did not behave as its row says.

    Each operator has a process, each case where that dies: some write behind their memory
    (``BilinearResize2D``), which ends the process at some later call.
    """
    import mxnet  # noqa: F401  # once, before the others are forked

    results: dict[str, dict[str, Array]] = load(path) if add else {}
    by_op: dict[str, list[Case]] = {}
    for case in CASES:
        if case.name not in results:
            by_op.setdefault(case.op, []).append(case)
    wrong = len(CASES) - len({case.name for case in CASES})
    if wrong:
        print(f"{wrong} cases have the name of another")
        names = Counter(case.name for case in CASES)
        print("\n".join(name for name, count in names.items() if count > 1))
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.npz"
        for cases in by_op.values():
            found = aside(cases, part)
            for group in [cases] if found is not None else [[case] for case in cases]:
                answer = found if found is not None else aside(group, part)
                if answer is None:
                    print(f"{group[0].name}: the process died")
                    wrong += 1
                    continue
                wrong += answer
                results.update(load(part))
    save(path, {case.name: results[case.name] for case in CASES if case.name in results})
    print(f"{len(results)} cases, {len(by_op)} operators, {wrong} wrong, {path.stat().st_size} bytes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--add" in sys.argv[2:]))
