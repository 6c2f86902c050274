"""The stores that the library brings: ``local`` and ``device``."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from operator import index
from typing import Any, Callable, Union

from .. import _core
from .. import ndarray as nd
from .._files import PathLike, read_file, write_file
from ..base import RefusedTypeError, RefusedValueError
from ..ndarray import NDArray
from ..ndarray.sparse import RowSparseNDArray
from ..optimizer import Optimizer, Updater, get_updater
from ..optimizer.state_file import check_start
from .base import KVStoreBase

__all__ = ["KVStore"]

Key = Union[str, int]


def _one_key(key: Any, who: str) -> Key:
    if isinstance(key, str):
        return key
    return _whole(key, f"[{who}] the key", 63, "int or str")


def _whole(value: Any, what: str, bits: int, expected: str) -> int:
    """A whole number that fits; ``what`` begins the message if it does not."""
    try:
        number = index(value)
    except TypeError:
        raise RefusedTypeError(
            f"{what} {value!r:.60} is {type(value).__name__}; expected {expected}"
        ) from None
    if not -(2**bits) <= number < 2**bits:
        raise ValueError(f"{what} {number} does not fit; expected at most {bits} bits and a sign")
    return number


def _priority(value: Any, who: str) -> int:
    return _whole(value, f"[{who}] the priority", 31, "int")


def _real(value: Any, name: Any, who: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise RefusedValueError(f"[{who}] {name} is {value!r:.60}; expected a number") from None


def _flat(key: Any, value: Any, who: str) -> tuple[list[Key], list[NDArray]]:
    """One key per array: ``key`` is repeated for a list of arrays, one per device."""
    if isinstance(key, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(key) != len(value):
            count = f"{len(value)} values" if isinstance(value, (list, tuple)) else type(value).__name__
            raise RefusedValueError(
                f"[{who}] {len(key)} keys and {count}; expected one value, or list of them, per key"
            )
        keys: list[Key] = []
        arrays: list[NDArray] = []
        for one_key, one_value in zip(key, value):
            more_keys, more = _flat(_one_key(one_key, who), one_value, who)
            keys += more_keys
            arrays += more
        return keys, arrays
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    if not values:
        raise ValueError(f"[{who}] the value of key {key!r} is an empty list; expected at least one NDArray")
    for item in values:
        if not isinstance(item, NDArray):
            raise RefusedTypeError(
                f"[{who}] the value of key {key!r} is {type(item).__name__}; expected NDArray"
            )
    return [_one_key(key, who)] * len(values), values


def _rows_for(row_ids: Any, count: int, who: str) -> list[NDArray]:
    """An array of row numbers for each of ``count`` arrays."""
    rows: list[Any] = []
    for item in row_ids if isinstance(row_ids, (list, tuple)) else [row_ids]:
        rows += item if isinstance(item, (list, tuple)) else [item]
    for item in rows:
        if not isinstance(item, NDArray):
            raise TypeError(f"[{who}] row_ids has {type(item).__name__}; expected NDArray or a list of them")
    if len(rows) not in (1, count):
        raise ValueError(
            f"[{who}] {len(rows)} row_ids for {count} arrays; expected one for each, or one for all"
        )
    return rows * count if len(rows) == 1 else rows


def _without_rows(keys: list[Key], outs: list[NDArray], who: str) -> tuple[list[Key], list[NDArray]]:
    """What a pull of whole values writes: arrays of storage type row_sparse are left as they are."""
    kept = [(key, out) for key, out in zip(keys, outs) if not isinstance(out, RowSparseNDArray)]
    if len(kept) < len(outs):
        left = next(key for key, out in zip(keys, outs) if isinstance(out, RowSparseNDArray))
        warnings.warn(
            f"[{who}] arrays of storage type row_sparse are left as they are, such as that of key {left!r}; "
            "row_sparse_pull, or pull with ignore_sparse=False, writes them",
            UserWarning,
            stacklevel=3,
        )
    return [key for key, _ in kept], [out for _, out in kept]


class _UpdatesTogether:
    """The function that a store calls for an optimiser: what one call pushes is updated in one."""

    def __init__(self, updater: Updater) -> None:
        self._updater = updater
        self._thread = threading.local()

    def __call__(self, key: Any, received: NDArray, stored: NDArray) -> None:
        waiting = getattr(self._thread, "waiting", None)
        if waiting is None:
            self._updater(key, received, stored)
        else:
            waiting.append((key, received, stored))

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """A scope at whose end all that was pushed in it is updated."""
        waiting: list[tuple[Any, NDArray, NDArray]] = []
        self._thread.waiting = waiting
        try:
            yield
        finally:
            self._thread.waiting = None
        if waiting:
            keys, received, stored = (list(column) for column in zip(*waiting))
            self._updater(keys, received, stored)


class KVStore(KVStoreBase):
    """A store of arrays by key for the devices of this machine; made by :func:`mixgrad.kv.create`.

    Keys are ints or strings, not both in one store. Wherever a key and a value are taken, lists of both stand
    for several keys, and a list of arrays for one key for its devices. Values pushed for one key are added in
    the order of that list, so results do not depend on scheduling. A larger ``priority`` goes first.

    Examples
    --------
    >>> import mixgrad as mx
    >>> kv = mx.kv.create("device")
    >>> kv.init(["a", "b"], [mx.nd.zeros((2,)), mx.nd.zeros((3,))])
    >>> kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
    >>> gradients = [[mx.nd.ones((n,), mx.cpu(d)) for d in range(2)] for n in (2, 3)]
    >>> kv.push(["a", "b"], gradients, priority=1)
    >>> out = mx.nd.empty((3,))
    >>> kv.pull("b", out=out)
    >>> out.asnumpy().tolist()
    [-1.0, -1.0, -1.0]
    """

    def __init__(self, name: str) -> None:
        self._store = _core.KVStore(name)
        self._updater: Any = None
        self._together: _UpdatesTogether | None = None  # around an updater that takes several weights at once
        self._forms: dict[Key, tuple[tuple[int, ...], Any]] = {}  # shape and dtype of what is stored

    def __repr__(self) -> str:
        return f"KVStore({self.type!r})"

    def init(self, key: Any, value: Any) -> None:
        """Give keys their first values, which are copied. A key can be initialised once."""
        keys, values = _flat(key, value, "kvstore.init")
        self._store.init(keys, values)
        self._remember(keys, values)

    def push(self, key: Any, value: Any, priority: int = 0) -> None:
        """Sum the values of each key over devices; the updater, if any, changes the stored value by the sum,
        otherwise the sum replaces it."""
        keys, values = _flat(key, value, "kvstore.push")
        order = _priority(priority, "kvstore.push")
        with self._together.gathering() if self._together else nullcontext():
            self._store.push(keys, values, order)

    def pull(self, key: Any, out: Any = None, priority: int = 0, ignore_sparse: bool = True) -> None:
        """Copy stored values into the arrays ``out``.

        Those of storage type row_sparse are left as they are, with a warning, unless ``ignore_sparse`` is
        False: :meth:`row_sparse_pull` is meant for them.
        """
        if out is None:
            raise RefusedValueError("[kvstore.pull] out is None; expected the arrays to write to")
        keys, outs = _flat(key, out, "kvstore.pull")
        if ignore_sparse:
            keys, outs = _without_rows(keys, outs, "kvstore.pull")
        self._store.pull(keys, outs, _priority(priority, "kvstore.pull"))

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """:meth:`push`, then :meth:`pull`; without ``out`` into the arrays that were pushed."""
        keys, values = _flat(key, value, "kvstore.pushpull")
        out_keys, outs = (keys, values) if out is None else _flat(key, out, "kvstore.pushpull")
        out_keys, outs = _without_rows(out_keys, outs, "kvstore.pushpull")
        order = _priority(priority, "kvstore.pushpull")
        if self._together is None:
            self._store.push_pull(keys, values, out_keys, outs, order)
            return
        with self._together.gathering():
            self._store.push(keys, values, order)
        self._store.pull(out_keys, outs, order)

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """:meth:`init`, then :meth:`pull`."""
        keys, values = _flat(key, value, "kvstore.broadcast")
        out_keys, outs = _without_rows(*_flat(key, out, "kvstore.broadcast"), "kvstore.broadcast")
        self._store.broadcast(keys, values, out_keys, outs, _priority(priority, "kvstore.broadcast"))
        self._remember(keys, values)

    def _remember(self, keys: list[Key], values: list[NDArray]) -> None:
        self._forms.update({key: (value.shape, value.dtype) for key, value in zip(keys, values)})

    def _like(self, key: Key) -> NDArray | None:
        """An array of the shape and dtype of the stored value, which it does not contain."""
        if key not in self._forms:
            return None
        shape, dtype = self._forms[key]
        return nd.zeros(shape, dtype=dtype)

    def row_sparse_pull(self, key: Any, out: Any = None, priority: int = 0, row_ids: Any = None) -> None:
        """Copy rows of stored values into row_sparse arrays, which then store those rows and no others.

        Parameters
        ----------
        key : int, str, or list of them
            Which values.
        out : RowSparseNDArray, or list of them
            What is written.
        priority : int
            As for :meth:`pull`.
        row_ids : NDArray, or list of them
            Numbers of rows, in any order, of any shape and dtype; one that occurs twice counts once. A list
            has an array for each of ``out``; a single array is for all of them.

        Examples
        --------
        >>> import mixgrad as mx
        >>> kv = mx.kv.create()
        >>> kv.init("w", mx.nd.sparse.row_sparse_array(([[1], [2], [3]], [0, 1, 3]), shape=(4, 1)))
        >>> rows = mx.nd.sparse.zeros("row_sparse", (4, 1))
        >>> kv.row_sparse_pull("w", out=rows, row_ids=mx.nd.array([3, 1, 3]))
        >>> rows.indices.asnumpy().tolist(), rows.data.asnumpy().tolist()
        ([1, 3], [[2.0], [3.0]])
        """
        who = "kvstore.row_sparse_pull"
        if out is None or row_ids is None:
            missing = "out" if out is None else "row_ids"
            raise RefusedValueError(
                f"[{who}] {missing} is None; expected the arrays to write to and their rows"
            )
        keys, outs = _flat(key, out, who)
        rows = _rows_for(row_ids, len(outs), who)
        self._store.pull_rows(keys, outs, rows, _priority(priority, who))

    def set_gradient_compression(self, compression_params: Mapping[str, Any]) -> None:
        """Let the gradients of later pushes go compressed.

        What an element loses is kept, for each key and device, and added to its next gradient. Gradients
        must be dense and float32 from then on. Values that are pulled are never compressed.

        Parameters
        ----------
        compression_params : dict
            ``'type'``, and what that takes:

            - ``'2bit'``: elements of at least ``'threshold'`` (0.5 if not given) send it, those of at most
              -threshold send -threshold, all others 0;
            - ``'1bit'``: each element sends ``'threshold'`` with its sign; without a threshold the mean of
              the gradient's absolute values;
            - ``'fp16'``, ``'bf16'``: each element in 16 bits;
            - ``'topk'``: the ``'ratio'`` (0.01 if not given) of the elements that is largest by absolute
              value, as they are;
            - ``'none'``: gradients go whole.

        Raises
        ------
        UnsupportedError
            The store is ``local``, where gradients do not travel.
        ValueError
            A type or parameter that is not known, or a value out of range.

        Examples
        --------
        >>> import mixgrad as mx
        >>> kv = mx.kv.create("device")
        >>> kv.set_gradient_compression({"type": "2bit", "threshold": 0.5})
        >>> kv.init("w", mx.nd.zeros((3,)))
        >>> out = mx.nd.empty((3,))
        >>> for _ in range(2):
        ...     kv.pushpull("w", mx.nd.array([0.3, 0.7, -2]), out=out)
        ...     print(out.asnumpy().tolist())
        [0.0, 0.5, -0.5]
        [0.5, 0.5, -0.5]
        """
        who = "kvstore.set_gradient_compression"
        if not isinstance(compression_params, Mapping):
            raise RefusedTypeError(
                f"[{who}] got {compression_params!r:.60} ({type(compression_params).__name__}); expected a "
                "dict such as {'type': '2bit', 'threshold': 0.5}"
            )
        params = dict(compression_params)
        kind = params.pop("type", None)
        if not isinstance(kind, str):
            raise RefusedValueError(
                f"[{who}] {dict(compression_params)!r:.60} has no type; expected 'none', '2bit', '1bit', "
                "'fp16', 'bf16' or 'topk'"
            )
        self._store.set_compression(kind, [(str(name), _real(params[name], name, who)) for name in params])

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store has a capability; ``'optimizer'`` is the only one known."""
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return True
        raise ValueError(f"[kvstore.is_capable] unknown capability {capability!r}; known is 'optimizer'")

    # The optimiser.

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Let ``optimizer`` change stored weights by the gradients that are pushed."""
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"[kvstore.set_optimizer] expected an Optimizer, got {type(optimizer).__name__}")
        self.set_updater(get_updater(optimizer))

    def set_updater(self, updater: Callable[[Any, NDArray, NDArray], None] | None) -> None:
        """Let ``updater(key, received, stored)`` change ``stored`` at each push; None: pushes replace it.

        It runs in the pushing thread, once per key in the order of the keys.

        >>> import mixgrad as mx
        >>> kv = mx.kv.create()
        >>> def twice(key, received, stored):
        ...     stored += 2 * received
        >>> kv.set_updater(twice)
        >>> kv.init(3, mx.nd.ones((1,)))
        >>> kv.push(3, mx.nd.ones((1,)))
        >>> out = mx.nd.empty((1,))
        >>> kv.pull(3, out=out)
        >>> float(out.asscalar())
        3.0
        """
        if updater is not None and not callable(updater):
            raise TypeError(f"[kvstore.set_updater] expected a function, got {type(updater).__name__}")
        together = None
        if type(updater) is Updater and self._gathers_updates():
            together = _UpdatesTogether(updater)
        self._store.set_updater(together or updater)
        self._updater, self._together = updater, together

    _set_updater = set_updater

    def _gathers_updates(self) -> bool:
        """Whether what one call pushes may be updated at its end."""
        return True

    def save_optimizer_states(self, fname: PathLike, dump_optimizer: bool = False) -> None:
        """Write the states of the optimiser (and its settings, if ``dump_optimizer``) to a file.

        The file appears complete or not at all, also when the process is killed.
        """
        states = self._states_owner("save_optimizer_states").get_states(dump_optimizer)
        write_file(fname, states, "kvstore.save_optimizer_states")

    def load_optimizer_states(self, fname: PathLike) -> None:
        """Read states that :meth:`save_optimizer_states` or MXNet wrote; reading them runs no code."""
        owner = self._states_owner("load_optimizer_states")
        states = read_file(fname, "kvstore.load_optimizer_states", check_start)
        if type(owner).set_states is Updater.set_states:
            owner.set_states(states, self._like)
        else:
            owner.set_states(states)

    def _states_owner(self, who: str) -> Updater:
        if not isinstance(self._updater, Updater):
            raise RefusedValueError(f"[kvstore.{who}] the store has no optimiser; call set_optimizer first")
        return self._updater

    # The group of workers.

    @property
    def type(self) -> str:
        """The name the store was made with, in lower case."""
        return self._store.type

    @property
    def rank(self) -> int:
        """Number of this worker, from 0."""
        return self._store.rank

    @property
    def num_workers(self) -> int:
        """Number of workers; 1 for stores of one machine."""
        return self._store.num_workers

    def barrier(self) -> None:
        """Wait until every worker is here."""
        self._store.barrier()

    _barrier = barrier
