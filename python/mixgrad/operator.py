"""Operators written in Python, for arrays and symbols alike (``mx.nd.Custom``, ``mx.sym.Custom``).

A type of operators is a subclass of :class:`CustomOpProp`, which says what goes in and out, filed under a
name by :func:`register`; its ``create_operator`` makes a :class:`CustomOp`, which computes. The functions run
in threads of the library, outside of the thread that called; what they raise is raised where a result is
read. The arrays that they get are theirs to keep.

Examples
--------
>>> import mixgrad as mx
>>> class Square(mx.operator.CustomOp):
...     def forward(self, is_train, req, in_data, out_data, aux):
...         self.assign(out_data[0], req[0], in_data[0] * in_data[0])
...     def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
...         self.assign(in_grad[0], req[0], 2 * in_data[0] * out_grad[0])
>>> @mx.operator.register("square_in_python")
... class SquareProp(mx.operator.CustomOpProp):
...     def create_operator(self, ctx, in_shapes, in_dtypes):
...         return Square()
>>> mx.nd.Custom(mx.nd.array([1, 2, 3]), op_type="square_in_python").asnumpy()
array([1., 4., 9.], dtype=float32)
"""

from __future__ import annotations

import ctypes
import itertools
from ctypes import CFUNCTYPE, POINTER
from functools import cache
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional, TypeVar

from . import _core, _hints
from ._argument_types import argument_type
from ._c_values import MXCallbackList, NDArrayHandle, c_array, c_str, py_str
from ._hints import near
from .base import _NUMPY_TYPES, DTYPE_NUMBERS, NotFoundError, bfloat16, dtype_number
from .context import Context
from .ndarray import NDArray
from .symbol import Custom as _symbol

# With what scripts take from here by `import *`.
__all__ = [
    "CFUNCTYPE",
    "POINTER",
    "CustomOp",
    "CustomOpProp",
    "MXCallbackList",
    "NDArray",
    "NDArrayHandle",
    "NDArrayOp",
    "NumpyOp",
    "OperatorArguments",
    "PythonOp",
    "c_array",
    "c_str",
    "ctypes",
    "get_all_registered_operators",
    "get_operator_arguments",
    "py_str",
    "register",
]

_T = TypeVar("_T", bound=type)
_TYPES: dict[int, type] = {**_NUMPY_TYPES, DTYPE_NUMBERS["bfloat16"]: bfloat16}


