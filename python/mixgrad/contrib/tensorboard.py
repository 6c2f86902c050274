"""Metrics for TensorBoard (``mx.contrib.tensorboard``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .. import _hints

__all__ = ["LogMetricsCallback"]


class LogMetricsCallback:
    """A callback that writes metrics as TensorBoard reads them, one curve for training, one for validation.

    It needs a package that has ``SummaryWriter``: mxboard, tensorboardX or PyTorch.

    Parameters
    ----------
    logging_dir : str
        The folder to write to.
    prefix : str, optional
        What names of metrics begin with.
    """

    def __init__(self, logging_dir: str, prefix: Optional[str] = None) -> None:
        self.prefix = prefix
        self.step = 0
        self.summary_writer = _writer()(logging_dir)

    def __call__(self, param: Any) -> None:
        """Write the metric of a batch or an epoch."""
        if param.eval_metric is None:
            return
        self.step += 1
        for name, value in param.eval_metric.get_name_value():
            if self.prefix is not None:
                name = f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(name, value, self.step)


def _writer() -> Any:
    import importlib

    for package in ("mxboard", "tensorboardX", "torch.utils.tensorboard"):
        try:
            return importlib.import_module(package).SummaryWriter
        except ImportError:
            continue
    raise ImportError(
        "[LogMetricsCallback] no package writes TensorBoard's files; expected tensorboardX (pip install "
        "tensorboardX), mxboard or torch"
    )


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
