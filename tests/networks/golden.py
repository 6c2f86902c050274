"""Writes networks.npz, for the names that are given or for all: python tests/networks/golden.py [NAME ...].

The Python is 3.11 or older and has mxnet==1.9.1, numpy==1.23.5 and gluoncv==0.10.5.post0.
"""

from __future__ import annotations

import json
import os
import sys
import zlib
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["MXNET_SUBGRAPH_BACKEND"] = "NONE"  # GluonCV's graphs with an output twice are refused otherwise

import mxnet as mx  # type: ignore[import-not-found]
from mxnet.contrib import quantization  # type: ignore[import-not-found]

from networks.answers import (
    FILE,
    Network,
    arrays_of,
    gradients,
    interface,
    load,
    pictures,
    prediction,
    save,
    shown,
)
from networks.examples import EXAMPLES
from networks.zoo import INTEGERS, ZOO, exported


def quantized(name: str) -> Network:
    """A network in 8 bits: fused for processors, with or without ranges of its layers."""
    base, mode = INTEGERS[name]
    network = made(base)
    net = mx.sym.load_json(network.text).get_backend_symbol("MKLDNN_QUANTIZE")
    args, states = arrays_of(mx, net, network, "float32")
    args = {k: v for k, v in args.items() if k not in network.inputs}
    data = {k: np.concatenate([v, v[..., ::-1]]) for k, v in network.inputs.items()}
    calibration = (
        {}
        if mode == "none"
        else {
            "calib_data": mx.io.NDArrayIter(data, batch_size=1),
            "num_calib_examples": 2,
        }
    )
    net, found, _ = quantization.quantize_model(
        net,
        args,
        states,
        ctx=mx.cpu(),
        data_names=tuple(data),
        calib_mode=mode,
        quantized_dtype="auto",
        **calibration,
    )
    net = net.get_backend_symbol("MKLDNN_QUANTIZE")
    used = {n: found[n].asnumpy() for n in net.list_arguments() if n in found and n not in args}
    used = {n: a for n, a in used.items() if a.dtype != np.int8}  # whose names say enough
    return Network(net.tojson(), network.inputs, {**network.constants, **used}, False, {})


def made(name: str) -> Network:
    if name in INTEGERS:
        return quantized(name)
    if name in ZOO:
        return exported(name)
    net, inputs, words = EXAMPLES[name](mx, pictures)
    return Network(net.tojson(), inputs, {}, words, {})


def answer(name: str, network: Network) -> None:
    """Fills in what MXNet says: in float64 where it can compute in it."""
    net = mx.sym.load_json(network.text)
    network.answers["interface"] = np.array(zlib.crc32(interface(net, network.inputs).encode()))
    for dtype in ("float32",) if name in INTEGERS else ("float64", "float32"):
        try:
            outs = prediction(mx, network, dtype)
        except mx.MXNetError:
            continue
        network.answers["dtype"] = np.array(dtype)
        for i, out in enumerate(outs):
            network.answers[f"out{i}"] = shown(out)
        break
    network.answers["floats"] = np.array([np.abs(o).max() for o in prediction(mx, network, "float32")])
    for dtype in () if name in INTEGERS else ("float64", "float32"):
        try:
            prints = gradients(mx, network, dtype)
        except mx.MXNetError as error:
            print("  no gradient in", dtype, str(error).strip().splitlines()[-1][:100])
            continue
        network.answers["gradient_dtype"] = np.array(dtype)
        network.answers["gradient_names"] = np.array(json.dumps(list(prints)))
        network.answers["gradients"] = np.array(list(prints.values()))
        break


def main(names: list[str]) -> None:
    networks = load() if names and FILE.exists() else {}
    for name in names or (*EXAMPLES, *ZOO, *INTEGERS):
        networks[name] = made(name)
        answer(name, networks[name])
        outs = [v for k, v in networks[name].answers.items() if k.startswith("out")]
        print(name, [(o.min(), o.max(), len(np.unique(o))) for o in outs], flush=True)
        save(networks)


if __name__ == "__main__":
    main(sys.argv[1:])