class CustomOp:
    """What an operator computes: subclass it and write ``forward`` and, for gradients, ``backward``.

    One object serves one node of a bound graph, or one call on arrays with its gradient.
    """

    def forward(
        self,
        is_train: bool,
        req: list[str],
        in_data: list[NDArray],
        out_data: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        """Computes the outputs.

        Parameters
        ----------
        is_train : bool
            Whether this is training rather than prediction.
        req : list of str
            Per output how :meth:`assign` is to store it: 'write'.
        in_data, out_data, aux : list of NDArray
            The arguments, the outputs to be written, and the auxiliary states. States that are written in
            training are kept; in prediction they stay as they were.
        """
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")

    def backward(
        self,
        req: list[str],
        out_grad: list[NDArray],
        in_data: list[NDArray],
        out_data: list[NDArray],
        in_grad: list[NDArray],
        aux: list[NDArray],
    ) -> None:
        """Computes the gradients of the arguments.

        Parameters
        ----------
        req : list of str
            Per argument 'write', or 'null' where nobody reads its gradient.
        out_grad : list of NDArray
            Gradients of the outputs.
        in_data, out_data, aux : list of NDArray
            What ``forward`` read and wrote.
        in_grad : list of NDArray
            The gradients to be written; they are 0 before.
        """
        raise NotImplementedError(f"[{type(self).__name__}] backward is not defined")

    def assign(self, dst: NDArray, req: str, src: Any) -> None:
        """Stores ``src``, an array or a number, as ``req`` says: 'null', 'write', 'inplace' or 'add'."""
        if req in ("write", "inplace"):
            dst[:] = src
        elif req == "add":
            dst[:] += src
        elif req != "null":
            raise ValueError(f"[assign] req is {req!r:.40}; expected 'null', 'write', 'inplace' or 'add'")


class CustomOpProp:
    """What goes into an operator and comes out of it: subclass it, and file it with :func:`register`.

    Parameters of a call other than its arrays are given to ``__init__`` by name, as text.

    Parameters
    ----------
    need_top_grad : bool
        Whether ``backward`` needs the gradients of the outputs; an operator that gives a loss does not.
    """

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def list_arguments(self) -> list[str]:
        """Names of the arguments."""
        return ["data"]

    def list_outputs(self) -> list[str]:
        """Names of the outputs."""
        return ["output"]

    def list_auxiliary_states(self) -> list[str]:
        """Names of the auxiliary states, which training changes and no gradient does."""
        return []

    def infer_shape(self, in_shape: list[list[int]]) -> Any:
        """Shapes of arguments, outputs and auxiliary states (these may be left out) from what is known of the
        arguments': ``[]`` is a shape not known yet, 0 an extent.

        As it stands every argument and output has the shape of the first argument.
        """
        return in_shape, [in_shape[0]] * len(self.list_outputs()), []

    def infer_type(self, in_type: list[Any]) -> Any:
        """Dtypes, in the same way; as it stands all are that of the first argument."""
        return (
            [in_type[0]] * len(self.list_arguments()),
            [in_type[0]] * len(self.list_outputs()),
            [in_type[0]] * len(self.list_auxiliary_states()),
        )

    def declare_backward_dependency(
        self, out_grad: list[int], in_data: list[int], out_data: list[int]
    ) -> list[int]:
        """Which of the arrays, given by number, ``backward`` needs. It gets all, whatever this says."""
        return [*(out_grad if self.need_top_grad_ else []), *in_data, *out_data]

    def create_operator(self, ctx: Context, in_shapes: list[list[int]], in_dtypes: list[Any]) -> CustomOp:
        """The operator for arguments, then auxiliary states, of these shapes and dtypes on a device."""
        return CustomOp()


class _Operator:
    """One :class:`CustomOp` as the library calls it."""

    def __init__(self, op: CustomOp) -> None:
        self._op = op

    def forward(
        self, training: bool, inputs: list[NDArray], outputs: list[NDArray], states: list[NDArray]
    ) -> None:
        self._op.forward(
            is_train=training, req=["write"] * len(outputs), in_data=inputs, out_data=outputs, aux=states
        )

    def backward(
        self,
        inputs: list[NDArray],
        outputs: list[NDArray],
        states: list[NDArray],
        out_grads: list[NDArray],
        in_grads: list[NDArray],
        wanted: list[int],
    ) -> None:
        self._op.backward(
            req=["write" if one else "null" for one in wanted],
            out_grad=out_grads,
            in_data=inputs,
            out_data=outputs,
            in_grad=in_grads,
            aux=states,
        )


class _Properties:
    """One :class:`CustomOpProp` as the library calls it."""

    def __init__(self, name: str, prop: CustomOpProp) -> None:
        self._name, self._prop = name, prop
        self.arguments = self._names("list_arguments")
        self.outputs = self._names("list_outputs")
        self.states = self._names("list_auxiliary_states")
        self.is_loss = not prop.need_top_grad_

    def _names(self, method: str) -> list[str]:
        names = list(getattr(self._prop, method)() or [])
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"[{self._name}] {method} gives {names!r:.80}; expected a list of str")
        if len(set(names)) != len(names):
            raise ValueError(f"[{self._name}] {method} gives {names!r:.80}; expected different names")
        return names

    def _sorted(self, method: str, given: Any) -> list[Any]:
        """What ``infer_shape`` or ``infer_type`` returned, in one list; the states may be left out."""
        parts = list(given) if isinstance(given, (list, tuple)) else []
        if len(parts) == 2:
            parts.append([])
        if len(parts) != 3:
            raise ValueError(
                f"[{self._name}] {method} returns {given!r:.80}; "
                "expected lists for arguments, outputs and states"
            )
        counts = [len(names) for names in (self.arguments, self.outputs, self.states)]
        words = ("arguments", "outputs", "auxiliary states")
        for part, count, word in zip(parts, counts, words):
            if len(part) != count:
                raise ValueError(
                    f"[{self._name}] {method} returns {len(part)} of the {word}; "
                    f"expected {count}: {given!r:.120}"
                )
        return [item for part in parts for item in part]

    def infer_shape(self, shapes: list[Optional[list[int]]]) -> list[Optional[list[int]]]:
        given = shapes[: len(self.arguments)]
        known = [[] if shape is None else [max(extent, 0) for extent in shape] for shape in given]
        found = self._sorted("infer_shape", self._prop.infer_shape(known))
        answer = [[int(extent) for extent in shape] for shape in found]
        if all(shape is not None and min(shape, default=0) >= 0 for shape in given):
            return list(answer)
        # What stands for "not known" comes back as that.
        return [[extent or -1 for extent in shape] or None for shape in answer]

    def infer_dtype(self, dtypes: list[int]) -> list[int]:
        given = dtypes[: len(self.arguments)]
        if given and given[0] < 0:
            return dtypes  # the others follow from the first
        types = [_TYPES[number if number >= 0 else given[0]] for number in given]
        answer = [dtype_number(dtype) for dtype in self._sorted("infer_type", self._prop.infer_type(types))]
        if type(self._prop).infer_type is CustomOpProp.infer_type:
            # It says that all are alike, which those that are known need not be.
            answer[: len(given)] = [old if old >= 0 else new for old, new in zip(given, answer)]
        return answer

    def make_operator(self, device: tuple[int, int], shapes: list[list[int]], dtypes: list[int]) -> _Operator:
        context = Context(Context.devtype2str[device[0]], device[1])
        types = [_TYPES[number] for number in dtypes]
        op = self._prop.create_operator(context, shapes, types)
        if not callable(getattr(op, "forward", None)):
            raise TypeError(f"[{self._name}] create_operator returns {type(op).__name__}; expected CustomOp")
        return _Operator(op)


