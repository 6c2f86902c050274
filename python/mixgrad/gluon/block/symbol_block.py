"""Blocks made of symbols, such as networks that were exported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from ... import symbol as sym
from ...base import DTypeLike, InvalidArgumentError, RefusedValueError, dtype_number, numpy_type
from ...ndarray import NDArray
from ...symbol import Symbol
from ..parameter import ParameterDict
from ..parameter.parameter import Contexts
from .hybrid_block import HybridBlock
from .structure import flatten, gather, regroup

__all__ = ["SymbolBlock"]

Symbols = Union[Symbol, Sequence[Symbol]]


class SymbolBlock(HybridBlock):
    """A block that computes a symbol.

    Parameters
    ----------
    outputs : Symbol or list of Symbol
        What it gives.
    inputs : Symbol or list of Symbol
        The variables that it is called with; all others are its parameters.
    params : ParameterDict, optional
        Where parameters are taken from that it has.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.gluon.nn.HybridSequential(prefix="net_")
    >>> with net.name_scope():
    ...     net.add(mx.gluon.nn.Dense(8, in_units=4), mx.gluon.nn.Dense(2, in_units=8))
    >>> net.initialize()
    >>> data = mx.sym.var("data")
    >>> hidden = net(data).get_internals()["net_dense0_fwd_output"]
    >>> features = mx.gluon.SymbolBlock(hidden, data, params=net.collect_params())
    >>> features(mx.nd.ones((1, 4))).shape
    (1, 8)
    """

    @staticmethod
    def imports(
        symbol_file: str,
        input_names: Union[str, Sequence[str]],
        param_file: Optional[str] = None,
        ctx: Contexts = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
    ) -> SymbolBlock:
        """The block of a graph and parameters in files, as ``HybridBlock.export`` or MXNet writes them.

        Parameters
        ----------
        symbol_file : str
            Such as ``net-symbol.json``.
        input_names : str or list of str
            Variables that are inputs, such as ``"data"``.
        param_file : str, optional
            Such as ``net-0000.params``; without it parameters wait for ``initialize``.
        ctx : Context or list of Context, optional
            Devices.
        allow_missing, ignore_extra : bool
            As for :meth:`Block.load_parameters`.
        """
        outputs = sym.load(symbol_file)
        names = [input_names] if isinstance(input_names, str) else list(input_names)
        inputs = [sym.var(name) for name in names]
        if param_file is None:
            # No dtype is asked for, so they get those that follow.
            inputs = [sym.var(name, dtype="float32") for name in names]
        block = SymbolBlock(outputs, inputs)
        if param_file is not None:
            known = {*outputs.list_arguments(), *outputs.list_auxiliary_states()}
            try:
                block.collect_params().load(
                    param_file, ctx, allow_missing, ignore_extra, cast_dtype=True, dtype_source="saved"
                )
            except RefusedValueError as error:
                unknown = [name for name in names if name not in known]
                if not unknown:
                    raise
                raise RefusedValueError(
                    f"[SymbolBlock.imports] the graph of {symbol_file!s} has no variable {unknown[0]!r}, "
                    f"which input_names has; {error}"
                ) from None
        return block

    def __init__(self, outputs: Symbols, inputs: Symbols, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=None, params=None)
        self._prefix = ""
        self._params = ParameterDict("", params)
        if isinstance(inputs, (Symbol, Mapping)):
            inputs = list(inputs) if isinstance(inputs, Symbol) else list(inputs.values())
        flat_inputs, self._in_format = flatten(list(inputs), "input")
        if isinstance(outputs, (list, tuple)) and len(outputs) == 1:
            outputs = outputs[0]
        flat_outputs, self._out_format = flatten(outputs, "output")
        group = sym.Group(flat_outputs)
        for one in flat_inputs:
            if one.get_children() is not None or one.list_outputs() != [one.name]:
                raise RefusedValueError(
                    f"[SymbolBlock] the input {one!r} is no variable; expected mx.sym.var"
                )
        names = {one.name for one in flat_inputs}
        _refuse_sparse(group, names)
        dtypes = _dtypes(group, flat_inputs)
        for name in group.list_arguments():
            if name not in names:
                self.params.get(name, allow_deferred_init=True, dtype=dtypes[name])
        for name in group.list_auxiliary_states():
            if name not in names:
                self.params.get(name, grad_req="null", allow_deferred_init=True, dtype=dtypes[name])
        self._cached_graph = flat_inputs, group
        start = len(_common_prefix(list(self._params.keys())))
        self._reg_params = {name[start:]: parameter for name, parameter in self._params.items()}

    def __repr__(self) -> str:
        inputs, outputs = self._cached_graph
        return f"{type(self).__name__}(\n{outputs!r} : {len(inputs)} -> {len(outputs)}\n)"

    def _clear_cached_op(self) -> None:
        graph = getattr(self, "_cached_graph", ())
        super()._clear_cached_op()
        self._cached_graph = graph

    def cast(self, dtype: DTypeLike) -> None:
        """Cast all parameters to another dtype; those of BatchNorm are float32 beside float16."""
        self._clear_cached_op()
        super().cast(dtype)
        if dtype_number(dtype) != dtype_number("float16"):
            return
        names = set(self._cached_graph[1].list_inputs())
        for name in names:
            for var, mean in (("running_var", "running_mean"), ("moving_var", "moving_mean")):
                start = name[: -len(var)]
                group = [start + one for one in (var, mean, "gamma", "beta")]
                if name.endswith(var) and names.issuperset(group):
                    for one in group:
                        self.params.get(one).cast("float32")

    def reset_ctx(self, ctx: Contexts) -> None:
        """Move all parameters to other devices."""
        self.collect_params().reset_ctx(ctx)
        self._clear_cached_op()

    def forward(self, x: Any, *args: Any) -> Any:
        """Compute the symbol on arrays, or put symbols in the place of its inputs."""
        arrays: list[NDArray] = []
        symbols: list[Symbol] = []
        gather((x, args), arrays, symbols)
        if arrays and not symbols:
            return self._call_cached_op(x, *args)
        if arrays or not symbols:
            raise ValueError("[SymbolBlock] the inputs have to be NDArrays or Symbols, all of one kind")
        flat, structure = flatten([x, *args], "input")
        if structure != self._in_format:
            self._check_structure(structure)
        inputs, outputs = self._cached_graph
        used = outputs.list_inputs()
        composed = outputs(**{one.name: new for one, new in zip(inputs, flat) if one.name in used})
        return composed if self._out_format == 0 else regroup(iter(composed), self._out_format)

    def _check_structure(self, structure: Any) -> None:
        """Refuse other inputs than those of the symbol; Nones at the end may be left out."""
        try:
            super()._check_structure(structure)
        except ValueError:
            names = [one.name for one in self._cached_graph[0]]
            raise ValueError(
                f"[SymbolBlock] the inputs are nested as {structure} (0: an array, -1: None); expected "
                f"{self._in_format}, for {', '.join(names)}"
            ) from None

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Not used: the symbol is given."""
        raise NotImplementedError("[SymbolBlock] the symbol is computed as it is")


