"""What every store offers, the registry of stores written in Python, and ``create``."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

__all__ = ["KVStoreBase", "TestStore", "create"]

Klass = TypeVar("Klass", bound="type[KVStoreBase]")


class KVStoreBase:
    """Base of all stores. A subclass that is registered can be made by its name:

    >>> import mixgrad as mx
    >>> @mx.kv.KVStoreBase.register
    ... class Echo(mx.kv.KVStoreBase):
    ...     rank, num_workers, type = 0, 1, "echo"
    ...     def pushpull(self, key, value, out=None, priority=0):
    ...         value.copyto(out)
    ...     def is_capable(self, capability):
    ...         return False
    >>> out = mx.nd.zeros((2,))
    >>> mx.kv.create("echo").pushpull("w", mx.nd.ones((2,)), out)
    >>> out.asnumpy().tolist()
    [1.0, 1.0]
    """

    OPTIMIZER: ClassVar[str] = "optimizer"
    kv_registry: ClassVar[dict[str, type[KVStoreBase]]] = {}

    def _absent(self, what: str) -> NotImplementedError:
        return NotImplementedError(f"[{type(self).__name__}] this store does not offer {what}")

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Give every worker and device the ``value`` of rank 0."""
        raise self._absent("broadcast")

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum ``value`` over devices and workers, and put what the store then holds into ``out``."""
        raise self._absent("pushpull")

    def set_optimizer(self, optimizer: Any) -> None:
        """Let ``optimizer`` change the stored weights by what is pushed."""
        raise self._absent("set_optimizer")

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether stores of this kind have a capability, such as ``KVStoreBase.OPTIMIZER``."""
        raise NotImplementedError(f"[is_capable] this store does not say whether it has {capability!r:.60}")

    def save_optimizer_states(self, fname: Any, dump_optimizer: bool = False) -> None:
        """Write the states of the store's optimiser to a file."""
        raise self._absent("save_optimizer_states")

    def load_optimizer_states(self, fname: Any) -> None:
        """Read the states of the store's optimiser from a file."""
        raise self._absent("load_optimizer_states")

    @property
    def type(self) -> str:
        """Name of the kind of store."""
        raise self._absent("type")

    @property
    def rank(self) -> int:
        """Number of this worker, from 0."""
        raise self._absent("rank")

    @property
    def num_workers(self) -> int:
        """Number of workers."""
        raise self._absent("num_workers")

    @staticmethod
    def register(klass: Klass) -> Klass:
        """File a class under its lower-case name for :func:`create`; return the class."""
        KVStoreBase.kv_registry[klass.__name__.lower()] = klass
        return klass


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A store without memory, which sums over devices: for tests of code that takes any store."""

    __test__ = False

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copy ``value`` into the arrays ``out``."""
        for target in out if isinstance(out, (list, tuple)) else [out]:
            value.copyto(target)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Put the sum of ``value`` into the arrays ``out``, or into those that were given."""
        values = value if isinstance(value, (list, tuple)) else [value]
        outs = values if out is None else out if isinstance(out, (list, tuple)) else [out]
        total = values[0].copy()
        for more in values[1:]:
            total += more.as_in_context(total.context)
        for target in outs:
            total.copyto(target)

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Whether the store has a capability; it has no optimiser."""
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return False
        raise ValueError(f"[kvstore.is_capable] unknown capability {capability!r}; known is 'optimizer'")

    @property
    def type(self) -> str:
        """Name of the kind of store."""
        return "teststore"

    @property
    def rank(self) -> int:
        """Number of this worker."""
        return 0

    @property
    def num_workers(self) -> int:
        """Number of workers."""
        return 1


def create(name: str = "local") -> KVStoreBase:
    """Make a store.

    Parameters
    ----------
    name : str
        ``'local'`` (values live on the host and gradients are summed there), ``'device'`` (both happen on the
        devices that push), ``'dist_sync'``, ``'dist_async'``, ``'dist_device_sync'`` or
        ``'dist_device_async'`` (values live in server processes and are shared by all workers; the
        environment says by which, as ``mixgrad launch`` sets it), ``'collective'`` (every worker holds all
        values, and there are no servers: ``mixgrad launch -s 0``), ``'collective_sharded'`` (the same, and
        each state of the optimiser lives in one worker alone), or the name of a registered class.

    Raises
    ------
    UnsupportedError
        For ``nccl`` and the like, and where ZeroMQ is missing: the message says so.
    ValueError
        A variable of the environment that a store of several processes needs is missing, or makes no sense.
    MXNetError
        Processes of such a store were not there within the time limit: the message names them.

    Examples
    --------
    >>> import mixgrad as mx
    >>> kv = mx.kv.create("local")
    >>> kv.init("w", mx.nd.ones((2,)))
    >>> kv.push("w", [mx.nd.ones((2,), mx.cpu(0)), mx.nd.ones((2,), mx.cpu(1))])
    >>> out = mx.nd.zeros((2,))
    >>> kv.pull("w", out=out)
    >>> out.asnumpy().tolist()
    [2.0, 2.0]
    """
    if not isinstance(name, str):
        raise TypeError(f"[kvstore.create] expected a name, got {type(name).__name__}: {name!r}")
    klass = KVStoreBase.kv_registry.get(name.lower())
    if klass is not None:
        return klass()
    if name.lower().startswith("dist"):
        from .distributed import DistributedKVStore

        return DistributedKVStore(name)
    if name.lower() in ("collective", "collective_sharded"):
        from .collective import CollectiveKVStore

        return CollectiveKVStore(name)
    from .kvstore import KVStore

    return KVStore(name)
