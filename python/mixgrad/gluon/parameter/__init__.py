"""Parameters of blocks."""

from ...ndarray import NDArray
from ...symbol import Symbol
from .constant import Constant
from .errors import DeferredInitializationError
from .parameter import Parameter
from .parameter_dict import ParameterDict

tensor_types = (Symbol, NDArray)

__all__ = ["Constant", "DeferredInitializationError", "Parameter", "ParameterDict", "tensor_types"]
