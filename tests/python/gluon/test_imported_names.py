"""Names that scripts import from where MXNet 1.9.1 has them, beside the public ones."""

from __future__ import annotations

from typing import Any

import mixgrad as mx
from mixgrad.gluon.data.vision import transforms
from mixgrad.gluon.loss import Loss, _apply_weighting, _reshape_like


def test_a_loss_of_ones_own_weights_its_samples() -> None:
    class Squares(Loss):
        def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
            loss = F.square(_reshape_like(F, label, pred) - pred)
            return F.mean(_apply_weighting(F, loss, self._weight, sample_weight), axis=0, exclude=True)

    loss = Squares(0.5, 0)
    pred, label = mx.nd.array([[1.0], [2.0]]), mx.nd.array([3.0, 5.0])
    for hybrid in (False, True):
        loss.hybridize(hybrid)
        assert loss(pred, label, mx.nd.array([[1.0], [2.0]])).asnumpy().tolist() == [2.0, 9.0]


def test_transforms_have_the_blocks_that_they_are_made_of() -> None:
    assert transforms.Block is mx.gluon.Block and transforms.HybridBlock is mx.gluon.HybridBlock
    assert transforms.Sequential is mx.gluon.nn.Sequential
    assert transforms.HybridSequential is mx.gluon.nn.HybridSequential
