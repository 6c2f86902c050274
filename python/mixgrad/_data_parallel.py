"""One network on several devices: each takes a part of the batch."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Optional, Union

from . import autograd
from . import ndarray as nd
from .base import RefusedTypeError, RefusedValueError
from .context import Context, contexts_of, current_context, gpu, named_device, num_gpus
from .ndarray import NDArray

__all__ = ["DataParallel"]


class DataParallel:
    """Runs a network on several devices: inputs are cut along the axis of the batch, outputs put together.

    Gradients are those of one device with the whole batch, whether it divides evenly or not, and also where
    it has fewer rows than there are devices.

    A Gluon block keeps a copy of its parameters on each device; a :class:`~mixgrad.gluon.Trainer` sums their
    gradients in its ``device`` store. Of another network, such as a ``mx.nn.Module``, the parameters stay
    where they are: each pass copies them to the other devices, and their gradients come back as one sum.

    Parameters
    ----------
    module : callable
        A Gluon block, after ``initialize``, or a network with ``parameters()`` that :func:`copy.deepcopy`
        copies.
    device_ids : list of Context, int or str, optional
        Where it runs; numbers are those of GPUs, text is such as ``"cpu:0"``. All GPUs
        by default, or the current device if there is none.
    output_device : Context, int or str, optional
        Where outputs go; the first device by default.
    dim : int
        The axis of the batch, in all inputs and outputs.

    Source: PyTorch nn.DataParallel.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.gluon.nn.Dense(3, in_units=4)
    >>> net.initialize()
    >>> parallel = mx.gluon.utils.DataParallel(net, [mx.cpu(0), mx.cpu(1)])
    >>> parallel(mx.nd.ones((5, 4))).shape, net.weight.list_ctx()
    ((5, 3), [cpu(0), cpu(1)])
    """

    def __init__(
        self,
        module: Callable[..., Any],
        device_ids: Optional[Sequence[Union[Context, int, str]]] = None,
        output_device: Union[Context, int, str, None] = None,
        dim: int = 0,
    ) -> None:
        if not isinstance(dim, int):
            raise RefusedTypeError(f"[DataParallel] dim is {dim!r:.60}; expected the number of an axis")
        if not callable(module):
            raise RefusedTypeError(
                f"[DataParallel] module is {type(module).__name__}; expected a network, which can be called"
            )
        self.module, self.dim = module, dim
        self.devices = _devices(device_ids)
        self.output_device = self.devices[0] if output_device is None else _device(output_device)
        self._parameters: Any = None  # of a Gluon block
        self._replicas: list[Any] = [module] * len(self.devices)
        if hasattr(module, "collect_params"):
            self._parameters = _placed(module, self.devices)
        elif hasattr(module, "parameters"):
            self._replicas = [module, *(copy.deepcopy(module) for _ in self.devices[1:])]
        elif len(self.devices) > 1:
            raise RefusedTypeError(
                f"[DataParallel] module is {type(module).__name__}; expected a Gluon block, or a network "
                "with parameters(), which replicas have to find"
            )

    def __repr__(self) -> str:
        return f"DataParallel({self.module!r}, {self.devices})"

    def __call__(self, *inputs: Any, **words: Any) -> Any:
        """The network's outputs for the whole batch, on ``output_device``.

        Arrays in the arguments, also in lists, tuples and dicts, are cut; all else goes to every replica.
        """
        shapes = [array.shape for array in _arrays((inputs, words))]
        for shape in shapes:
            if not -len(shape) <= self.dim < len(shape):
                raise RefusedValueError(
                    f"[DataParallel] an input of shape {shape} has no axis {self.dim}; expected one of rows"
                )
        rows = list(dict.fromkeys(shape[self.dim] for shape in shapes))
        if len(rows) != 1:
            raise RefusedValueError(
                f"[DataParallel] inputs have {rows} rows along axis {self.dim}; expected arrays of one batch"
            )
        count = max(min(len(self.devices), rows[0]), 1)
        bounds = [rows[0] * i // count for i in range(count + 1)]
        if self._parameters is not None:
            self._rest(count)
        outputs = []
        for i, device in enumerate(self.devices[:count]):
            part, part_words = self._part((inputs, words), bounds[i], bounds[i + 1], device)
            replica = self._replicas[i]
            if replica is not self.module:
                _follow(replica, self.module, device)
            with device:
                outputs.append(replica(*part, **part_words))
        return self._gathered(outputs)

    def _rest(self, count: int) -> None:
        """Devices that have no rows add nothing to the sum of gradients."""
        if not autograd.is_recording():
            return
        for parameter in self._parameters:
            for array in (parameter._data or ())[count:] if parameter.grad_req != "null" else ():
                if parameter.grad_req == "write":
                    array.zero_grad()
                array._fresh_grad = True

    def _part(self, value: Any, begin: int, end: int, device: Context) -> Any:
        """What one device gets of an argument."""
        if isinstance(value, NDArray):
            return (
                nd.slice_axis(value.as_nd_ndarray(), axis=self.dim, begin=begin, end=end)
                ._as(type(value))
                .as_in_context(device)
            )
        if isinstance(value, (list, tuple)):
            return _like(value, [self._part(one, begin, end, device) for one in value])
        if isinstance(value, dict):
            return {key: self._part(one, begin, end, device) for key, one in value.items()}
        return value

    def _gathered(self, outputs: Sequence[Any]) -> Any:
        first = outputs[0]
        if isinstance(first, NDArray):
            if first.ndim == 0:
                raise RefusedValueError(
                    "[DataParallel] the network gives an array without axes for each part; expected outputs "
                    "of the batch, of which the loss is computed afterwards"
                )
            moved = [one.as_in_context(self.output_device) for one in outputs]
            if len(moved) == 1:
                return moved[0]
            return nd.concat(*[one.as_nd_ndarray() for one in moved], dim=self.dim)._as(type(first))
        if isinstance(first, (list, tuple)):
            return _like(first, [self._gathered(several) for several in zip(*outputs)])
        if isinstance(first, dict):
            return {key: self._gathered([one[key] for one in outputs]) for key in first}
        raise RefusedTypeError(
            f"[DataParallel] the network gives {type(first).__name__}; expected arrays, in lists, tuples or "
            "dicts"
        )


def _like(model: Any, items: list[Any]) -> Any:
    """Items in a list or tuple of a kind, such as a named one."""
    return type(model)(*items) if hasattr(model, "_fields") else type(model)(items)


def _device(device: Union[Context, int, str]) -> Context:
    if isinstance(device, str):
        device = named_device(device)
    if not isinstance(device, (Context, int)) or isinstance(device, bool):
        raise RefusedTypeError(
            f"[DataParallel] a device is {device!r:.60}; expected a Context, a number, or text "
            "such as 'cuda:0'"
        )
    found = device if isinstance(device, Context) else gpu(device)
    if found.device_type == "gpu" and not 0 <= found.device_id < num_gpus():
        raise RefusedValueError(
            f"[DataParallel] the device is {found}; expected one that is there: there are {num_gpus()} GPUs, "
            "and numbers are those of GPUs"
        )
    return found


def _devices(devices: Optional[Sequence[Union[Context, int, str]]]) -> list[Context]:
    if devices is None:
        return [gpu(i) for i in range(num_gpus())] or [current_context()]
    return contexts_of([_device(one) for one in devices], "DataParallel")


def _arrays(value: Any) -> Iterable[Any]:
    if isinstance(value, NDArray):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _arrays(one)
    elif isinstance(value, dict):
        yield from _arrays(list(value.values()))


def _placed(block: Any, devices: Sequence[Context]) -> list[Any]:
    """The parameters of a Gluon block, once they are on all devices."""
    parameters = list(block.collect_params().values())
    if len(set(devices)) < len(devices):
        raise RefusedValueError(f"[DataParallel] devices are {list(devices)}; expected each of them once")
    for parameter in parameters:
        if parameter.list_ctx() != list(devices):
            parameter.reset_ctx(list(devices))
    return parameters


def _follow(replica: Any, module: Any, device: Context) -> None:
    """A replica computes with the parameters of the network, to which gradients flow back."""
    for own, theirs in zip(replica.parameters(), module.parameters()):
        own._become(theirs.as_in_context(device))
    if hasattr(module, "buffers"):
        for own, theirs in zip(replica.buffers(), module.buffers()):
            own._become(theirs.detach().copyto(device))
    if hasattr(module, "training") and replica.training != module.training:
        replica.train(module.training)