def _refuse_sparse(group: Symbol, inputs: set[str]) -> None:
    parameters = set(group.list_inputs()) - inputs
    for name, attributes in group.attr_dict().items():
        if name in parameters and attributes.get("__storage_type__", "0") not in ("0", "-1"):
            raise RefusedValueError(
                f"[SymbolBlock] the parameter {name!r} is stored as a sparse array; expected dense ones"
            )


def _dtypes(group: Symbol, inputs: Sequence[Symbol]) -> dict[str, Any]:
    """Dtypes of all variables, where they follow from those of some; float32 otherwise."""
    attributes = group.attr_dict()
    known = {
        name: numpy_type(int(attributes[name]["__dtype__"]))
        for name in group.list_inputs()
        if "__dtype__" in attributes.get(name, {})
    }
    try:
        arguments, _, states = group.infer_type_partial(**known)
    except InvalidArgumentError:
        arguments, states = [None] * len(group.list_arguments()), [None] * len(group.list_auxiliary_states())
    names = [*group.list_arguments(), *group.list_auxiliary_states()]
    return {name: found or numpy_type(0) for name, found in zip(names, [*arguments, *states])}


def _common_prefix(names: list[str]) -> str:
    """The longest beginning that all names share."""
    if not names:
        return ""
    first, last = min(names), max(names)
    length = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), len(first))
    return first[:length]
