"""Writes what MXNet 1.9.1 says of the networks beside this file: run it with a Python that has MXNet.

Per network ``<name>-symbol.json`` as MXNet saves it; in ``expected.json`` names and inferred shapes, in
``numbers.json`` what it computes.
"""

from __future__ import annotations

import json
from pathlib import Path

import mxnet as mx  # type: ignore[import-not-found]
from networks import NETWORKS
from numbers_run import run

HERE = Path(__file__).resolve().parent


def main() -> None:
    expected, numbers = {}, {}
    for name, build in NETWORKS.items():
        with mx.name.NameManager():
            net, shapes = build(mx)
        (HERE / f"{name}-symbol.json").write_text(net.tojson(), encoding="utf-8")
        numbers[name] = run(mx, name, net, shapes)
        arguments, outputs, states = net.infer_shape_partial(**shapes)
        expected[name] = {
            "arguments": net.list_arguments(),
            "outputs": net.list_outputs(),
            "states": net.list_auxiliary_states(),
            "internals": net.get_internals().list_outputs(),
            "attributes": net.attr_dict(),
            "argument_shapes": arguments,
            "output_shapes": outputs,
            "state_shapes": states,
        }
    (HERE / "numbers.json").write_text(json.dumps(numbers, sort_keys=True) + "\n", encoding="utf-8")
    (HERE / "expected.json").write_text(
        json.dumps(expected, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
