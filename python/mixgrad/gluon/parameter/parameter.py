"""A parameter: an array on each of several devices, its gradients, and how it starts."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ... import autograd, initializer
from ... import ndarray as nd
from ..._np_semantics import is_np_array
from ...base import (
    STORAGE_TYPES,
    DTypeLike,
    RefusedValueError,
    dtype_number,
    grad_req_number,
)
from ...context import Context, cpu, current_context
from ...ndarray import NDArray
from ..utils import shape_is_known
from .errors import DeferredInitializationError
from .shapes import Shape, given_shape, shown_shape

if TYPE_CHECKING:
    from ...symbol import Symbol

__all__ = ["Parameter", "generation"]

Contexts = Union[Context, Sequence[Context], None]


class _Generation:
    """Counts how often parameters got other arrays, which blocks keep until then."""

    number = 0


generation = _Generation()


def contexts_of(ctx: Contexts) -> list[Context]:
    """The devices that a ``ctx`` argument means."""
    if ctx is None:
        return [current_context()]
    found = [ctx] if isinstance(ctx, Context) else list(ctx) if isinstance(ctx, Iterable) else []
    if not found or not all(isinstance(one, Context) for one in found):
        raise TypeError(f"[Parameter] ctx is {ctx!r:.60}; expected a Context, or a list of them")
    return found


def _place(context: Context) -> tuple[int, int]:
    """What a device has arrays under: pinned and shared memory belong to the host."""
    kind, number = context.numbers
    return kind & 1, number


class Parameter:
    """A trainable array, or one that a block keeps, with a copy on each of its devices.

    Blocks make parameters by ``self.params.get(name, ...)``. A shape with unknown extents (0) is completed at
    the first forward pass.

    Parameters
    ----------
    name : str
        Under which symbols and files know it.
    grad_req : {'write', 'add', 'null'}
        What a backward pass does with its gradient.
    shape : int or tuple of int, optional
        0 for an extent that is not known yet.
    dtype : dtype
        Of the array.
    lr_mult, wd_mult : float
        Factors of the learning rate and of the weight decay.
    init : Initializer or str, optional
        How it starts; by default as :meth:`initialize` says.
    allow_deferred_init : bool
        Whether an unknown shape is allowed until the first forward pass.
    differentiable : bool
        False: there is never a gradient.
    stype, grad_stype : {'default', 'row_sparse', 'csr'}
        Storage types of the array and of its gradient.

    Examples
    --------
    >>> import mixgrad as mx
    >>> weight = mx.gluon.Parameter("weight", shape=(2, 3))
    >>> weight.initialize(mx.init.One())
    >>> with mx.autograd.record():
    ...     loss = (weight.data() * 2).sum()
    >>> loss.backward()
    >>> weight.grad().asnumpy()
    array([[2., 2., 2.],
           [2., 2., 2.]], dtype=float32)
    """

    _grad_req: Optional[str]

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: Any = None,
        dtype: Optional[DTypeLike] = np.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        for what, value in (("stype", stype), ("grad_stype", grad_stype)):
            if value not in STORAGE_TYPES:
                raise RefusedValueError(
                    f"[Parameter] {what} of {name!r} is {value!r}; expected 'default', 'row_sparse' or 'csr'"
                )
        self.name = name
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.init = init
        self._var: Optional[Symbol] = None
        self._data: Optional[list[NDArray]] = None
        self._grad: Optional[list[NDArray]] = None
        self._ctx_list: Optional[list[Context]] = None
        self._places: dict[tuple[int, int], int] = {}
        self._trainer: Any = None
        # While it waits for its shape: initialiser, devices, the initialiser of the model, values.
        self._deferred_init: tuple[Any, ...] = ()
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._shape = given_shape(shape)
        self._dtype = dtype
        self._stype = stype
        self._grad_stype = grad_stype
        self._grad_req = None
        self.grad_req = grad_req

    def __repr__(self) -> str:
        return f"Parameter {self.name} (shape={self.shape}, dtype={self.dtype})"

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have: all but the trainer, which updates the original."""
        return {**self.__dict__, "_trainer": None, "_var": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        generation.number += 1
        request = grad_req_number(self.grad_req, "Parameter")
        if self._data is not None:
            # Shared arrays that come back are those of the original, with its gradients.
            self._data = [array.detach() if array._variable else array for array in self._data]
        for array, gradient in zip(self._data or (), self._grad or ()):
            array._attach_grad(gradient, request)

    # What it is.

    @property
    def grad_req(self) -> str:
        """What a backward pass does with the gradient: 'write', 'add' or 'null'."""
        assert self._grad_req is not None
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req not in ("write", "add", "null"):
            raise RefusedValueError(
                f"[Parameter] grad_req of {self.name!r} is {req!r}; expected 'write', 'add' or 'null'"
            )
        if not self._differentiable:
            req = "null"
        if self._grad_req == req:
            return
        self._grad_req = req
        generation.number += 1
        if req == "null" and self._grad is not None:
            assert self._data is not None
            self._grad = None
            self._data = [array.detach() for array in self._data]
        elif self._data is not None:
            self._init_grad()

    @property
    def dtype(self) -> Any:
        """The dtype, as it was given; setting it casts the arrays."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: DTypeLike) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> Optional[Shape]:
        """The shape, with 0 for extents that are not known (-1 inside :func:`mixgrad.np_shape`)."""
        return shown_shape(self._shape)

    @shape.setter
    def shape(self, new_shape: Any) -> None:
        shape = given_shape(new_shape)
        known = self._shape
        if known is not None and (
            shape is None
            or len(shape) != len(known)
            or any(was not in (0, -1, now) for was, now in zip(known, shape))
        ):
            raise RefusedValueError(
                f"[Parameter] {self.name!r} has the shape {known}, with which {shape} is incompatible"
            )
        self._shape = shape

    @property
    def stype(self) -> str:
        """Storage type of the array."""
        return self._stype

    @property
    def grad_stype(self) -> str:
        """Storage type of the gradient."""
        return self._grad_stype

    def _set_trainer(self, trainer: Any) -> None:
        """Says which trainer updates it; a sparse one has at most one, which holds its rows."""
        if self._stype != "default" and None not in (self._trainer, trainer) and self._trainer is not trainer:
            raise RuntimeError(
                f"[Parameter] {self.name!r} is of storage type {self._stype} and has a trainer already; "
                "expected one trainer, which holds its rows"
            )
        self._trainer = trainer

    # Its first values.

    def initialize(
        self,
        init: Any = None,
        ctx: Contexts = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Make the arrays, and the gradients, and fill the arrays.

        Parameters
        ----------
        init : Initializer or str, optional
            How; by default the parameter's own ``init``, else ``default_init``.
        ctx : Context or list of Context, optional
            Devices, each of which gets a copy; the current one by default.
        default_init : Initializer, optional
            Used where nothing else says; ``Uniform()`` by default.
        force_reinit : bool
            Whether values that are there already are replaced.

        Raises
        ------
        ValueError
            The shape is not known, and ``allow_deferred_init`` is False.

        Examples
        --------
        >>> import mixgrad as mx
        >>> weight = mx.gluon.Parameter("weight", shape=(2, 2))
        >>> weight.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
        >>> weight.list_ctx()
        [cpu(0), cpu(1)]
        """
        if self._data is not None and not force_reinit:
            warnings.warn(
                f"[Parameter] {self.name!r} is already initialized and stays as it is; "
                "force_reinit=True gives it new values",
                stacklevel=2,
            )
            return
        self._data = self._grad = None
        generation.number += 1
        contexts = contexts_of(ctx)
        default = initializer.Uniform() if default_init is None else default_init
        if init is None:
            init = default if self.init is None else self.init
        if not shape_is_known(self.shape) and not self._allow_deferred_init:
            raise ValueError(
                f"[Parameter.initialize] {self.name!r} has the invalid shape {self.shape}; expected all "
                "extents to be known"
            )
        self._deferred_init = (init, contexts, default, None)
        if shape_is_known(self.shape):
            self._finish_deferred_init()

    def _finish_deferred_init(self) -> None:
        """Fill the arrays, once the shape is known."""
        if not self._deferred_init:
            return
        init, contexts, default, data = self._deferred_init
        self._deferred_init = ()
        shape = self._shape
        if shape is None or not shape_is_known(self.shape):
            raise RefusedValueError(
                f"[Parameter] {self.name!r} cannot be initialised, since its shape {self.shape} has unknown "
                "extents; expected in_units, in_channels or the like of its block"
            )
        with autograd.pause():
            if data is None:
                data = in_force(nd.zeros(shape, dtype=self._dtype, ctx=cpu(), stype=self._stype))
                description = initializer.InitDesc(self.name, {"__init__": init})
                initializer.create(default)(description, data)
            self._init_impl(data, contexts)

    def _init_impl(self, data: NDArray, contexts: Sequence[Context]) -> None:
        """Copy values to each device."""
        self._ctx_list = list(contexts)
        self._places = {}
        for place, context in enumerate(self._ctx_list):
            self._places.setdefault(_place(context), place)
        self._data = [in_force(data.copyto(context)) for context in self._ctx_list]
        generation.number += 1
        self._init_grad()

    def _init_grad(self) -> None:
        """Make the gradients."""
        if self.grad_req == "null":
            self._grad = None
            return
        assert self._data is not None
        request = grad_req_number(self.grad_req, "Parameter")
        self._grad = []
        for array in self._data:
            gradient = nd.zeros(array.shape, dtype=array.dtype, ctx=array.context, stype=self._grad_stype)
            self._grad.append(in_force(gradient))
            array._attach_grad(gradient, request)

    def _load_init(
        self, data: NDArray, ctx: Contexts, cast_dtype: bool = False, dtype_source: str = "current"
    ) -> None:
        """Take values from a file.

        Parameters
        ----------
        data : NDArray
            The values.
        ctx : Context or list of Context, optional
            Devices; by default those it has, or the CPU.
        cast_dtype : bool
            Whether dtypes may differ.
        dtype_source : {'current', 'saved'}
            The dtype it has afterwards: its own, or that of the file.
        """
        if cast_dtype and dtype_source not in ("current", "saved"):
            raise RefusedValueError(f"[load] dtype_source is {dtype_source!r}; expected 'current' or 'saved'")
        if self._shape:
            fits = len(self._shape) == len(data.shape) and all(
                own in (0, -1, found) for own, found in zip(self._shape, data.shape)
            )
            if not fits:
                raise RefusedValueError(
                    f"[load] the saved shape {data.shape} of {self.name!r} is incompatible with the expected "
                    f"shape {self.shape}; load the file into a network of the sizes it was written with, "
                    "whose layers can then be replaced, as net.output by one for other classes"
                )
            self._shape = data.shape
        if self._dtype is not None:
            if cast_dtype and dtype_numbers_differ(self._dtype, data):
                if dtype_source == "current":
                    data = data.astype(self._dtype, copy=False)
                else:
                    self.dtype = data.dtype
            elif dtype_numbers_differ(self._dtype, data):
                raise RefusedValueError(
                    f"[load] the saved dtype of {self.name!r} is {data._dtype_name()}; expected "
                    f"{_dtype_text(self._dtype)}; cast_dtype=True casts it"
                )
        if self._stype != data.stype:
            data = data.tostype(self._stype)
        contexts = None if ctx is None else contexts_of(ctx)
        if self._data is None:
            if self._deferred_init:
                waiting = self._deferred_init[1]
                if contexts is not None and set(contexts) != set(waiting):
                    raise RefusedValueError(
                        f"[load] {self.name!r} was initialised on {waiting}; it cannot be loaded on "
                        f"{contexts}"
                    )
                contexts = waiting
            self._init_impl(data, [cpu()] if contexts is None else contexts)
        else:
            if contexts is not None and set(contexts) != set(self.list_ctx()):
                raise RefusedValueError(
                    f"[load] {self.name!r} was initialised on {self.list_ctx()}; it cannot be loaded on "
                    f"{contexts}"
                )
            self.set_data(data)
        self._deferred_init = ()

    # Its arrays.

    def _check_and_get(self, arrays: Optional[list[NDArray]], ctx: Any) -> Any:
        if arrays is not None:
            if ctx is list:
                return arrays
            if ctx is None:
                if len(arrays) == 1:
                    return arrays[0]
                ctx = current_context()
            place = self._places.get(_place(ctx))
            if place is not None:
                return arrays[place]
            raise RuntimeError(
                f"[Parameter] {self.name!r} is not on {ctx}; it was initialised on {self._ctx_list}"
            )
        if self._deferred_init:
            raise DeferredInitializationError(
                f"[Parameter] {self.name!r} has not been initialized yet: its shape {self.shape} becomes "
                "known at the first forward pass; run a batch first, or give in_units or in_channels"
            )
        raise RuntimeError(
            f"[Parameter] {self.name!r} has not been initialized; call initialize() of the block that holds "
            "it, or of its collect_params(), which has the parameters of children, too"
        )

    def data(self, ctx: Optional[Context] = None) -> NDArray:
        """The array on a device, the one device or the current one by default."""
        if self._stype != "default":
            raise RuntimeError(
                f"[Parameter.data] {self.name!r} is of storage type {self._stype}, of which "
                "row_sparse_data() gives rows"
            )
        array: NDArray = self._check_and_get(self._data, ctx)
        return array

    def list_data(self) -> list[NDArray]:
        """The arrays on all devices, in the order of :meth:`list_ctx`."""
        if self._stype != "default":
            raise RuntimeError(
                f"[Parameter.list_data] {self.name!r} is of storage type {self._stype}, of which "
                "list_row_sparse_data() gives rows"
            )
        arrays: list[NDArray] = self._check_and_get(self._data, list)
        return arrays

    def grad(self, ctx: Optional[Context] = None) -> NDArray:
        """The gradient on a device."""
        self._check_gradients()
        array: NDArray = self._check_and_get(self._grad, ctx)
        return array

    def list_grad(self) -> list[NDArray]:
        """The gradients on all devices."""
        self._check_gradients()
        arrays: list[NDArray] = self._check_and_get(self._grad, list)
        return arrays

    def _check_gradients(self) -> None:
        if self._data is not None and self._grad is None:
            raise RuntimeError(f"[Parameter] {self.name!r} has no gradient, since its grad_req is 'null'")

    def list_ctx(self) -> list[Context]:
        """The devices that it is, or will be, on."""
        if self._data is None:
            if self._deferred_init:
                return list(self._deferred_init[1])
            raise RuntimeError(f"[Parameter] {self.name!r} has not been initialized")
        assert self._ctx_list is not None
        return self._ctx_list

    def row_sparse_data(self, row_id: NDArray) -> NDArray:
        """Rows of a row_sparse parameter, on the device of their numbers.

        Parameters
        ----------
        row_id : NDArray
            Numbers of rows; one that occurs twice counts once.
        """
        self._check_row_sparse("row_sparse_data")
        array: NDArray = self._get_row_sparse(self._data, row_id.context, row_id)
        return array

    def list_row_sparse_data(self, row_id: NDArray) -> list[NDArray]:
        """The same rows on all devices."""
        self._check_row_sparse("list_row_sparse_data")
        arrays: list[NDArray] = self._get_row_sparse(self._data, list, row_id)
        return arrays

    def _check_row_sparse(self, who: str) -> None:
        if self._stype != "row_sparse":
            raise RuntimeError(
                f"[Parameter.{who}] {self.name!r} is of storage type {self._stype}, which data() and "
                "list_data() give"
            )

    def _get_row_sparse(self, arrays: Optional[list[NDArray]], ctx: Any, row_id: NDArray) -> Any:
        if not isinstance(row_id, NDArray):
            raise TypeError(f"[Parameter] row_id is {type(row_id).__name__}; expected NDArray")
        if not self._trainer:
            raise RuntimeError(
                f"[Parameter] rows of {self.name!r} come from the trainer that has it; no Trainer was made "
                "with it yet"
            )
        results = self._check_and_get(arrays, ctx)
        self._trainer._row_sparse_pull(self, results, row_id)
        return results

    def set_data(self, data: Any) -> None:
        """Give it these values on all devices.

        Parameters
        ----------
        data : NDArray
            Of its shape; any dtype.
        """
        if not hasattr(data, "shape"):
            raise TypeError(f"[Parameter.set_data] got {type(data).__name__}; expected an array")
        self.shape = data.shape
        if self._data is None:
            if not self._deferred_init:
                raise RefusedValueError(f"[Parameter.set_data] {self.name!r} has not been initialized")
            self._deferred_init = (*self._deferred_init[:3], data)
            return
        # A store that updates weights has values of its own, which it has to take from here again.
        trainer = self._trainer
        in_store = trainer and trainer._kv_initialized and trainer._update_on_kvstore
        if in_store and self not in trainer._params_to_init:
            trainer._reset_kvstore()
        with autograd.no_grad():
            for array in self._data:
                array[:] = data

    def zero_grad(self) -> None:
        """Fill the gradients with zeros."""
        for gradient in self._grad or ():
            _fill_zeros(gradient)

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move it to other devices.

        Parameters
        ----------
        ctx : Context or list of Context, optional
            Where it goes; the current device by default.
        """
        contexts = contexts_of(ctx)
        if self._data is not None:
            data = self._reduce()
            with autograd.pause():
                self._init_impl(data, contexts)
        elif self._deferred_init:
            init, _, default, data = self._deferred_init
            self._deferred_init = (init, contexts, default, data)
        else:
            raise ValueError(
                f"[Parameter.reset_ctx] {self.name!r} has not been initialized, so it is on no device"
            )

    def cast(self, dtype: DTypeLike) -> None:
        """Cast array and gradient to another dtype."""
        if dtype is not None:
            dtype_number(dtype)  # an error leaves it as it was
        self._dtype = dtype
        if self._data is None:
            return
        with autograd.pause():
            self._data = [array.astype(dtype) for array in self._data]
            generation.number += 1
            self._init_grad()

    def _reduce(self) -> NDArray:
        """The mean over devices, on the CPU; of a row_sparse one all rows."""
        if self._stype == "default":
            copies = [array.copyto(cpu()) for array in self.list_data()]
            if len(copies) == 1:
                return copies[0]
            total: NDArray = nd.add_n(*copies)
            return total / len(copies)
        assert self._shape is not None
        rows = nd.arange(0, self._shape[0], dtype="int64", ctx=cpu())
        data = nd.zeros(self._shape, stype="row_sparse", ctx=cpu(), dtype=self._dtype)
        if not self._trainer:
            raise RuntimeError(
                f"[Parameter] rows of {self.name!r} come from the trainer that has it; no Trainer was made "
                "with it yet"
            )
        self._trainer._row_sparse_pull(self, data, rows, full_idx=True)
        return data

    def var(self) -> Symbol:
        """The variable that stands for it in symbols."""
        if self._var is None:
            from ...symbol import var

            self._var = var(
                self.name,
                shape=self.shape,
                dtype=self._dtype,
                lr_mult=self.lr_mult,
                wd_mult=self.wd_mult,
                init=None if isinstance(self.init, initializer.Load) else self.init,  # arrays have no text
                stype=self._stype,
            )
        return self._var


def in_force(x: Any) -> Any:
    """An array or a symbol, of ``mx.np`` where these are in force (``mx.npx.set_np``)."""
    return x.as_np_ndarray() if is_np_array() else x


def dtype_numbers_differ(dtype: DTypeLike, data: NDArray) -> bool:
    """Whether an array is of another dtype."""
    return dtype_number(dtype) != data._dtype_number


def _dtype_text(dtype: DTypeLike) -> str:
    return dtype if isinstance(dtype, str) else getattr(dtype, "__name__", str(dtype))


def _fill_zeros(gradient: NDArray) -> None:
    if gradient.stype == "default":
        gradient[:] = 0
    else:
        nd.zeros(gradient.shape, dtype=gradient.dtype, ctx=gradient.context, stype=gradient.stype).copyto(
            gradient
        )
