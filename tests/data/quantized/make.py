"""Writes the files of this folder by real MXNet 1.9.1: make.py [FOLDER [NETWORK OF ITS ZOO]].

A network with all that its fusion for processors puts into one node: as it is, fused, in 8 bits without
ranges, and with ranges of tensors or of channels; and what each gives. A name such as resnet18_v1 makes that
one instead, with random weights.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import mxnet as mx
import numpy as np
from mxnet.contrib.quantization import quantize_model

SHAPE = (2, 3, 10, 10)


def small(clips: bool = True) -> Any:
    """Convolutions with everything after them, groups, and two layers of products."""
    data = mx.sym.var("data")

    def conv(x: Any, name: str, act: str = "", **more: Any) -> Any:
        x = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=8, name=name, **more)
        x = mx.sym.BatchNorm(x, fix_gamma=name == "c1", name=f"{name}_norm")
        if act == "clip" and clips:
            return mx.sym.clip(x, a_min=0, a_max=6, name=f"{name}_act")
        return mx.sym.Activation(x, act_type="relu", name=f"{name}_act") if act else x

    first = conv(data, "c0", "relu")
    apart = conv(first, "c1", no_bias=True)
    x = mx.sym.Activation(conv(first, "c2") + apart, act_type="relu", name="sum")
    x = conv(x, "c3", "clip", num_group=8)
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x, name="flat"), num_hidden=12, name="d0")
    x = mx.sym.Activation(x, act_type="relu", name="d0_act")
    return mx.sym.FullyConnected(x, num_hidden=5, no_bias=True, name="d1")


def random_params(net: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    shapes, _, states = net.infer_shape(data=SHAPE)
    random = np.random.RandomState(5)
    args = dict(zip(net.list_arguments(), shapes))
    params = {n: mx.nd.array(random.uniform(-0.5, 0.5, s)) for n, s in args.items() if n != "data"}
    named = zip(net.list_auxiliary_states(), states)
    return params, {n: mx.nd.array(random.uniform(0.5, 1.5, s)) for n, s in named}


def from_zoo(name: str, folder: Path) -> tuple[Any, Any, Any, Any]:
    mx.random.seed(3)
    np.random.seed(3)  # noqa: NPY002
    net = getattr(mx.gluon.model_zoo.vision, name)(classes=10)
    net.initialize(mx.init.Xavier(rnd_type="gaussian", factor_type="in", magnitude=2))
    net.hybridize()
    data = mx.nd.random.uniform(-1, 1, shape=(2, 3, 64, 64))
    with mx.autograd.record():  # so that moving averages fit
        for _ in range(4):
            net(data)
    net.export(str(folder / name))
    return (*mx.model.load_checkpoint(str(folder / name), 0), data)


def write(
    folder: Path, name: str, net: Any, args: Any, states: Any, data: Any, answers: dict[str, Any]
) -> None:
    """A symbol's file, its answer, and its parameters where no other network has the same."""
    net.save(str(folder / f"{name}.json"))
    names = net.list_arguments()
    given = {k: v for k, v in args.items() if k in names}
    out = net.bind(mx.cpu(), {**given, "data": data}, aux_states=states, grad_req="null").forward()
    answers[name] = out[0].asnumpy()
    if name not in ("float", "none"):  # fused and channels read those of the one, naive of the other
        return
    params = {f"arg:{k}": v for k, v in given.items()} | {f"aux:{k}": v for k, v in states.items()}
    mx.nd.save(str(folder / f"{name}.params"), params)


def main(folder: Path, zoo: str) -> None:
    if zoo:
        net, args, states, data = from_zoo(zoo, folder)
    else:
        net = small()
        args, states = random_params(net)
        data = mx.nd.array(np.random.RandomState(6).uniform(-1, 1, SHAPE))
    answers = {"data": data.asnumpy()}
    write(folder, "float", net, args, states, data, answers)
    write(folder, "fused", net.get_backend_symbol("MKLDNN"), args, states, data, answers)
    for mode, each in (("none", "tensor-wise"), ("naive", "tensor-wise"), ("naive", "channel-wise")):
        # Without a range MXNet clips sums of 32 bits at 6 rather than at what 6 is.
        part = net if zoo or mode != "none" else small(False)
        fused = part.get_backend_symbol("MKLDNN_QUANTIZE")
        calibration = {"calib_data": mx.io.NDArrayIter(data, batch_size=2)} if mode == "naive" else {}
        made, params, aux = quantize_model(
            fused,
            args,
            states,
            label_names=None,
            calib_mode=mode,
            quantized_dtype="auto",
            quantize_mode="full",
            quantize_granularity=each,
            **calibration,
        )
        name = mode if each == "tensor-wise" else "channels"
        write(folder, name, made.get_backend_symbol("MKLDNN_QUANTIZE"), params, aux, data, answers)
    np.savez_compressed(folder / "answers.npz", **answers)


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    main(place, sys.argv[2] if len(sys.argv) > 2 else "")
