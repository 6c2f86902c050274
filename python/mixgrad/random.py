"""Seeds, and the functions of ``mx.nd.random`` under a shorter name.

Every device has a generator. A call takes the next stream of its device's generator when it is made, and each
number is a function of the seed, that stream and its place in the array: threads and scheduling play no part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

import numpy as np

from . import _core, _hints
from .context import Context
from .ndarray.random import *  # noqa: F403
from .ndarray.random import __all__ as _functions

_MASK = (1 << 64) - 1
_seeded = False


def seed(seed_state: int, ctx: Union[str, Context] = "all") -> None:
    """Starts the random generators again.

    Parameters
    ----------
    seed_state : int
        The seed, modulo 2**64.
    ctx : Context or 'all'
        Whose generator. Devices draw different numbers from one seed.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.random.seed(7)
    >>> first = mx.nd.random.uniform(shape=3).asnumpy()
    >>> mx.random.seed(7)
    >>> bool((mx.nd.random.uniform(shape=3).asnumpy() == first).all())
    True
    """
    if not isinstance(seed_state, (int, np.integer)):
        raise ValueError(f"[random.seed] got {type(seed_state).__name__}; expected an int")
    global _seeded
    _seeded = True
    state = int(seed_state) & _MASK
    if isinstance(ctx, str) and ctx == "all":
        _core.seed(state)
        return
    if not isinstance(ctx, Context):
        raise TypeError(f"[random.seed] ctx is {ctx!r:.60}; expected a Context or 'all'")
    _core.seed_device(state, ctx.numbers)


def is_seeded() -> bool:
    """Whether the program has called :func:`seed`."""
    return _seeded


def draw_seed() -> int:
    """A number below 2**62 from the CPU's generator, for generators of other packages."""
    halves = randint(0, 2**31 - 1, shape=2, dtype="int64", ctx=Context("cpu")).asnumpy()  # noqa: F405
    return int(halves[0]) << 31 | int(halves[1])


__all__ = ["seed", *_functions]  # noqa: PLE0604


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
