"""A residual network in the layout of torchvision's ResNet-18, for PyTorch's modules and mixgrad's.

``resnet(nn)`` takes the package of modules, so that one description makes both.
"""

from __future__ import annotations

from typing import Any

WIDTHS = (2, 2, 4, 8, 16)
CLASSES = 3


def resnet(nn: Any) -> Any:
    """ResNet-18 with few channels."""

    class BasicBlock(nn.Module):  # type: ignore[misc]
        def __init__(self, inside: int, outside: int, stride: int) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(inside, outside, 3, stride, 1, bias=False)
            self.bn1 = nn.BatchNorm2d(outside)
            self.relu = nn.ReLU(inplace=True)
            self.conv2 = nn.Conv2d(outside, outside, 3, 1, 1, bias=False)
            self.bn2 = nn.BatchNorm2d(outside)
            self.downsample = None
            if stride != 1 or inside != outside:
                self.downsample = nn.Sequential(
                    nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
                )

        def forward(self, x: Any) -> Any:
            identity = x if self.downsample is None else self.downsample(x)
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            out += identity
            return self.relu(out)

    class ResNet(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(3, WIDTHS[0], 7, 2, 3, bias=False)
            self.bn1 = nn.BatchNorm2d(WIDTHS[0])
            self.relu = nn.ReLU(inplace=True)
            self.maxpool = nn.MaxPool2d(3, 2, 1)
            for i in range(4):
                inside, outside = WIDTHS[i], WIDTHS[i + 1]
                blocks = BasicBlock(inside, outside, 2 if i else 1), BasicBlock(outside, outside, 1)
                setattr(self, f"layer{i + 1}", nn.Sequential(*blocks))
            self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
            self.fc = nn.Linear(WIDTHS[4], CLASSES)

        def forward(self, x: Any) -> Any:
            x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.fc(self.avgpool(x).reshape(len(x), -1))

    return ResNet()
