"""Devices: ``mx.cpu(i)``, ``mx.gpu(i)``, and the current one."""

from __future__ import annotations

import warnings
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Optional, Union

from . import _core, _hints
from .base import DTYPE_NUMBERS, InvalidArgumentError, RefusedValueError, UnknownWordError, whole

__all__ = [
    "Context",
    "Device",
    "cpu",
    "cpu_pinned",
    "cpu_shared",
    "current_context",
    "current_device",
    "device_of",
    "gpu",
    "gpu_memory_info",
    "num_gpus",
]


class _Default(type):
    @property
    def default_ctx(cls) -> Context:
        """The device on which new arrays are placed where nothing else says; it can be set."""
        return current_context()

    @default_ctx.setter
    def default_ctx(cls, context: Context) -> None:
        _core.set_current_device(chosen_context(context, "default_ctx").numbers)


class UnknownDeviceError(InvalidArgumentError, UnknownWordError):
    """No device type of that name."""


class _Value:
    """``Context._default_ctx.value``, as MXNet's scripts reach the device of their thread."""

    @property
    def value(self) -> Context:
        return current_context()

    @value.setter
    def value(self, context: Context) -> None:
        Context.default_ctx = context


class Context(metaclass=_Default):
    """A device. ``with mx.cpu(1):`` makes it the one on which new arrays are placed.

    Parameters
    ----------
    device_type : str or Context
        'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared'.
    device_id : int
        Which one of its kind. CPU devices of different numbers share the processor but are distinct devices.

    Examples
    --------
    >>> import mixgrad as mx
    >>> with mx.cpu(1):
    ...     x = mx.nd.zeros((2,))
    >>> x.context
    cpu(1)
    """

    _default_ctx = _Value()
    devtype2str: ClassVar[dict[int, str]] = {1: "cpu", 2: "gpu", 3: "cpu_pinned", 5: "cpu_shared"}
    devstr2type: ClassVar[dict[str, int]] = {"cpu": 1, "gpu": 2, "cpu_pinned": 3, "cpu_shared": 5}

    __slots__ = ("_before", "device_id", "device_typeid")

    def __init__(self, device_type: Union[str, Context], device_id: int = 0) -> None:
        self._before: list[tuple[int, int]] = []
        self.device_typeid: int
        self.device_id: int
        if isinstance(device_type, Context):
            self.device_typeid, self.device_id = device_type.device_typeid, device_type.device_id
            return
        if not isinstance(device_type, str) or device_type not in self.devstr2type:
            known = ", ".join(self.devstr2type)
            raise UnknownDeviceError(
                f"[Context] no device type is called {device_type!r:.60}; known are {known}"
                + ("; mx.gpu(i) is a CUDA device" if str(device_type).startswith("cuda") else "")
            )
        self.device_typeid = self.devstr2type[device_type]
        self.device_id = whole(device_id, device_type, "device_id", 0, 2**31 - 1)
        if device_type == "cpu_shared":
            from .ndarray._sharing import send_by_descriptor

            send_by_descriptor()

    @property
    def device_type(self) -> str:
        """'cpu', 'gpu', 'cpu_pinned' or 'cpu_shared'."""
        return self.devtype2str[self.device_typeid]

    @property
    def numbers(self) -> tuple[int, int]:
        """Kind and id, as the C header takes them."""
        return self.device_typeid, self.device_id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and self.numbers == other.numbers

    def __hash__(self) -> int:
        return hash(self.numbers)

    def __repr__(self) -> str:
        return f"{self.device_type}({self.device_id})"

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return Context, (self.device_type, self.device_id)

    def __enter__(self) -> Context:
        self._before.append(_core.current_device())
        _core.set_current_device(self.numbers)
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        _core.set_current_device(self._before.pop())

    def empty_cache(self) -> None:
        """Gives idle memory of this device back to the system."""
        _core.memory_trim(self.numbers)


Device = Context  # as MXNet 2 calls it


def cpu(device_id: int = 0) -> Context:
    """CPU device of that number; any number is valid and a device of its own."""
    return Context("cpu", device_id)


def gpu(device_id: int = 0) -> Context:
    """GPU of that number.

    Where this build or machine has no CUDA, what is placed there raises ``UnsupportedError``; the message
    says what is missing and how to get it.
    """
    return Context("gpu", device_id)


