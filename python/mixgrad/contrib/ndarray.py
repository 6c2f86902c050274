"""Contributed operators of arrays: ``mx.contrib.nd`` is another name of ``mx.nd.contrib``."""

import sys

from ..ndarray import contrib

sys.modules[__name__] = contrib