def register(reg_name: str) -> Callable[[_T], _T]:
    """Files a subclass of :class:`CustomOpProp` under a name, the ``op_type`` of ``Custom``.

    A name may be given again; what was made before stays as it is.
    """
    if not isinstance(reg_name, str) or not reg_name:
        raise TypeError(f"[register] got {reg_name!r:.40}; expected a name")

    def file(prop_cls: _T) -> _T:
        if not (isinstance(prop_cls, type) and issubclass(prop_cls, CustomOpProp)):
            raise TypeError(f"[register] got {prop_cls!r:.80}; expected a subclass of CustomOpProp")

        def make(parameters: dict[str, Any]) -> _Properties:
            made: CustomOpProp = prop_cls(**parameters)
            return _Properties(reg_name, made)

        _core.register_custom(reg_name, make)
        return prop_cls

    return file


class PythonOp:
    """Operators of symbols as MXNet had them before :class:`CustomOp`: the base of :class:`NumpyOp` and
    :class:`NDArrayOp`.

    Parameters
    ----------
    need_top_grad : bool
        What :meth:`need_top_grad` returns.
    """

    _numbers = itertools.count()

    def __init__(self, need_top_grad: bool = True) -> None:
        self.need_top_grad_ = need_top_grad

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.get_symbol(*args, **kwargs)

    def get_symbol(self, *args: Any, **kwargs: Any) -> Any:
        """The operator applied to symbols, given in order or by the names of :meth:`list_arguments`."""
        op_type = f"_{type(self).__name__}{next(self._numbers)}"
        register(op_type)(_old_properties(self))
        return _symbol(*args, op_type=op_type, **kwargs)

    def forward(self, in_data: list[Any], out_data: list[Any]) -> None:
        """Computes the outputs, in place. As it stands: a copy."""
        out_data[0][:] = in_data[0]

    def backward(
        self, out_grad: list[Any], in_data: list[Any], out_data: list[Any], in_grad: list[Any]
    ) -> None:
        """Computes the gradients, in place. As it stands: 1."""
        in_grad[0][:] = 1.0

    def infer_shape(self, in_shape: list[list[int]]) -> Any:
        """Shapes of arguments and outputs."""
        return in_shape, [in_shape[0]]

    def list_outputs(self) -> list[str]:
        """Names of the outputs."""
        return ["output"]

    def list_arguments(self) -> list[str]:
        """Names of the arguments."""
        return ["data"]

    def need_top_grad(self) -> bool:
        """Whether ``backward`` needs the gradients of the outputs."""
        return self.need_top_grad_

    def _run(self, function: Callable[..., None], read: list[Any], written: list[NDArray]) -> None:
        function(*read, written)


