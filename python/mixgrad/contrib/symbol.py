"""Contributed operators of symbols: ``mx.contrib.sym`` is another name of ``mx.sym.contrib``."""

import sys

from ..symbol import contrib

sys.modules[__name__] = contrib
