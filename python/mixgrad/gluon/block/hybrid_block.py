"""Blocks that run operator by operator or, hybridised, as one planned graph."""

from __future__ import annotations

from typing import Any, Callable, Optional

from ... import ndarray as nd
from ... import symbol as sym
from ...base import DTypeLike, UnknownExtentsError, UnsupportedError
from ...context import Context, device_of
from ...ndarray import NDArray
from ...symbol import Symbol
from ..parameter import DeferredInitializationError, ParameterDict
from ..parameter.parameter import generation, in_force
from .block import Block
from .flags import check_backend, known_flags
from .graph import BlockGraph
from .structure import flatten, gather, regroup

__all__ = ["HybridBlock"]

_SYMBOLS = (
    "{} is hybridised: hybrid_forward gets symbols, without values and shapes; use operators of F (F.where, "
    "F.slice_axis), keep arrays as self.params.get_constant(name, array), or call hybridize(False)"
)


class HybridBlock(Block):
    """A block whose computation is written once for arrays and symbols.

    A subclass defines ``hybrid_forward(F, x, ..., **params)``: ``F`` is :mod:`mixgrad.nd` or
    :mod:`mixgrad.sym`, and parameters that are attributes come by their names. After :meth:`hybridize` the
    block runs as a graph, which is written down at the next call and planned once for each combination of
    shapes and dtypes; each pass is then one call of the library.

    Parameters
    ----------
    prefix : str, optional
        What the names of its parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Gate(mx.gluon.HybridBlock):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         with self.name_scope():
    ...             self.scale = self.params.get("scale", shape=(1,), init="ones")
    ...     def hybrid_forward(self, F, x, scale):
    ...         return F.broadcast_mul(F.sigmoid(x), scale)
    >>> gate = Gate()
    >>> gate.initialize()
    >>> gate.hybridize()
    >>> gate(mx.nd.zeros((2,))).asnumpy()
    array([0.5, 0.5], dtype=float32)
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix, params)
        self._active = False
        self._flags: list[tuple[str, Any]] = []
        self._inline_limit = 2
        # The symbol of the computation: its inputs and outputs, which _get_graph makes.
        self._cached_graph: tuple[Any, ...] = ()
        self._cached_op: Optional[BlockGraph] = None
        self._has_no_graph = False
        self._in_format: Any = None
        self._out_format: Any = None
        self._callback: Optional[Callable[..., Any]] = None
        self._monitor_all = False
        # Arrays of its own parameters by device, valid while no parameter gets others.
        self._bound: dict[tuple[int, int], dict[str, NDArray]] = {}
        self._bound_at = -1

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, HybridBlock):
            self._clear_cached_op()

    def register_child(self, block: Block, name: Optional[str] = None) -> None:
        """Make a hybrid block a child, under a name or the next number."""
        if not isinstance(block, HybridBlock):
            raise ValueError(
                f"[{type(self).__name__}] children of a HybridBlock must be HybridBlocks; {block!r:.200} is "
                f"a {type(block).__name__}; Sequential takes any blocks"
            )
        super().register_child(block, name)
        self._clear_cached_op()

    def hybridize(
        self,
        active: bool = True,
        backend: Optional[str] = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: Optional[int] = None,
        backward_bulk_size: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        """Run as a planned graph from the next call on.

        Parameters
        ----------
        active : bool
            Whether from now on, or no longer.
        backend : str, optional
            A backend of MXNet's; the planner optimises in any case, for the device that runs the graph.
        clear : bool
            Whether a graph that is there already is written down again.
        static_alloc, static_shape : bool
            Accepted for MXNet's sake: memory is always planned, once for each combination of shapes.
        inline_limit : int
            While gradients are recorded, graphs of at most this many operators run one by one, unless
            ``static_alloc``; gradients of gradients pass through these.
        forward_bulk_size, backward_bulk_size : int, optional
            Accepted for MXNet's sake: the whole graph is one task.
        **kwargs
            Options of the backend. Without one they are of no use, and a warning says so.
        """
        if backend is not None:
            check_backend(backend, "hybridize")
        else:
            known_flags(self, kwargs)
        self._active = active
        self._flags = [
            ("static_alloc", static_alloc),
            ("static_shape", static_shape),
            ("inline_limit", inline_limit),
        ]
        self._inline_limit = 0 if static_alloc else inline_limit
        if clear:
            self._clear_cached_op()
        super().hybridize(
            active,
            static_alloc=static_alloc,
            static_shape=static_shape,
            inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size,
            backward_bulk_size=backward_bulk_size,
        )

    def cast(self, dtype: DTypeLike) -> None:
        """Cast all parameters to another dtype."""
        self._clear_cached_op()
        super().cast(dtype)

    # The graph.

    def _clear_cached_op(self) -> None:
        self._cached_graph = ()
        self._cached_op = None
        self._has_no_graph = False

    def _get_graph(self, *args: Any) -> tuple[Any, ...]:
        """The symbols of the inputs and the outputs, for inputs of this structure."""
        if not self._cached_graph:
            flat, self._in_format = flatten(args, "input")
            count = sum(one is not None for one in flat)
            if count == 0:
                raise ValueError(
                    f"[{type(self).__name__}] all inputs are None: {args!r}; expected at least one array"
                )
            inputs = [in_force(sym.var("data" if count == 1 else f"data{i}")) for i in range(count)]
            grouped = regroup(iter(inputs), self._in_format)
            outputs = self._call_symbols(*grouped)
            if outputs is None:
                raise ValueError(
                    f"[{type(self).__name__}] hybrid_forward gave None; expected arrays (a return?)"
                )
            flat_outputs, self._out_format = flatten(outputs, "output")
            self._cached_graph = inputs, sym.Group([one for one in flat_outputs if one is not None])
        return self._cached_graph

    def _call_symbols(self, *args: Any) -> Any:
        params = {name: in_force(parameter.var()) for name, parameter in self._reg_params.items()}
        try:
            with self.name_scope():
                return self.hybrid_forward(sym, *args, **params)
        except (TypeError, AttributeError, UnsupportedError) as error:
            if hasattr(error, "add_note") and not getattr(error, "__notes__", None):
                error.add_note(_SYMBOLS.format(type(self).__name__))
            raise

    def _build_cache(self, *args: Any) -> BlockGraph:
        inputs, outputs = self._get_graph(*args)
        graph = BlockGraph(self.name, inputs, outputs, self.collect_params(), self._inline_limit)
        self._cached_op = graph
        return graph

    def _call_cached_op(self, *args: Any) -> Any:
        """Run the graph, which the first call writes down."""
        graph = self._cached_op
        if graph is None:
            try:
                if self._has_no_graph:
                    return self._call_arrays(*args)
                graph = self._build_cache(*args)
            except UnknownExtentsError:
                self._has_no_graph = True
                return self._call_arrays(*args)
        given = args
        if len(args) != 1 or self._in_format != [0] or not isinstance(args[0], NDArray):
            found, structure = flatten(args, "input")
            if structure != self._in_format:
                self._check_structure(structure)
            args = tuple(one for one in found if one is not None)
        arrays = graph.arrays_on(args[0]._device)
        if arrays is None:
            arrays = self._bind(graph, args[0].context, given)
        if self._callback is not None:
            results = graph.run_watched(self._callback, self._monitor_all, args, arrays)
        else:
            results = graph.run(*args, *arrays)
        if self._out_format == 0:
            return results
        return regroup(iter(results if isinstance(results, list) else [results]), self._out_format)

    def _call_arrays(self, *args: Any) -> Any:
        """Run without a graph, which a block lacks whose operators depend on extents or elements."""
        arrays: list[NDArray] = []
        gather(args, arrays, [])
        return self.hybrid_forward(nd, *args, **self._own_arrays(arrays[0]._device, args))

    def _bind(self, graph: BlockGraph, context: Context, args: tuple[Any, ...]) -> tuple[NDArray, ...]:
        """The arrays of all parameters on a device, which are initialised if they waited for their shapes."""
        try:
            return graph.bind(context)
        except DeferredInitializationError:
            self._deferred_infer_shape(*args)
            for parameter in graph.parameters:
                parameter._finish_deferred_init()
            return graph.bind(context)

    def _check_structure(self, structure: Any) -> None:
        """Refuse inputs of another structure; Nones at the end may be left out."""
        known = self._in_format
        shorter = min(len(known), len(structure))
        rest = known[shorter:] + structure[shorter:]
        if known[:shorter] != structure[:shorter] or any(one != -1 for one in rest):
            raise ValueError(
                f"[{type(self).__name__}] the inputs are nested as {structure}, the graph was made for "
                f"{known} (0: an array, -1: None); hybridize() again to make another"
            )

    # Shapes.

    def _deferred_infer_shape(self, *args: Any) -> None:
        try:
            self.infer_shape(*args)
        except Exception as error:
            raise ValueError(
                f"[{type(self).__name__}] deferred initialization failed, since shapes of parameters cannot "
                f"be inferred: {error}"
            ) from error

    def infer_shape(self, *args: Any) -> None:
        """Complete shapes of parameters by those of inputs.

        Parameters
        ----------
        *args : NDArray
            Inputs.
        """
        self._infer_attributes("shape", *args)

    def infer_type(self, *args: Any) -> None:
        """Cast parameters to what follows from dtypes of inputs.

        Parameters
        ----------
        *args : NDArray
            Inputs.
        """
        self._infer_attributes("dtype", *args)

    def _infer_attributes(self, attribute: str, *args: Any) -> None:
        inputs, outputs = self._get_graph(*args)
        flat, _ = flatten(args, "input")
        given = {
            one.name: getattr(array, attribute)
            for one, array in zip(inputs, (one for one in flat if one is not None))
        }
        used = outputs.list_inputs()
        given = {name: value for name, value in given.items() if name in used}
        infer = outputs.infer_shape if attribute == "shape" else outputs.infer_type
        arguments, _, states = infer(**given)
        if arguments is None:
            raise ValueError(f"they do not follow from those of the inputs: {given}")
        found = dict(zip(outputs.list_arguments(), arguments))
        found.update(zip(outputs.list_auxiliary_states(), states))
        for name, parameter in self.collect_params().items():
            if name in found:
                setattr(parameter, attribute, found[name])

    # Files.

    def export(self, path: Any, epoch: int = 0, remove_amp_cast: bool = True) -> None:
        """Write the graph and the parameters to files, which ``SymbolBlock.imports``, ``Module``, MXNet and
        its predict functions read.

        Parameters
        ----------
        path : str
            What the names begin with: ``path-symbol.json`` and ``path-0000.params``.
        epoch : int
            The number in the name.
        remove_amp_cast : bool
            Whether casts of mixed precision are left out.

        Raises
        ------
        RuntimeError
            The block was not hybridised, or has not run since.

        Examples
        --------
        >>> import mixgrad as mx, os, tempfile
        >>> net = mx.gluon.nn.Dense(2, in_units=3, prefix="out_")
        >>> net.initialize()
        >>> net.hybridize()
        >>> y = net(mx.nd.ones((1, 3)))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     net.export(os.path.join(folder, "net"))
        ...     sorted(os.listdir(folder))
        ['net-0000.params', 'net-symbol.json']
        """
        if not self._cached_graph:
            raise RuntimeError(
                f"[{type(self).__name__}.export] there is no graph yet: first call hybridize(), then run the "
                "block once"
            )
        symbol = self._cached_graph[1]
        symbol.save(f"{path}-symbol.json", remove_amp_cast=remove_amp_cast)
        arguments, states = set(symbol.list_arguments()), set(symbol.list_auxiliary_states())
        arrays: dict[str, NDArray] = {}
        for name, parameter in self.collect_params().items():
            if name in arguments:
                arrays[f"arg:{name}"] = parameter._reduce()
            elif name in states:
                arrays[f"aux:{name}"] = parameter._reduce()
        nd.save(f"{path}-{epoch:04d}.params", arrays)

    def optimize_for(
        self,
        x: Any,
        *args: Any,
        backend: Optional[str] = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: Optional[int] = None,
        backward_bulk_size: Optional[int] = None,
        **kwargs: Any,
    ) -> None:
        """Hybridise, and write the graph down for inputs, without running it.

        Parameters
        ----------
        x, *args : NDArray
            Inputs, which decide shapes of parameters that wait for them.
        backend : str
            A backend of MXNet's whose fusions are the planner's own: 'MKLDNN' or 'default'.
        clear : bool
            Whether a graph that is there already is written down again.
        static_alloc, static_shape, inline_limit, forward_bulk_size, backward_bulk_size
            As for :meth:`hybridize`.
        **kwargs
            Options of the backend.

        Raises
        ------
        UnsupportedError
            There is no such backend.
        """
        if backend is None:
            raise ValueError("[optimize_for] backend is None; expected a name, such as 'MKLDNN'")
        self.hybridize(
            True,
            backend,
            clear,
            static_alloc,
            static_shape,
            inline_limit,
            forward_bulk_size,
            backward_bulk_size,
        )
        graph = self._cached_op or self._build_cache(x, *args)
        self._bind(graph, flatten([x, *args], "input")[0][0].context, (x, *args))

    def register_op_hook(self, callback: Callable[..., Any], monitor_all: bool = False) -> None:
        """Have a function called with every result of the graph's operators, once hybridised.

        Parameters
        ----------
        callback : function
            Takes the name of the value, of the operator, and the array.
        monitor_all : bool
            Whether operators' inputs are shown, too.
        """
        self._callback, self._monitor_all = callback, monitor_all
        super().register_op_hook(callback, monitor_all)

    # Running.

    def __call__(self, *args: Any) -> Any:
        """The forward pass, with the hooks around it."""
        try:
            if self._forward_hooks or self._forward_pre_hooks:
                return super().__call__(*args)
            return self.forward(*args)
        except (ValueError, TypeError) as error:
            from .diagnosis import explain

            explain(self, args, error)
            raise

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        """What shape the data should have, where this one does not fit: asked after an error."""
        return None

    def forward(self, x: Any, *args: Any) -> Any:
        """Run :meth:`hybrid_forward` on arrays or symbols, or the graph of it.

        Parameters
        ----------
        x, *args : NDArray or Symbol
            The inputs, all of one kind, or nested lists; None for inputs that are left out.
        """
        if isinstance(x, NDArray) and (not args or _are_beside(x, args)):
            if self._active:
                return self._call_cached_op(x, *args)
            params = self._bound.get(x._device) if self._bound_at == generation.number else None
            if params is None:
                params = self._own_arrays(x._device, (x, *args))
            return self.hybrid_forward(nd, x, *args, **params)
        arrays: list[NDArray] = []
        symbols: list[Symbol] = []
        gather((x, args), arrays, symbols)
        if bool(arrays) == bool(symbols):
            found = "NDArray and Symbol among" if arrays else "neither NDArray nor Symbol among"
            given = any(hasattr(one, "__array__") for one in (x, *args)) and not arrays
            hint = "; mx.nd.array makes an NDArray of NumPy's" if given else ""
            raise ValueError(f"[{type(self).__name__}] {found} the inputs; expected one of the two{hint}")
        if symbols:
            return self._call_symbols(x, *args)
        if self._active:  # on one device, if pinned and shared memory count as the host's
            devices = {(array._device[0] & 1, array._device[1]) for array in arrays}
            if len(devices) > 1:
                places = sorted({str(array.context) for array in arrays})
                raise ValueError(
                    f"[{type(self).__name__}] the inputs are on several devices: {', '.join(places)}; a "
                    "hybridised block takes them on one"
                )
            return self._call_cached_op(x, *args)
        return self.hybrid_forward(nd, x, *args, **self._own_arrays(arrays[0]._device, (x, *args)))

    def _own_arrays(self, device: tuple[int, int], args: tuple[Any, ...]) -> dict[str, NDArray]:
        """The arrays of this block's own parameters on a device."""
        context = device_of(device)
        now = generation.number  # before the arrays are asked for: another thread may replace them meanwhile
        try:
            found = {name: one.data(context) for name, one in self._reg_params.items()}
        except DeferredInitializationError:
            self._deferred_infer_shape(*args)
            for parameter in self.params.values():
                parameter._finish_deferred_init()
            now = generation.number
            found = {name: one.data(context) for name, one in self._reg_params.items()}
        known = self._bound if self._bound_at == now else {}
        self._bound, self._bound_at = {**known, device: found}, now
        return found

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """What the block computes; subclasses define it.

        Parameters
        ----------
        F : module
            :mod:`mixgrad.nd` or :mod:`mixgrad.sym`.
        x, *args : NDArray or Symbol
            The inputs.
        **kwargs
            Parameters that are attributes of the block.
        """
        raise NotImplementedError(f"[{type(self).__name__}] hybrid_forward is not defined")


def _are_beside(x: NDArray, others: tuple[Any, ...]) -> bool:
    """Whether the others are arrays, too, on the same device."""
    device = x._device
    for one in others:  # noqa: SIM110 - a loop, since calls are frequent
        if not isinstance(one, NDArray) or one._device != device:
            return False
    return True
