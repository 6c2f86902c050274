"""Writes ``resnet18.safetensors``, a state that PyTorch stored, and ``resnet18.npz``, what the network gives.

The layout is that of torchvision's ResNet-18, with few channels and random weights. Run by a Python that
has torch and safetensors: ``python tests/data/nn/make_resnet.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "nn"))

from residual import resnet


def main() -> None:
    """Write both files."""
    torch.manual_seed(0)
    net = resnet(nn)
    x = torch.rand(2, 3, 32, 32)
    for _ in range(3):  # running values that are not those of the start
        net(torch.rand(4, 3, 32, 32))
    folder = Path(__file__).parent
    save_file(net.state_dict(), str(folder / "resnet18.safetensors"))
    net.eval()
    y = net(x)
    (y * torch.arange(6.0).reshape(2, 3)).sum().backward()
    arrays = {"x": x.numpy(), "y": y.detach().numpy(), "conv1": net.conv1.weight.grad.numpy()}
    np.savez_compressed(folder / "resnet18.npz", **arrays)


main()
