"""Gluon's blocks as modules, and modules as Gluon's blocks."""

from __future__ import annotations

from typing import Any

from .. import _core, autograd
from .._hints import kind_name
from ..base import InvalidArgumentError, UnsupportedError
from ..gluon import Block
from ..gluon import Parameter as BlockParameter
from ..gluon.parameter.parameter import generation
from ..ndarray import NDArray
from .module import Module
from .parameter import Parameter

__all__ = ["GluonBlock", "GluonModule"]


class GluonModule(Module):
    """A block of Gluon's as a module, over the same arrays.

    Parameters, by the paths of attributes, are the block's own arrays, so that training one trains the other;
    those without gradients, such as running means, are buffers. Gradients are added up from then on
    (``grad_req`` 'add').

    Parameters
    ----------
    block : gluon.Block
        Initialised on one device, with all shapes known: after its first call.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad import nn
    >>> dense = mx.gluon.nn.Dense(3, in_units=2)
    >>> dense.initialize()
    >>> layer = nn.GluonModule(dense)
    >>> layer(mx.np.ones((1, 2))).sum().backward()
    >>> [name for name, _ in layer.named_parameters()]
    ['weight', 'bias']
    >>> layer.get_parameter("bias").grad
    array([1., 1., 1.])
    """

    block: Block

    def __init__(self, block: Block) -> None:
        super().__init__()
        if not isinstance(block, Block):
            raise TypeError(f"[GluonModule] got a {kind_name(block)}; expected a block of Gluon's")
        self.block = block
        for path, parameter in block._collect_params_with_prefix().items():
            arrays = parameter.list_data()
            if len(arrays) != 1:
                raise InvalidArgumentError(
                    f"[GluonModule] {parameter.name!r} lies on {len(arrays)} devices; expected one"
                )
            owner = self
            *way, name = path.split(".")
            for part in way:
                if part not in owner._modules:
                    owner.add_module(part, _Part())
                owner = owner._modules[part]  # type: ignore[assignment]
            if parameter.grad_req == "null":
                owner.register_buffer(name, arrays[0].as_np_ndarray())
            else:
                parameter.grad_req = "add"
                owner._parameters[name] = owner.__dict__[name] = parameter.data()._as(Parameter)

    def forward(self, *args: Any) -> Any:
        """Call the block, in the mode of this module."""
        with autograd.train_mode() if self.training else autograd.predict_mode():
            found = self.block(*args)
        if isinstance(found, (list, tuple)):
            return type(found)(one.as_np_ndarray() if isinstance(one, NDArray) else one for one in found)
        return found.as_np_ndarray()

    def _apply(self, change: Any) -> Any:
        raise UnsupportedError(
            "[GluonModule] its arrays are those of the block and stay where they are; "
            "cast the block, or initialise it on another device, and make the module anew"
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return repr(self.block)


class _Part(Module):
    """A child of a block, which holds its parameters."""


class GluonBlock(Block):
    """A module as a block of Gluon's, over the same arrays.

    ``collect_params``, trainers, and blocks around it see the module's parameters, whose gradients are added
    up (``grad_req`` 'add'): call ``zero_grad()`` of them after each step. The mode is that of
    :func:`mixgrad.autograd.record`.

    Parameters
    ----------
    module : nn.Module
        Its arrays are shared.
    prefix : str, optional
        What the names of its parameters begin with.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad import nn
    >>> block = nn.GluonBlock(nn.Linear(2, 3), prefix="linear_")
    >>> block(mx.nd.ones((1, 2))).shape, list(block.collect_params())
    ((1, 3), ['linear_weight', 'linear_bias'])
    """

    def __init__(self, module: Module, prefix: Any = None) -> None:
        super().__init__(prefix=prefix)
        if not isinstance(module, Module):
            raise TypeError(f"[GluonBlock] got a {type(module).__name__}; expected nn.Module")
        self.module = module
        for path, array in module.named_parameters():
            self._share(path, array, "add" if array.requires_grad else "null")
        for path, buffer in module.named_buffers():
            self._share(path, buffer, "null")

    def _share(self, path: str, array: Any, grad_req: str) -> None:
        name = path.replace(".", "_")
        made = BlockParameter(self.prefix + name, grad_req, array.shape, array.dtype)
        own = array._as(NDArray)
        made._ctx_list, made._places = [own.context], {(own._device[0] & 1, own._device[1]): 0}
        made._data = [own]
        made._grad = None if grad_req == "null" else [_core.NDArrayBase.grad.__get__(own)]
        self.params.update({made.name: made})
        self._reg_params[path] = made
        generation.number += 1

    def forward(self, *args: Any) -> Any:
        """Call the module with arrays of ``mx.np``; the result is of the kind of the first argument."""
        mode = autograd.is_training()
        if self.module.training != mode:
            self.module.train(mode)
        found = self.module(*(one.as_np_ndarray() if isinstance(one, NDArray) else one for one in args))
        if isinstance(args[0], NDArray) and not args[0]._is_np:
            if isinstance(found, (list, tuple)):
                return type(found)(one.as_nd_ndarray() if isinstance(one, NDArray) else one for one in found)
            return found.as_nd_ndarray()
        return found
