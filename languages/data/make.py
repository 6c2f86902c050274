"""Makes the files that the tests and examples of the language packages read.

python make.py --mxnet PYTHON    PYTHON has MXNet 1.9.1, whose answers are stored as what is expected

digits.params              images (1797, 1, 8, 8), 0 to 16, and labels (1797), uint8: those of scikit-learn
digits-symbol.json         a small convolutional network; data (n, 1, 8, 8) float32 in 0 to 1
digits-0001.params         its trained weights
expected.params            probabilities (20, 10) that MXNet computes for the last 20 images
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import mixgrad as mx

HERE = Path(__file__).resolve().parent
MXNET = """
import sys, mxnet as mx
mx.random.seed(0)
net, args, aux = mx.model.load_checkpoint("digits", 1)
images = mx.nd.load("digits.params")["images"][-20:].astype("float32") / 16
exe = net.simple_bind(mx.cpu(), grad_req="null", data=images.shape)
exe.copy_params_from(args, aux, allow_extra_params=True)
mx.nd.save("expected.params", {"probabilities": exe.forward(is_train=False, data=images)[0]})
"""


def network() -> mx.sym.Symbol:
    """Two convolutions with pooling, one with BatchNorm, and two dense layers."""
    net = mx.sym.Convolution(mx.sym.Variable("data"), kernel=(3, 3), pad=(1, 1), num_filter=16, name="conv1")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn1")
    net = mx.sym.Activation(net, act_type="relu", name="relu1")
    net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool1")
    net = mx.sym.Convolution(net, kernel=(3, 3), pad=(1, 1), num_filter=32, name="conv2")
    net = mx.sym.Activation(net, act_type="relu", name="relu2")
    net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool2")
    net = mx.sym.FullyConnected(mx.sym.Flatten(net), num_hidden=64, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu3")
    net = mx.sym.FullyConnected(net, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mxnet", required=True, help="an interpreter with MXNet 1.9.1")
    options = parser.parse_args()
    digits = load_digits()
    images, labels = digits.images.astype(np.uint8)[:, None], digits.target.astype(np.uint8)
    mx.nd.save(
        str(HERE / "digits.params"),
        {"images": mx.nd.array(images, dtype="uint8"), "labels": mx.nd.array(labels, dtype="uint8")},
    )
    mx.random.seed(1)
    train = mx.io.NDArrayIter(
        images[:1500] / np.float32(16), labels[:1500].astype(np.float32), 50, shuffle=True
    )
    held = mx.io.NDArrayIter(images[1500:] / np.float32(16), labels[1500:].astype(np.float32), 33)
    module = mx.mod.Module(network())
    module.fit(
        train,
        num_epoch=12,
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.1, "momentum": 0.9, "wd": 1e-4},
        initializer=mx.init.Xavier(),
    )
    print(module.score(held, "acc"))
    module.save_checkpoint(str(HERE / "digits"), 1)
    subprocess.run([options.mxnet, "-c", MXNET], cwd=HERE, check=True)


if __name__ == "__main__":
    main()
