"""Metrics for TensorBoard (``mx.contrib.tensorboard``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .. import _hints
from ..summary import Writer

__all__ = ["LogMetricsCallback"]


class LogMetricsCallback:
    """A callback that writes metrics as TensorBoard reads them, one curve for training, one for validation.

    Parameters
    ----------
    logging_dir : str
        The folder to write to.
    prefix : str, optional
        What names of metrics begin with.

    Attributes
    ----------
    summary_writer : mixgrad.summary.Writer
        What writes.

    Examples
    --------
    >>> import mixgrad as mx, tempfile
    >>> callback = mx.contrib.tensorboard.LogMetricsCallback(tempfile.mkdtemp(), prefix="train")
    >>> module = mx.mod.Module(mx.models.mlp(num_classes=2, hidden=()))
    >>> batches = mx.io.NDArrayIter(mx.nd.ones((8, 4)), mx.nd.zeros(8), batch_size=4)
    >>> module.fit(batches, num_epoch=1, batch_end_callback=callback, initializer=mx.init.Zero())
    >>> callback.step
    2
    """

    def __init__(self, logging_dir: str, prefix: Optional[str] = None) -> None:
        self.prefix = prefix
        self.step = 0
        self.summary_writer = Writer(logging_dir)

    def __call__(self, param: Any) -> None:
        """Write the metric of a batch or an epoch."""
        if param.eval_metric is None:
            return
        self.step += 1
        for name, value in param.eval_metric.get_name_value():
            if self.prefix is not None:
                name = f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(name, value, self.step)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