class NDArrayOp(PythonOp):
    """An old operator on arrays: write ``forward`` and ``backward``, and call the object on symbols."""


class NumpyOp(PythonOp):
    """An old operator on NumPy arrays: write ``forward`` and ``backward``, and call the object on symbols."""

    def _run(self, function: Callable[..., None], read: list[Any], written: list[NDArray]) -> None:
        results = [array.asnumpy() for array in written]
        function(*[[array.asnumpy() for array in arrays] for arrays in read], results)
        for array, result in zip(written, results):
            array[:] = result


def _old_properties(old: PythonOp) -> type[CustomOpProp]:
    """The type of operators that an object of the old kind stands for."""

    class Operator(CustomOp):
        def forward(
            self,
            is_train: bool,
            req: list[str],
            in_data: list[NDArray],
            out_data: list[NDArray],
            aux: list[NDArray],
        ) -> None:
            old._run(old.forward, [in_data], out_data)

        def backward(
            self,
            req: list[str],
            out_grad: list[NDArray],
            in_data: list[NDArray],
            out_data: list[NDArray],
            in_grad: list[NDArray],
            aux: list[NDArray],
        ) -> None:
            old._run(old.backward, [out_grad, in_data, out_data], in_grad)

    class Properties(CustomOpProp):
        def __init__(self) -> None:
            super().__init__(need_top_grad=old.need_top_grad())

        def list_arguments(self) -> list[str]:
            return old.list_arguments()

        def list_outputs(self) -> list[str]:
            return old.list_outputs()

        def infer_shape(self, in_shape: list[list[int]]) -> Any:
            return old.infer_shape(in_shape)

        def create_operator(self, ctx: Context, in_shapes: list[list[int]], in_dtypes: list[Any]) -> CustomOp:
            return Operator()

    return Properties


class OperatorArguments(NamedTuple):
    """What an operator takes: how many arguments, their names and their types as text."""

    narg: int
    names: list[str]
    types: list[str]


@cache
def _all_operators() -> dict[str, dict[str, Any]]:
    described = [_core.describe_op(i) for i in range(_core.op_count())]
    return {name: one for one in described for name in (one["name"], *one["aliases"])}


def get_all_registered_operators() -> list[str]:
    """Names of all operators, second names included.

    >>> import mixgrad as mx
    >>> "Convolution" in mx.operator.get_all_registered_operators()
    True
    """
    return list(_all_operators())


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """The inputs and parameters of an operator, with types in MXNet's words.

    >>> import mixgrad as mx
    >>> mx.operator.get_operator_arguments("clip").names
    ['data', 'a_min', 'a_max']
    >>> mx.operator.get_operator_arguments("Flatten").types
    ['NDArray-or-Symbol']
    """
    operators = _all_operators()
    if op_name not in operators:
        raise NotFoundError(
            f"[get_operator_arguments] no operator is called {op_name!r:.60}{near(op_name, operators)}"
        )
    described = operators[op_name]
    ending = "[]" if described["has"]["variadic"] else ""
    names = [port["name"] for port in described["inputs"]]
    types = ["NDArray-or-Symbol" + ending] * len(names)
    for param in described["params"]:
        is_count = param["name"] == described["has"]["count_field"]
        if is_count and len(described["params"]) == 1:
            continue  # as in MXNet, where add_n has its arrays alone
        names.append(param["name"])
        types.append("int, required" if is_count else argument_type(described["name"], param))
    return OperatorArguments(len(names), names, types)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
