"""``python -m mixgrad``: the mixgrad command."""

import sys

from .command import main

sys.exit(main())
