"""A ResNet whose layers are frozen, with a new last layer: only that is trained.

The network is Gluon's ResNet-18, as a module. Its weights are random here; ``--parameters FILE`` reads those
that ``save_parameters`` of a trained one wrote.
"""

from __future__ import annotations

import argparse
from typing import Optional

import mixgrad as mx
from mixgrad import nn, np, optim


def network(parameters: Optional[str], classes: int) -> tuple[nn.Module, nn.Linear]:
    """The frozen layers and the new one."""
    resnet = mx.gluon.model_zoo.vision.resnet18_v1(classes=1000)
    if parameters:
        resnet.load_parameters(parameters)
    else:
        resnet.initialize(mx.init.Xavier())
    resnet(mx.nd.zeros((1, 3, 32, 32)))  # makes the parameters whose shapes follow from the input
    resnet.hybridize()
    features = nn.GluonModule(resnet.features)
    for parameter in features.parameters():
        parameter.requires_grad = False
    last = nn.Linear(512, classes)
    return nn.Sequential(features.eval(), nn.Flatten(), last), last


def main() -> None:
    """Train the last layer to tell two kinds of noise apart."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--parameters", help="file of save_parameters")
    parser.add_argument("--steps", type=int, default=15, help="steps of training")
    args = parser.parse_args()
    mx.random.seed(0)
    net, last = network(args.parameters, classes=2)
    before = [one.asnumpy().copy() for one in net[0].parameters()]
    optimizer = optim.SGD(last.parameters(), lr=0.2, momentum=0.9)
    label = np.array([0, 1] * 8, dtype="int32")
    x = np.random.normal(0, 1, size=(16, 3, 32, 32)) * (1 + label.reshape(-1, 1, 1, 1))
    for step in range(args.steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), label)
        loss.backward()
        optimizer.step()
        if step in (0, args.steps - 1):
            print(f"step {step}: loss {loss.item():.4f}")
    same = all((one.asnumpy() == was).all() for one, was in zip(net[0].parameters(), before))
    print("frozen layers are as they were:", same)


if __name__ == "__main__":
    main()
