"""Packing by several processes, which write parts of the record file; the order of samples is kept."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path
from typing import NamedTuple, Union

from ... import engine, recordio
from ...base import InternalError, InvalidArgumentError
from .lists import list_line
from .pictures import Packing, payload_of
from .samples import Damaged, Refused, Sample

__all__ = ["PIECE", "Part", "pack_part", "packed_parts", "pieces"]

PIECE = 32  # samples of a piece of work, at most
_BYTES = 8 << 20  # of a piece, where they are known
_AHEAD = 3  # pieces per worker that wait or are worked on

Piece = list[Union[Sample, Refused]]


class Part(NamedTuple):
    """Records that a worker wrote into a file of their own, in order.

    ``entries`` are key, offset in the file and line of a list, ``damaged`` name and reason; ``taken`` counts
    both.
    """

    path: Path
    entries: list[tuple[int, int, str]]
    damaged: list[tuple[str, str]]
    taken: int


def pieces(samples: Iterable[Union[Sample, Refused]]) -> Iterator[Piece]:
    """Samples cut into what one worker gets at a time."""
    piece: Piece = []
    size = 0
    for sample in samples:
        piece.append(sample)
        where = sample.where if isinstance(sample, Sample) else ""
        size += len(where) if isinstance(where, bytes) else getattr(where, "size", 0)
        if len(piece) == PIECE or size >= _BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def pack_part(path: Path, piece: Piece, packing: Packing) -> Part:
    """Packs a piece into a record file of its own; what is damaged is left out and named."""
    entries: list[tuple[int, int, str]] = []
    damaged: list[tuple[str, str]] = []
    with recordio.MXRecordIO(path, "w", in_place=True) as writer:
        for sample in piece:
            if isinstance(sample, Refused):
                damaged.append((sample.name, sample.reason))
                continue
            try:
                line = list_line(sample.key, sample.labels, sample.name)
                payload = payload_of(sample, packing)
            except (Damaged, InvalidArgumentError) as error:
                damaged.append((sample.name, str(error)))
                continue
            entries.append((sample.key, writer.tell(), line))
            writer.write(payload)
    return Part(path, entries, damaged, len(piece))


def packed_parts(
    work: Iterable[Piece], packing: Packing, folder: Path, processes: int
) -> Generator[Part, None, None]:
    """The parts of all pieces in order; files lie in ``folder`` until somebody takes them.

    With one process everything happens in the caller's. A worker that dies (killed for its memory, by a
    decoder) ends the run by an error; workers end with the process that started them.
    """
    paths = (folder / f"{number}.rec" for number in count())
    if processes == 1:
        yield from (pack_part(path, piece, packing) for path, piece in zip(paths, work))
        return
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _begin)
    waiting: deque[Future[Part]] = deque()
    try:
        for path, piece in zip(paths, work):
            waiting.append(pool.submit(pack_part, path, piece, packing))
            if len(waiting) >= _AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise InternalError(
            "[im2rec] a worker process ended; if it ran out of memory, fewer (--num-thread) need less"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """In each worker: one thread for operators, Ctrl-C is the parent's, and no life without it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    engine.set_num_threads(1)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