def cpu_pinned(device_id: int = 0) -> Context:
    """Host memory that a GPU reads directly; without CUDA ordinary memory, of which one warning tells."""
    context = Context("cpu_pinned", device_id)
    if not _core.device_count(context.device_typeid):
        _warn_of_pinned()
    return context


@cache
def _warn_of_pinned() -> None:
    """Once in a process."""
    warnings.warn(
        "[cpu_pinned] no GPU can be used, so this is ordinary memory, as mx.cpu() has it", stacklevel=3
    )


def cpu_shared(device_id: int = 0) -> Context:
    """Memory of the host that other processes can have, too: queues and pipes of :mod:`multiprocessing` send
    its arrays by descriptor, as those of :meth:`NDArray.share_memory_`.

    >>> import mixgrad as mx
    >>> mx.nd.zeros((2,), ctx=mx.cpu_shared()).is_shared()
    True
    """
    return Context("cpu_shared", device_id)


def num_gpus() -> int:
    """Number of GPUs that can be used.

    >>> num_gpus() >= 0
    True
    """
    return int(_core.device_count(2))


def gpu_memory_info(device_id: int = 0) -> tuple[int, int]:
    """Free bytes of a GPU and all that it has."""
    from .util import get_gpu_memory

    return get_gpu_memory(device_id)


def device_of(numbers: tuple[int, int]) -> Context:
    """The context of a kind and an id."""
    return Context(Context.devtype2str[numbers[0]], numbers[1])


def named_device(name: str) -> Context:
    """The device that text such as ``"cuda:1"`` names; ``cuda`` and ``gpu`` are the same.

    >>> named_device("cpu:1"), named_device("cpu")
    (cpu(1), cpu(0))
    """
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "gpu", "cuda") or not (number or "0").isdigit():
        raise RefusedValueError(
            f"[context] a device is {name!r:.60}; expected text such as 'cpu' or 'cuda:0'"
        )
    return Context("gpu" if kind == "cuda" else kind, int(number or 0))


def chosen_context(ctx: Optional[Context], who: str) -> Context:
    """``ctx``, or the current device when it is None.

    >>> chosen_context(None, "zeros")
    cpu(0)
    """
    if ctx is None:
        return current_context()
    return ctx if isinstance(ctx, Context) else context_of(ctx, who)


def context_of(ctx: object, who: str) -> Context:
    """The device that text such as 'gpu' or 'cpu(1)' means.

    >>> context_of("cpu(1)", "zeros")
    cpu(1)
    """
    if not isinstance(ctx, str):
        hint = "; extents come as one shape: (2, 3)" if hasattr(ctx, "__index__") else ""
        if isinstance(ctx, type):
            hint = "; a dtype goes by keyword: dtype='float32'"
        raise TypeError(f"[{who}] ctx is {type(ctx).__name__}; expected a Context such as mx.cpu(0){hint}")
    kind, _, rest = ctx.partition("(")
    number = rest.rstrip(")") or "0"
    if kind in DTYPE_NUMBERS:
        raise TypeError(f"[{who}] ctx is {ctx!r}; a dtype goes by keyword: dtype={ctx!r}")
    if not number.isdecimal():
        raise ValueError(f"[{who}] ctx is {ctx!r:.60}; expected text such as 'cpu(0)'")
    return Context(kind, int(number))


def contexts_of(ctx: object, who: str) -> list[Context]:
    """The devices among which a module shares its batches: one, a list of them, or None (the first CPU).

    >>> contexts_of(cpu(1), "Module"), contexts_of([cpu(0), cpu(1)], "Module")
    ([cpu(1)], [cpu(0), cpu(1)])
    """
    several = list(ctx) if isinstance(ctx, (list, tuple)) else [cpu() if ctx is None else ctx]
    found = [one for one in several if isinstance(one, Context)]
    if not several or len(found) < len(several):
        raise TypeError(
            f"[{who}] context is {ctx!r:.60}; expected a Context such as mx.cpu(), or a list of them"
        )
    return found


def current_context() -> Context:
    """The device on which new arrays are placed.

    >>> current_context()
    cpu(0)
    """
    return device_of(_core.current_device())


current_device = current_context


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
