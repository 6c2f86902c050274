"""Looks after a worker's training: first values, checkpoints, summaries, threads, and the end."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from ..base import InvalidArgumentError, MXNetError
from ..summary import Writer
from .saver import Saver

__all__ = ["Session", "Supervisor"]

T = TypeVar("T")
_LAST_SECONDS = 120.0  # for threads to end


def _note(error: BaseException, text: str) -> None:
    """Have a text told with an exception: as its note, where Python has notes, else as its context."""
    if sys.version_info >= (3, 11):
        error.add_note(text)
    elif error.__context__ is None:
        error.__context__ = MXNetError(text)


class Session:
    """A training under a :class:`Supervisor`, whose steps are calls of :meth:`run`."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor

    def run(self, step: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Call ``step(*args, **kwargs)`` and return what it returns.

        What is to happen between two steps, as the cut of a checkpoint, happens before it.
        """
        self._supervisor._serve()
        return step(*args, **kwargs)


class Supervisor:
    """Looks after the training of one worker.

    Parameters
    ----------
    is_chief : bool
        Whether this worker initialises, restores and writes: worker 0 is the chief.
    logdir : str or path, optional
        The folder of checkpoints and events.
    init : function, optional
        Called by every worker at the beginning, by the chief after the last checkpoint was read:
        :meth:`SharedVariables.start`, in which the others wait for the chief.
    saver : Saver, optional
        What writes and reads checkpoints; needs ``logdir``.
    summary : function, optional
        Returns numbers by name, called by the chief between two steps, for TensorBoard; needs ``logdir``.
    global_step : function, optional
        Returns the global step, for summaries.
    save_model_secs : float
        Seconds between checkpoints, which a thread of the chief writes while training goes on; 0: only one
        at the end.
    save_summaries_secs : float
        Seconds between summaries; 0: none.

    Examples
    --------
    >>> import mixgrad as mx
    >>> supervisor = mx.distributed.Supervisor()
    >>> done = []
    >>> with supervisor.managed_session() as session:
    ...     while not supervisor.should_stop():
    ...         session.run(done.append, len(done))
    ...         if len(done) == 3:
    ...             supervisor.request_stop()
    >>> done
    [0, 1, 2]
    """

    def __init__(
        self,
        is_chief: bool = True,
        logdir: str | os.PathLike[str] | None = None,
        init: Callable[[], Any] | None = None,
        saver: Saver | None = None,
        summary: Callable[[], Mapping[str, float]] | None = None,
        global_step: Callable[[], int] | None = None,
        save_model_secs: float = 600.0,
        save_summaries_secs: float = 120.0,
    ) -> None:
        if logdir is None and is_chief and (saver or summary):
            raise InvalidArgumentError("[Supervisor] there is no logdir; expected the folder to write to")
        for seconds in (save_model_secs, save_summaries_secs):
            if not isinstance(seconds, (int, float)) or not 0 <= seconds <= threading.TIMEOUT_MAX:
                raise InvalidArgumentError(
                    f"[Supervisor] seconds between files are {seconds!r}; expected a number, 0 or more"
                )
        if saver is not None and not isinstance(saver, Saver):
            raise TypeError(f"[Supervisor] saver is {type(saver).__name__}; expected a Saver")
        self.is_chief = is_chief
        self.logdir = None if logdir is None else Path(logdir)
        self._init, self._saver, self._summary = init, saver, summary
        self._global_step = global_step
        self._save_model_secs, self._save_summaries_secs = save_model_secs, save_summaries_secs
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._writing = threading.Lock()  # of files; nobody holds it while a step runs
        self._between: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._threads: list[threading.Thread] = []
        self._trainer: threading.Thread | None = None
        self._events: Writer | None = None

    # The end.

    def should_stop(self) -> bool:
        """Whether training is to end: :meth:`request_stop` was called, or a thread failed."""
        return self._stop.is_set()

    def request_stop(self, error: BaseException | None = None) -> None:
        """Have all threads and the training end; of several errors the first is raised at the end."""
        if error is not None and not isinstance(error, BaseException):
            raise TypeError(f"[Supervisor] the error is a {type(error).__name__}; expected an exception")
        with self._lock:
            self._error = self._error or error
        self._stop.set()

    def stop(self) -> None:
        """End all threads.

        Raises
        ------
        BaseException
            What one of them failed with. If another did not end in time, its notes say so.
        MXNetError
            One did not end in time.
        """
        late = self._end_threads()
        if self._error is not None:
            if late:
                _note(self._error, late)
            raise self._error
        if late:
            raise MXNetError(late)

    def _end_threads(self) -> str:
        """Ends all threads, closes the file of events; says which threads did not end in time."""
        self._stop.set()
        self._serve()
        limit = time.monotonic() + _LAST_SECONDS
        for thread in self._threads:
            while thread.is_alive() and time.monotonic() < limit:
                self._serve()
                thread.join(0.02)
        late = [thread.name for thread in self._threads if thread.is_alive()]
        self._threads, self._trainer = [], None
        with self._writing:
            if self._events is not None:
                self._events.close()
                self._events = None
        return f"[Supervisor] {', '.join(late)} did not end in {_LAST_SECONDS:.0f} s" if late else ""

    # Threads.

    def start(self, function: Callable[..., Any], *args: Any) -> threading.Thread:
        """Call ``function(*args)`` in a thread, as one that fills a queue of batches.

        If it fails, all stops, and the error is raised at the end. It should look at :meth:`should_stop`.
        """

        def run() -> None:
            try:
                function(*args)
            except BaseException as error:
                self.request_stop(error)

        name = getattr(function, "__name__", type(function).__name__)
        thread = threading.Thread(target=run, name=f"supervisor {name}", daemon=True)
        self._threads.append(thread)
        thread.start()
        return thread

    def start_queue_runners(self, runners: list[Callable[[], Any]]) -> list[threading.Thread]:
        """Start each of several functions in a thread (:meth:`start`)."""
        return [self.start(one) for one in runners]

    def loop(self, seconds: float, function: Callable[..., Any], *args: Any) -> threading.Thread:
        """Call a function every so many seconds in a thread, until training stops."""

        def every() -> None:
            while not self._stop.wait(seconds):
                function(*args)

        every.__name__ = getattr(function, "__name__", type(function).__name__)
        return self.start(every)

    # Between two steps.

    def _serve(self) -> None:
        """Calls what others want called between two steps; the training's thread only."""
        while self._between:
            function, answer = self._between.popleft()
            try:
                answer.set_result(function())
            except BaseException as error:
                answer.set_exception(error)

    def _between_steps(self, function: Callable[[], T]) -> T | None:
        """What it returns when called between two steps; None if training ends before."""
        if threading.current_thread() is self._trainer:
            return function()
        answer: Future[Any] = Future()
        self._between.append((function, answer))
        while not answer.done() and not (self._stop.is_set() and self._trainer is None):
            wait([answer], 0.05)
        result: T | None = answer.result() if answer.done() else None
        return result

    def save(self) -> Path | None:
        """Write a checkpoint now; the values are those between two steps. Returns its path."""
        if self._saver is None or self.logdir is None:
            raise InvalidArgumentError("[Supervisor] there is no saver; expected one, and a logdir")
        if self._trainer is None and not self._stop.is_set():
            raise InvalidArgumentError("[Supervisor] training has not begun; expected prepare before save")
        cut = self._between_steps(self._saver.cut)
        if cut is None:
            return None
        with self._writing:
            return self._saver.write(cut, self.logdir)

    def _summarize(self) -> None:
        def numbers() -> tuple[Mapping[str, float], int]:
            assert self._summary is not None
            return self._summary(), self._global_step() if self._global_step else 0

        found = self._between_steps(numbers)
        if found is None:
            return
        scalars, step = found
        now = time.time()
        with self._writing:
            if self._events is not None:  # a thread may come when training is over
                for name, value in scalars.items():
                    self._events.add_scalar(name, value, step, now)
                self._events.flush()

    # The training.

    def prepare(self) -> None:
        """Chief: read the last checkpoint; all: call ``init``; then start what writes files."""
        saver, folder = self._saver, self.logdir
        self._trainer = threading.current_thread()
        if self.is_chief and folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            last = saver.latest(folder) if saver else None
            if saver and last:
                saver.restore(last)
        if self._init is not None:
            self._init()
        store = saver.variables.store if saver else None
        if store is not None and self.is_chief != (store.rank == 0):
            raise InvalidArgumentError(
                f"[Supervisor] is_chief is {self.is_chief} in worker {store.rank}; expected the "
                "chief to be worker 0"
            )
        if not self.is_chief or folder is None:
            return
        if self._summary is not None:
            self._events = Writer(folder)
            if self._save_summaries_secs:
                self.loop(self._save_summaries_secs, self._summarize)
        if saver is not None and self._save_model_secs:
            self.loop(self._save_model_secs, self.save)

    @contextlib.contextmanager
    def managed_session(self, master: str = "") -> Iterator[Session]:
        """A training: prepared at the beginning, ended at the end, with a last checkpoint and summary.

        Parameters
        ----------
        master : str
            ``Server.target``, as the programs of others have it; the environment says the same.

        Raises
        ------
        BaseException
            What the block raised; its notes tell of a thread that had failed before, and of threads that did
            not end. If the block ends well: what a thread failed with.
        """
        try:
            self.prepare()
            yield Session(self)
            if self._error is None and self.is_chief and self.logdir is not None:
                if self._events is not None:
                    self._summarize()
                if self._saver is not None:
                    self.save()
        except BaseException as error:
            self.request_stop(error)
            late = self._end_threads()
            if self._error is not None and self._error is not error:
                other = "".join(traceback.format_exception(None, self._error, self._error.__traceback__))
                _note(error, f"[Supervisor] a thread had failed before:\n{other}")
            if late:
                _note(error, late)
            raise
        else:
            self.stop()
