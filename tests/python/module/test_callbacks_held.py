"""Functions that the library calls back: who holds them, what they raise, lists they change meanwhile."""

from __future__ import annotations

import ast
import gc
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest

import mixgrad as mx
from mixgrad import _core

PACKAGE = Path(mx.__file__).parent


def executor() -> mx.executor.Executor:
    return mx.sym.exp(mx.sym.var("a")).simple_bind(mx.cpu(), a=(2,))


def test_no_refusal_without_a_message() -> None:
    """A base class that leaves a method to others is abstract, or says what is missing."""
    bare = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Name)
        and node.exc.id == "NotImplementedError"
    ]
    assert bare == []


def test_a_store_whose_updater_refers_to_it_is_freed() -> None:
    store = mx.kv.create("local")
    store.init(3, mx.nd.ones((2,)))
    store._set_updater(lambda key, received, stored, known=store: known.rank)
    gone = weakref.ref(store)
    del store
    gc.collect()
    assert gone() is None


def test_an_executor_whose_watcher_refers_to_it_is_freed() -> None:
    exe = executor()
    monitor = mx.mon.Monitor(1)
    monitor.install(exe)  # the monitor knows the executor, which calls the monitor
    gone = weakref.ref(exe)
    del exe, monitor
    gc.collect()
    assert gone() is None


def test_functions_go_with_what_called_them() -> None:
    class Function:
        def __call__(self, *args: Any) -> None:
            pass

    for replace in (False, True):
        store, exe = mx.kv.create("local"), executor()
        first, second = Function(), Function()
        watched = [weakref.ref(first), weakref.ref(second)]
        store._set_updater(first)
        exe.set_monitor_callback(second)
        del first, second
        gc.collect()
        assert all(ref() is not None for ref in watched)
        if replace:
            store._set_updater(Function())
            exe.set_monitor_callback(None)
        else:
            del store, exe
        gc.collect()
        assert all(ref() is None for ref in watched)


def test_lists_that_change_while_they_are_pushed() -> None:
    store = _core.KVStore("local")
    store.init(["a", "b"], [mx.nd.zeros((64,)), mx.nd.zeros((64,))])
    keys = ["".join("a"), "".join(["b"])]
    values = [mx.nd.ones((64,)), mx.nd.ones((64,)) * 2]
    others: list[Any] = []

    def update(key: str, received: Any, stored: Any) -> None:
        keys.clear()
        values.clear()
        gc.collect()
        others.extend(mx.nd.full((64,), 100) for _ in range(50))  # takes memory that was given back
        stored += received

    store.set_updater(update)
    store.push(keys, values, 0)
    out = [mx.nd.zeros((64,)), mx.nd.zeros((64,))]
    store.pull(["a", "b"], out, 0)
    assert [float(o.asnumpy().sum()) for o in out] == [64, 128]


def test_every_thread_gets_its_own_error() -> None:
    """Two threads push to one store at once and their updaters fail differently."""
    store = mx.kv.create("local")
    store.init([str(i) for i in range(4)], [mx.nd.zeros((2,)) for _ in range(4)])

    def update(key: str, received: Any, stored: Any) -> None:
        raise KeyError(f"from {key}")

    store._set_updater(update)
    wrong: list[Any] = []

    def work(key: str) -> None:
        for _ in range(300):
            try:
                store.push(key, mx.nd.ones((2,)))
            except KeyError as error:
                if error.args != (f"from {key}",):
                    wrong.append((key, error))
            except BaseException as error:
                wrong.append((key, error))
            else:
                wrong.append((key, None))

    threads = [threading.Thread(target=work, args=(str(i),)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_error_inside_an_error() -> None:
    """An updater that pushes elsewhere and fails there: the inner exception comes out and does not stay."""
    inner, outer = mx.kv.create("local"), mx.kv.create("local")
    for store in (inner, outer):
        store.init("w", mx.nd.zeros((2,)))

    def fail(key: str, received: Any, stored: Any) -> None:
        raise ZeroDivisionError("inner")

    inner._set_updater(fail)
    outer._set_updater(lambda key, received, stored: inner.push(key, received))
    with pytest.raises(ZeroDivisionError, match="inner"):
        outer.push("w", mx.nd.ones((2,)))
    with pytest.raises(mx.MXNetError, match="has no value"):
        outer.push("v", mx.nd.ones((2,)))

    def swallow(key: str, received: Any, stored: Any) -> None:
        with pytest.raises(ZeroDivisionError):
            inner.push(key, received)

    outer._set_updater(swallow)
    outer.push("w", mx.nd.ones((2,)))
