"""What ran where and when (``mx.profiler``), as a Chrome trace or as a table.

A trace opens in a browser's chrome://tracing or in Perfetto. :func:`profile` records a block; scripts written
for MXNet set a file name with :func:`set_config`, switch with :func:`set_state` and write with :func:`dump`.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .events import Counter, Domain, Event, Frame, Marker, Task
from .recording import (
    dump,
    dump_profile,
    dumps,
    pause,
    profile,
    profiler_set_config,
    profiler_set_state,
    resume,
    set_config,
    set_state,
    start,
    stop,
)

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Frame",
    "Marker",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profile",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_state",
    "start",
    "stop",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
