"""What an estimator does with one batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .... import _hints, autograd
from ...utils import split_and_load

__all__ = ["BatchProcessor"]


class BatchProcessor:
    """Forward and backward passes of a batch. A subclass may take batches of other forms, or other steps."""

    def _get_data_and_label(self, batch: Any, ctx: Any, batch_axis: int = 0) -> tuple[Any, Any]:
        """Both on all devices."""
        return tuple(  # type: ignore[return-value]
            split_and_load(part, ctx_list=ctx, batch_axis=batch_axis) for part in batch[:2]
        )

    def evaluate_batch(
        self, estimator: Any, val_batch: Any, batch_axis: int = 0
    ) -> tuple[Any, Any, Any, Any]:
        """Run the network for validation.

        Parameters
        ----------
        estimator : Estimator
            Whose network and loss.
        val_batch : tuple
            Data and labels.
        batch_axis : int
            The axis of the batch.

        Returns
        -------
        data, label, pred, loss : list of NDArray
            One for each device.
        """
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(x) for x in data]
        loss = [estimator.val_loss(y_hat, y) for y_hat, y in zip(pred, label)]
        return data, label, pred, loss

    def fit_batch(self, estimator: Any, train_batch: Any, batch_axis: int = 0) -> tuple[Any, Any, Any, Any]:
        """Run the network for training, and the gradients; as :meth:`evaluate_batch`."""
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(x) for x in data]
            loss = [estimator.loss(y_hat, y) for y_hat, y in zip(pred, label)]
        for one in loss:
            one.backward()
        return data, label, pred, loss


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
