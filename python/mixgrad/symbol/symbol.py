"""The symbol itself: composing, naming, describing."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .. import _core, _words, attribute
from .._files import write_file
from .._hints import near
from .._np_semantics import is_np_shape
from .._uri import is_uri, write_uri
from ..base import (
    DTypeLike,
    InvalidArgumentError,
    MXIndexError,
    NotFoundError,
    RefusedKindError,
    dtype_number,
    extents,
    path_text,
    storage_number,
)
from ..name import check_name
from .arithmetic import Arithmetic
from .base import SymbolBase, serve
from .casts import without_casts
from .files import load_json
from .functions import apply, internal
from .inference import Inference, given_shape
from .methods import SymbolMethods

if TYPE_CHECKING:
    from ..context import Context
    from ..executor import Executor
    from ..ndarray import NDArray

__all__ = ["Group", "Symbol", "Variable", "var"]

py_slice = slice  # Python's own, which old scripts import from here

_BACKENDS = ("MKLDNN", "MKLDNN_QUANTIZE", "NONE", "default")  # whose fusions are the planner's own
_ARGUMENTS, _OUTPUTS, _AUXILIARY, _INPUTS = range(4)


class Symbol(SymbolBase, SymbolMethods, Arithmetic, Inference):
    """An expression over named inputs: one or several outputs of a graph.

    Operators on symbols give symbols. Nothing is computed until a symbol is bound to arrays.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=10, name="fc")
    >>> net = mx.sym.SoftmaxOutput(net, name="softmax")
    >>> net.list_arguments()
    ['data', 'fc_weight', 'fc_bias', 'softmax_label']
    >>> net.infer_shape(data=(32, 784))[1]
    [(32, 10)]
    """

    __slots__ = ()
    __array_priority__ = 1000.0
    __array_ufunc__ = None  # numbers of NumPy on the left leave the operation to the symbol

    def as_np_ndarray(self) -> Any:
        """The same expression with NumPy's operators, indices and methods: a symbol of ``mx.sym.np``."""
        from .numpy import NumpySymbol

        return NumpySymbol(self._handle)

    def as_nd_ndarray(self) -> Symbol:
        """The same expression with the operators of ``mx.sym``."""
        return Symbol(self._handle)

    # Names and parts

    @property
    def name(self) -> Optional[str]:
        """Name of the one node; None of a group."""
        return self._handle.name()

    def __repr__(self) -> str:
        if self.name is not None:
            return f"<{type(self).__name__} {self.name}>"
        return f"<{type(self).__name__} group [{', '.join(str(s.name) for s in self)}]>"

    def _repr_html_(self) -> str:
        from .._html import symbol_html

        return symbol_html(self)

    def __len__(self) -> int:
        return len(self._handle)

    def __iter__(self) -> Iterator[Symbol]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Union[int, str, slice]) -> Symbol:
        """One output, by number or by name such as ``'fc1_output'``; several by a slice."""
        if isinstance(index, slice):
            return Group([self[i] for i in range(*index.indices(len(self)))])
        if isinstance(index, str):
            found = [i for i, name in enumerate(self.list_outputs()) if name == index]
            if not found:
                raise InvalidArgumentError(
                    f"[symbol] no output is called {index!r}{near(index, self.list_outputs())}"
                )
            if len(found) > 1:
                raise InvalidArgumentError(
                    f"[symbol] several outputs are called {index!r}; choose one by number"
                )
            index = found[0]
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise TypeError(f"[symbol] index {index!r}; expected a number, a name or a slice")
        at = index.__index__()
        if not -len(self) <= at < len(self):
            raise MXIndexError(f"[symbol] output {at} of a symbol with {len(self)} outputs")
        return Symbol(self._handle.output(at % len(self)))

    def get_internals(self) -> Symbol:
        """A group of every output of every node; as in ``net.get_internals()["fc1_output"]``."""
        return Symbol(self._handle.internals())

    def get_children(self) -> Optional[Symbol]:
        """A group of the inputs of this symbol's node; None of a variable."""
        children = self._handle.children()
        return None if children is None else Symbol(children)

    @property
    def num_outputs(self) -> int:
        """Number of outputs."""
        return len(self)

    def list_arguments(self) -> list[str]:
        """Names of the inputs that no operator writes, in the order in which the graph reads them."""
        return self._handle.names(_ARGUMENTS)

    def list_outputs(self) -> list[str]:
        """Names of the outputs."""
        return self._handle.names(_OUTPUTS)

    def list_auxiliary_states(self) -> list[str]:
        """Names of the inputs that an operator writes, such as moving averages."""
        return self._handle.names(_AUXILIARY)

    def list_inputs(self) -> list[str]:
        """Names of arguments and auxiliary states together."""
        return self._handle.names(_INPUTS)

    def gradient(self, wrt: Union[str, Sequence[str]]) -> Symbol:
        """The gradients of the outputs, each summed, as a symbol of their own.

        Parameters
        ----------
        wrt : str or list of str
            Arguments; one output of the result for each, in order.

        Examples
        --------
        >>> import mixgrad as mx
        >>> slope = mx.sym.square(mx.sym.var("x")).gradient("x")
        >>> slope.eval(x=mx.nd.array([1, 2]))[0].asnumpy()
        array([2., 4.], dtype=float32)
        """
        names = [wrt] if isinstance(wrt, str) else list(wrt)
        inputs = self.list_inputs()
        states = self.list_auxiliary_states()
        for name in names:
            if name not in inputs or name in states:
                raise InvalidArgumentError(f"[gradient] no argument is called {name!r}{near(name, inputs)}")
        internals = self.get_internals()
        variables = {s.name: s for s in internals if s.name in inputs and s.list_outputs() == [s.name]}
        return internal("_gradient")(
            *(variables[name] for name in inputs),
            subgraph0=self.tojson(),
            num_args=1 + len(inputs),
            wrt=str([inputs.index(name) for name in names]),
        )

    grad = gradient

    # MXNet's partitioning for backends

    def optimize_for(self, backend: str, *args: Any, **kwargs: Any) -> Symbol:
        """This symbol: what runs is optimised when it is bound, for the device that it is bound to.

        Parameters
        ----------
        backend : str
            A backend of MXNet's; of others a warning says that there is none.
        *args, **kwargs
            Accepted for MXNet's sake: ``args``, ``aux``, ``ctx``, ``shape_dict`` and options of the backend.
        """
        if not isinstance(backend, str):
            raise TypeError(f"[optimize_for] backend is {type(backend).__name__}; expected a name")
        if backend not in _BACKENDS:
            warnings.warn(
                f"[optimize_for] no backend is called {backend!r:.60}; the symbol stays as it is",
                stacklevel=2,
            )
        return self

    def get_backend_symbol(self, backend: str) -> Symbol:
        """This symbol, for a backend of MXNet's; see :meth:`optimize_for`."""
        if backend not in _BACKENDS:
            raise NotFoundError(
                f"[get_backend_symbol] no backend is called {backend!r:.60}; known are {', '.join(_BACKENDS)}"
            )
        return self

    # Composition

    def __call__(self, *args: Symbol, name: Optional[str] = None, **kwargs: Symbol) -> Symbol:
        """A copy in which inputs are replaced, by keyword or in the order of :meth:`list_inputs`.

        >>> import mixgrad as mx
        >>> net = mx.sym.relu(mx.sym.var("x"), name="act")
        >>> net(x=mx.sym.var("a") + mx.sym.var("b")).list_arguments()
        ['a', 'b']
        """
        if args and kwargs:
            raise TypeError("[compose] symbols by position and by keyword; expected one of the two")
        given: list[tuple[Optional[str], Any]] = [(None, s) for s in args]
        given.extend(kwargs.items())
        for key, value in given:
            if not isinstance(value, Symbol):
                raise TypeError(
                    f"[compose] {key or 'an argument'} is {type(value).__name__}; expected Symbol"
                )
        handle = self._handle.compose(name or "", [key for key, _ in given], [s._handle for _, s in given])
        return Symbol(handle)

    def _compose(self, *args: Symbol, name: Optional[str] = None, **kwargs: Symbol) -> None:
        self._handle = self(*args, name=name, **kwargs)._handle

    def __copy__(self) -> Symbol:
        return Symbol(self._handle.copy())

    def __deepcopy__(self, memo: Any) -> Symbol:
        return Symbol(self._handle.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return load_json, (self.tojson(),)

    # Attributes

    def attr(self, key: str) -> Optional[str]:
        """An attribute or given parameter of this symbol's node, as text; None when there is none."""
        if not isinstance(key, str):
            raise TypeError(f"[symbol.attr] the key is {type(key).__name__}: {key!r:.60}; expected text")
        found = self._handle.attribute(key)
        return self.name if key == "name" and found is None else found

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """All attributes and given parameters of this symbol's node."""
        if recursive:
            raise DeprecationWarning("list_attr(recursive=True) is deprecated; use attr_dict instead")
        flat = self._handle.attributes()
        return dict(zip(flat[::2], flat[1::2]))

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Attributes and given parameters by name of node."""
        flat = self._handle.all_attributes()
        found: dict[str, dict[str, str]] = {}
        for node, key, value in zip(flat[::3], flat[1::3], flat[2::3]):
            found.setdefault(node, {})[key] = value
        return found

    def _gen_atomic_symbol(self) -> Symbol:
        """The operator of the first output with its parameters, on new variables."""
        graph = json.loads(self.tojson(remove_amp_cast=False))
        node = graph["nodes"][graph["heads"][0][0]]
        if node["op"] == "null":
            return var(node["name"])
        return apply(node["op"], [], list(node.get("attrs", {}).items()), None, None, node["name"])

    def _set_attr(self, **attributes: Any) -> None:
        for key, value in attributes.items():
            self._handle.set_attribute(key, str(value))

    # Running

    def bind(
        self,
        ctx: Optional[Context],
        args: Any,
        args_grad: Any = None,
        grad_req: Any = "write",
        aux_states: Any = None,
        group2ctx: Optional[Mapping[str, Union[Context, str]]] = None,
        shared_exec: Optional[Executor] = None,
    ) -> Executor:
        """Binds the graph to arrays.

        Parameters
        ----------
        ctx : Context
            Where operators run.
        args : list of NDArray or dict of str to NDArray
            All arguments, in order of :meth:`list_arguments` or by name.
        args_grad : list or dict, optional
            Where gradients go; those not given are not computed.
        grad_req : {'write', 'add', 'null'}, or a list or dict of them
            What happens to the gradient arrays; names that a dict lacks count as 'null'.
        aux_states : list or dict, optional
            All auxiliary states.
        group2ctx : dict of str to Context or str, optional
            Where operators with the attribute ``ctx_group`` run; values are copied between devices. Text such
            as ``'worker:1/cpu(0)'`` names a device of one of the workers of an open store of type
            'collective', see :attr:`Executor.arg_workers`.
        shared_exec : Executor, optional
            Lends its working memory; the two must not be used at once.

        Examples
        --------
        >>> import mixgrad as mx
        >>> a, b = mx.sym.var("a"), mx.sym.var("b")
        >>> exe = (a + b).bind(mx.cpu(), {"a": mx.nd.ones((2,)), "b": mx.nd.ones((2,))})
        >>> exe.forward()[0].asnumpy()
        array([2., 2.], dtype=float32)
        """
        from .._binding import bind

        return bind(self, ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec)

    def simple_bind(
        self,
        ctx: Optional[Context],
        grad_req: Any = "write",
        type_dict: Optional[Mapping[str, DTypeLike]] = None,
        stype_dict: Optional[Mapping[str, str]] = None,
        group2ctx: Optional[Mapping[str, Union[Context, str]]] = None,
        shared_arg_names: Optional[Sequence[str]] = None,
        shared_exec: Optional[Executor] = None,
        shared_buffer: Optional[dict[str, NDArray]] = None,
        **kwargs: Sequence[int],
    ) -> Executor:
        """Binds the graph to new arrays of zeros, whose shapes follow from those given.

        Parameters
        ----------
        ctx : Context
            Where arrays lie and operators run.
        grad_req : {'write', 'add', 'null'}, or a list or dict of them
            What happens to gradients; arguments with 'null' get no gradient array.
        type_dict : dict of str to dtype, optional
            Dtypes of arguments; float32 where nothing follows.
        stype_dict : dict of str to str, optional
            Storage types of arguments ('default', 'row_sparse', 'csr'), in place of those of their variables.
            Those of gradients and outputs follow.
        group2ctx : dict of str to Context or str, optional
            Where operators with the attribute ``ctx_group``, and their arguments, lie; see :meth:`bind`.
        shared_arg_names : list of str, optional
            Arguments that are those of ``shared_exec``, as are their gradients.
        shared_exec : Executor, optional
            Lends working memory, auxiliary states and the arguments named.
        shared_buffer : dict of str to NDArray, optional
            Arrays to use for the other arguments where they are large enough; new ones are added.
        **kwargs : tuple of int
            Shapes of arguments.

        Examples
        --------
        >>> import mixgrad as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc")
        >>> exe = net.simple_bind(mx.cpu(), data=(8, 3))
        >>> [x.shape for x in exe.arg_arrays]
        [(8, 3), (4, 3), (4,)]
        """
        from .._binding import simple_bind

        return simple_bind(
            self,
            ctx,
            grad_req,
            type_dict,
            stype_dict,
            group2ctx,
            shared_arg_names,
            shared_exec,
            shared_buffer,
            kwargs,
        )

    def eval(self, ctx: Optional[Context] = None, **kwargs: NDArray) -> list[NDArray]:
        """Outputs of the graph for arguments given by name; bind once instead to evaluate often.

        >>> import mixgrad as mx
        >>> (mx.sym.var("x") + 1).eval(x=mx.nd.zeros((2,)))[0].asnumpy()
        array([1., 1.], dtype=float32)
        """
        return self.bind(ctx, kwargs).forward()

    # Text

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """The graph as the JSON of MXNet 1.9.1, which it loads.

        Parameters
        ----------
        remove_amp_cast : bool
            Whether casts of mixed precision are left out (``mx.contrib.amp``).
        """
        text = (without_casts(self._handle) if remove_amp_cast else self._handle).to_json()
        if not is_np_shape():
            return text
        return text.replace('"mxnet_version":', '"is_np_shape": ["int", 1], "mxnet_version":')

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Writes :meth:`tojson` to a file, which appears complete or not at all."""
        name = path_text(fname, "save")
        if is_uri(name):
            write_uri(name, self.tojson(remove_amp_cast).encode())
        elif is_np_shape():
            write_file(name, self.tojson(remove_amp_cast).encode(), "save")
        else:
            (without_casts(self._handle) if remove_amp_cast else self._handle).save(os.fsencode(name))

    def debug_str(self) -> str:
        """Nodes, their inputs and attributes, for people."""
        return self._handle.debug_text()

    def graph_str(self, gradients: bool = False, **shapes: Any) -> str:
        """The graph that would run, as text: after inference, the gradient pass and each pass that is on.

        Parameters
        ----------
        gradients : bool
            Whether gradients of all arguments are computed too.
        **shapes : tuple of int
            Shapes of arguments, as many as the others follow from.

        Examples
        --------
        >>> import mixgrad as mx
        >>> print(mx.sym.tanh(mx.sym.var("x"), name="t").graph_str(x=(2,)).splitlines()[2])
        %1 (2,) float32 = tanh(%0)  't'
        """
        given = [given_shape("graph_str", key, shape) for key, shape in shapes.items()]
        return self._handle.dump_graph(list(shapes), given, None, gradients)

    def __getattr__(self, name: str) -> Any:
        """Says what was meant."""
        text = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name.startswith("_"):
            raise AttributeError(text)
        hint = _words.SYMBOL.get(name)
        known = [one for one in dir(self) if not one.startswith("_")]
        raise AttributeError(f"{text}: {hint}" if hint else text + near(name, known))


serve(Symbol)


def var(
    name: str,
    attr: Optional[Mapping[str, str]] = None,
    shape: Optional[Sequence[int]] = None,
    lr_mult: Optional[float] = None,
    wd_mult: Optional[float] = None,
    dtype: Optional[DTypeLike] = None,
    init: Any = None,
    stype: Optional[str] = None,
    **kwargs: Any,
) -> Symbol:
    """A named input of a graph.

    Parameters
    ----------
    name : str
        Name under which an array is bound to it.
    attr : dict of str to str, optional
        Attributes.
    shape : tuple of int, optional
        Shape where nothing else says; 0 for an extent that is not known.
    lr_mult, wd_mult : float, optional
        Factors of learning rate and weight decay.
    dtype : dtype, optional
        Dtype where nothing else says.
    init : Initializer or str, optional
        How it starts, instead of the model's initialiser.
    stype : {'default', 'row_sparse', 'csr'}, optional
        How an array for it is stored.
    **kwargs : str
        Further attributes, with names of the form ``__name__``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.sym.var("w", shape=(3, 4), lr_mult=2).attr("lr_mult")
    '2'
    """
    check_name(name, "Variable")
    attributes = attribute.current().get(attr)
    if shape is not None:
        attributes["__shape__"] = str(extents(shape, "Variable"))
    for key, factor in (("__lr_mult__", lr_mult), ("__wd_mult__", wd_mult)):
        if factor is not None:
            attributes[key] = str(factor)
    if dtype is not None:
        attributes["__dtype__"] = str(dtype_number(dtype))
    if init is not None:
        if not isinstance(init, str) and not hasattr(init, "dumps"):
            raise TypeError(f"[Variable] init is {type(init).__name__}; expected an Initializer or its text")
        attributes["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attributes["__storage_type__"] = str(storage_number(stype, "Variable"))
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError(f"[Variable] attribute {key!r}; expected a name such as __{key}__")
        attributes[key] = str(value)
    for key, value in attributes.items():
        if not isinstance(value, str):
            raise RefusedKindError(f"[Variable] attribute {key} is {type(value).__name__}; expected str")
    return Symbol(_core.symbol_variable(name, list(attributes.items())))


Variable = var


def Group(symbols: Sequence[Symbol]) -> Symbol:
    """One symbol with all outputs of several.

    Parameters
    ----------
    symbols : list of Symbol
        At least one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.sym.Group([mx.sym.var("a"), mx.sym.var("b")]).list_outputs()
    ['a', 'b']
    """
    if (
        not isinstance(symbols, (list, tuple))
        or not symbols
        or any(not isinstance(s, Symbol) for s in symbols)
    ):
        raise TypeError(
            f"[Group] symbols is {type(symbols).__name__}; expected a list of at least one Symbol"
        )
    return Symbol(_core.symbol_group([s._handle for s in symbols]))


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What MXNet has in this module, and mixgrad in the package: ``zeros``, ``load``, ..."""
        return getattr(sys.modules[__package__], name)
