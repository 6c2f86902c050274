"""Writes what MXNet 1.9.1 says of the networks beside this file: run it with a Python that has MXNet."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mxnet as mx  # type: ignore[import-not-found]
from networks import NETWORKS

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "symbols"))
from numbers_run import run  # noqa: E402


def main() -> None:
    expected = {}
    for name, build in NETWORKS.items():
        with mx.name.NameManager():
            net, shapes = build(mx)
        expected[name] = {
            "arguments": net.list_arguments(),
            "outputs": net.list_outputs(),
            "numbers": run(mx, name, net, shapes) if name != "zoneout" else None,
        }
        if name == "zoneout":  # a file of MXNet's whose zeros take their shape from `where`
            net.save(str(HERE / "zoneout-symbol.json"))
    (HERE / "expected.json").write_text(json.dumps(expected, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
