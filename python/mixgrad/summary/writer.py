"""Files of events, which TensorBoard shows."""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
import weakref
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, Union

import numpy as np

from . import messages, png
from .records import framed

__all__ = ["Writer"]

_numbers = itertools.count()
_MOST_BINS = 1 << 20


class Writer:
    """Writes scalars, pictures, histograms and graphs to a file that ``tensorboard --logdir FOLDER`` shows.

    Methods may be called by several threads. Events reach the file some seconds later, at :meth:`flush`, at
    :meth:`close`, and when the program ends.

    Parameters
    ----------
    logdir : str or Path
        The folder, which is made; a run has a folder of its own.
    flush_secs : float
        The file is flushed with the first event that comes so long after the last flush.
    filename_suffix : str
        What the file's name ends with.

    Attributes
    ----------
    path : Path
        The file.

    Raises
    ------
    OSError
        The folder or the file cannot be made.

    Examples
    --------
    >>> import mixgrad as mx, tempfile
    >>> with mx.summary.Writer(tempfile.mkdtemp()) as writer:
    ...     for step, loss in enumerate([0.7, 0.4]):
    ...         writer.add_scalar("loss", loss, step)
    ...     writer.add_histogram("weight", mx.nd.random.normal(shape=(20, 30)), step)
    ...     writer.add_image("picture", mx.nd.random.uniform(shape=(3, 8, 8)), step)
    >>> writer.path.name[:21]
    'events.out.tfevents.1'
    """

    def __init__(self, logdir: Union[str, Path], flush_secs: float = 10.0, filename_suffix: str = "") -> None:
        if not isinstance(flush_secs, (int, float)):
            raise TypeError(f"[summary.Writer] flush_secs is {flush_secs!r:.60}; expected a number")
        if not isinstance(filename_suffix, str) or os.sep in filename_suffix:
            raise ValueError(
                f"[summary.Writer] filename_suffix is {filename_suffix!r:.60}; "
                f"expected text without {os.sep!r}"
            )
        folder = Path(logdir)
        folder.mkdir(parents=True, exist_ok=True)
        now = time.time()
        tail = f"{socket.gethostname()}.{os.getpid()}.{next(_numbers)}{filename_suffix}"
        self.path = folder / f"events.out.tfevents.{int(now):010d}.{tail}"
        self._file = open(self.path, "xb")  # noqa: SIM115  (closed by close)
        self._flush_secs, self._flushed = flush_secs, time.monotonic()
        self._lock = threading.Lock()
        self._finish = weakref.finalize(self, self._file.close)
        self._add(messages.file_version(), 0, now)
        self.flush()

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Writer({str(self.path.parent)!r})"

    def add_scalar(
        self, tag: str, value: Any, global_step: Optional[int] = None, wall_time: Optional[float] = None
    ) -> None:
        """Add a number to a curve.

        Parameters
        ----------
        tag : str
            The curve; what stands before a ``/`` groups curves.
        value : float, or an array of one element
            The number.
        global_step : int, optional
            Where it stands; 0 by default.
        wall_time : float, optional
            When it was, in seconds since 1970; now by default.

        Raises
        ------
        TypeError, ValueError
            The value is no number, or an array of several.
        """
        self._add(
            messages.summary(_tag(tag, "add_scalar"), messages.scalar(float(value))), global_step, wall_time
        )

    def add_image(
        self,
        tag: str,
        image: Any,
        global_step: Optional[int] = None,
        layout: Optional[str] = None,
        wall_time: Optional[float] = None,
    ) -> None:
        """Add a picture, or a batch of them as a grid.

        Parameters
        ----------
        tag : str
            Its name.
        image : NDArray or numpy.ndarray
            uint8, or floats from 0 to 1; 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 channels.
        global_step, wall_time
            As of :meth:`add_scalar`.
        layout : str, optional
            Axes: ``'HW'``, ``'CHW'``, ``'NCHW'`` (by default, by the number of axes), ``'HWC'``, ``'NHWC'``.

        Raises
        ------
        ValueError, TypeError
            The layout or the dtype does not fit.
        """
        usual = {2: "HW", 3: "CHW", 4: "NCHW"}.get(np.ndim(image), "CHW")
        pixels = png.pixels_of(image, usual if layout is None else layout, "add_image")
        value = messages.picture(pixels.shape, png.encode(pixels))
        self._add(messages.summary(_tag(tag, "add_image"), value), global_step, wall_time)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Optional[int] = None,
        bins: int = 30,
        wall_time: Optional[float] = None,
    ) -> None:
        """Add how values are spread, such as those of a weight or a gradient.

        Parameters
        ----------
        tag : str
            Its name.
        values : NDArray or numpy.ndarray
            Any shape.
        global_step, wall_time
            As of :meth:`add_scalar`.
        bins : int
            How many stretches from the smallest to the largest value are counted apart.

        Raises
        ------
        ValueError
            Some values are not finite, or ``bins`` is below 1.
        """
        if not isinstance(bins, (int, np.integer)) or not 1 <= bins <= _MOST_BINS:
            raise ValueError(
                f"[add_histogram] bins is {bins!r:.60}; expected a whole number from 1 to {_MOST_BINS}"
            )
        numbers = np.asarray(values.asnumpy() if hasattr(values, "asnumpy") else values, np.float64).ravel()
        finite = int(np.isfinite(numbers).sum())
        if finite != numbers.size:
            raise ValueError(
                f"[add_histogram] {numbers.size - finite} of {numbers.size} values of {tag!r} are not finite"
            )
        value = messages.histogram(numbers, bins)
        self._add(messages.summary(_tag(tag, "add_histogram"), value), global_step, wall_time)

    def add_graph(
        self, net: Any, *inputs: Any, shapes: Optional[Mapping[str, tuple[int, ...]]] = None
    ) -> None:
        """Add the graph of a network.

        Parameters
        ----------
        net : Symbol or HybridBlock
            The network; blocks become groups that open.
        *inputs : NDArray
            What a block is called with; only their shapes matter.
        shapes : dict of str to tuple of int, optional
            Shapes of a symbol's data, from which those of the rest follow.

        Raises
        ------
        TypeError
            It is another object, or a block without inputs.

        Examples
        --------
        >>> import mixgrad as mx, tempfile
        >>> writer = mx.summary.Writer(tempfile.mkdtemp())
        >>> writer.add_graph(mx.models.lenet(), shapes={"data": (1, 1, 28, 28)})
        >>> net = mx.gluon.nn.HybridSequential()
        >>> net.add(mx.gluon.nn.Dense(8, activation="relu"), mx.gluon.nn.Dense(2))
        >>> writer.add_graph(net, mx.nd.ones((1, 4)))
        >>> writer.close()
        """
        from .graphs import graph_of

        self._add(graph_of(net, inputs, shapes), 0, None)

    def flush(self) -> None:
        """Have all events in the file."""
        with self._lock:
            if self._file.closed:  # all are in it
                return
            self._file.flush()
            self._flushed = time.monotonic()

    def close(self) -> None:
        """Close the file; events after that are refused."""
        with self._lock:
            self._finish()

    def _add(self, content: bytes, step: Optional[int], wall_time: Optional[float]) -> None:
        number = 0 if step is None else step
        if not isinstance(number, (int, np.integer)) or not -(1 << 63) <= number < 1 << 63:
            raise ValueError(
                f"[summary.Writer] global_step is {step!r:.60}; expected a whole number of 64 bits"
            )
        if wall_time is not None and not isinstance(wall_time, (int, float)):
            raise TypeError(f"[summary.Writer] wall_time is {wall_time!r:.60}; expected seconds since 1970")
        event = messages.event(time.time() if wall_time is None else wall_time, int(number), content)
        record = framed(event)
        with self._lock:
            if self._file.closed:
                raise ValueError(f"[summary.Writer] {self.path} is closed; expected a writer that is open")
            self._file.write(record)
            if time.monotonic() - self._flushed < self._flush_secs:
                return
        self.flush()


def _tag(tag: Any, who: str) -> str:
    if not isinstance(tag, str) or not tag:
        raise TypeError(f"[{who}] tag is {tag!r:.60}; expected a name")
    if any("\ud800" <= letter <= "\udfff" for letter in tag):
        raise ValueError(f"[{who}] tag is {tag!r:.60}, which cannot be written as UTF-8")
    return tag
