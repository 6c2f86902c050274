"""Helpers for tests of arrays, operators and optimisers (``mx.test_utils``).

Comparisons with tolerances that fit the dtypes, random arrays and shapes, gradients checked against finite
differences, and results compared over dtypes and devices.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .arrays import (
    collapse_sum_like,
    default_dtype,
    np_reduce,
    rand_coord_2d,
    rand_ndarray,
    rand_shape_2d,
    rand_shape_3d,
    rand_shape_nd,
    random_arrays,
    random_sample,
    random_uniform_arrays,
)
from .compare import (
    almost_equal,
    assert_allclose,
    assert_almost_equal,
    assert_almost_equal_ignore_nan,
    assert_almost_equal_with_err,
    compare_ndarray_tuple,
    default_atols,
    default_numeric_eps,
    default_rtols,
    effective_dtype,
    get_atol,
    get_etol,
    get_rtol,
    get_tolerance,
    get_tols,
    same,
    same_array,
)
from .data import DummyIter, download, get_mnist, get_mnist_iterator, get_mnist_ubyte
from .environment import (
    assert_exception,
    default_context,
    environment,
    list_gpus,
    retry,
    set_default_context,
    simulated_gpus,
)
from .gradient import check_consistency, check_numeric_gradient, compare_optimizer, numeric_grad
from .symbolic import (
    check_speed,
    check_symbolic_backward,
    check_symbolic_forward,
    same_symbol_structure,
    simple_forward,
)

__all__ = [
    "DummyIter",
    "almost_equal",
    "assert_allclose",
    "assert_almost_equal",
    "assert_almost_equal_ignore_nan",
    "assert_almost_equal_with_err",
    "assert_exception",
    "check_consistency",
    "check_numeric_gradient",
    "check_speed",
    "check_symbolic_backward",
    "check_symbolic_forward",
    "collapse_sum_like",
    "compare_ndarray_tuple",
    "compare_optimizer",
    "default_atols",
    "default_context",
    "default_dtype",
    "default_numeric_eps",
    "default_rtols",
    "download",
    "effective_dtype",
    "environment",
    "get_atol",
    "get_etol",
    "get_mnist",
    "get_mnist_iterator",
    "get_mnist_ubyte",
    "get_rtol",
    "get_tolerance",
    "get_tols",
    "list_gpus",
    "np_reduce",
    "numeric_grad",
    "rand_coord_2d",
    "rand_ndarray",
    "rand_shape_2d",
    "rand_shape_3d",
    "rand_shape_nd",
    "random_arrays",
    "random_sample",
    "random_uniform_arrays",
    "retry",
    "same",
    "same_array",
    "same_symbol_structure",
    "set_default_context",
    "simple_forward",
    "simulated_gpus",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
