"""A module on several devices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional, Union

from ... import _core, _guards
from ..._data_parallel import DataParallel as _Parts
from ...context import Context
from ..module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Runs a module on several devices: inputs are cut along the axis of the batch, outputs put together.

    The parameters stay where they are: each pass copies them to the other devices, and their gradients come
    back as one sum. They have the names of the module's with ``module.`` in front.

    Parameters
    ----------
    module : Module
        The network; its parameters lie on the first device.
    device_ids : list of Context, int or str, optional
        Where it runs; numbers are those of GPUs, text is such as ``"cpu:0"``. All GPUs
        by default, or the current device if there is none.
    output_device : Context, int or str, optional
        Where outputs go; the first device by default.
    dim : int
        The axis of the batch, in all inputs and outputs.

    Notes
    -----
    Source: PyTorch nn.DataParallel; for Gluon blocks there is ``mx.gluon.utils.DataParallel``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad import nn, np
    >>> net = nn.DataParallel(nn.Linear(4, 3), [mx.cpu(0), mx.cpu(1)])
    >>> net(np.ones((5, 4))).shape, list(net.state_dict())
    ((5, 3), ['module.weight', 'module.bias'])
    """

    def __init__(
        self,
        module: Module,
        device_ids: Optional[Sequence[Union[Context, int, str]]] = None,
        output_device: Union[Context, int, str, None] = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        if not isinstance(module, Module):
            raise TypeError(f"[DataParallel] module is {type(module).__name__}; expected a Module")
        self.module = module
        self._parts = _Parts(module, device_ids, output_device, dim)
        self.device_ids, self.dim = self._parts.devices, dim
        self.output_device = self._parts.output_device

    def forward(self, *inputs: Any, **words: Any) -> Any:
        """What the module gives for the whole batch; arguments that hold no arrays go to every device."""
        if _core.trace_is_active() and any(True for _ in self.module.buffers()):
            _guards.refuse("DataParallel hands buffers on to other devices and back in each pass")
        return self._parts(*inputs, **words)
