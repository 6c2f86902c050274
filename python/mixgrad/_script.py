"""Running a script, a module or a line of code as Python does, with ``mxnet`` as a name of mixgrad."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType, TracebackType
from typing import Any, Optional

from ._alias import install

__all__ = ["USAGE", "main"]

USAGE = "[-h] (SCRIPT | FOLDER | - | -m MODULE | -c CODE) [ARGUMENTS ...]"
_HELP = """
Run a script that is written for MXNet: in it, and in the processes that it starts by multiprocessing,
mxnet is mixgrad.

  SCRIPT     a file, or a folder or archive that has __main__.py
  -          what standard input says
  -m MODULE  a module, by its name
  -c CODE    a line of Python

All that follows is left to the script."""
_WRONG_USE = 2


def main(arguments: Sequence[str], prog: str) -> int:
    """Runs what a command line says; returns 0, or 2 after a message when nothing could be run.

    Errors and ``sys.exit`` of the script end the process as they do without this function.

    Parameters
    ----------
    arguments : list of str
        What to run and its own arguments.
    prog : str
        What the command is called in messages.
    """
    first, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    if first in ("-h", "--help"):
        print(f"usage: {prog} {USAGE}\n{_HELP}")
        return 0
    kind, target = "script", first
    for option in ("-m", "-c"):
        if first.startswith(option):  # Python takes -mNAME, too
            kind = option
            target, rest = (first[2:], rest) if first != option else (rest[0] if rest else "", rest[1:])
    if not target or (kind == "script" and first.startswith("-") and first != "-"):
        print(f"usage: {prog} {USAGE}\n{prog}: nothing to run", file=sys.stderr)
        return _WRONG_USE
    install()
    try:
        code, described = {"script": _of_script, "-m": _of_module, "-c": _of_text}[kind](target, rest)
    except (OSError, ImportError) as error:
        print(f"{prog}: {error}", file=sys.stderr)
        return _WRONG_USE
    _run(code, described)
    return 0


def _begin(argv0: str, rest: list[str], folder: str) -> None:
    """Arguments, and the first place of modules, as Python sets them."""
    sys.argv[:] = [argv0, *rest]
    if not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
        sys.path[0] = folder


def _of_script(path: str, rest: list[str]) -> tuple[CodeType, dict[str, Any]]:
    if path == "-":
        _begin("-", rest, "")
        return _compiled(sys.stdin.read(), "<stdin>"), {}
    importer = None if os.path.isfile(path) and path.endswith(".py") else pkgutil.get_importer(path)
    if importer is not None and os.path.exists(path):
        spec = importer.find_spec("__main__", None)
        if spec is None or spec.loader is None:
            raise ImportError(f"can't find '__main__' module in {path!r}")
        _begin(path, rest, path)
        return _code_of(spec), {**_described(spec), "__package__": ""}
    whole = os.path.abspath(path)
    with io.open_code(whole) as file:
        source = file.read()
    _begin(path, rest, os.path.dirname(os.path.realpath(whole)))
    described: dict[str, Any] = {"__file__": whole, "__cached__": None, "__package__": None}
    if path.endswith(".pyc"):
        loader = importlib.machinery.SourcelessFileLoader("__main__", whole)
        code = loader.get_code("__main__")
        assert code is not None
        return code, {**described, "__loader__": loader}
    described["__loader__"] = importlib.machinery.SourceFileLoader("__main__", whole)
    return _compiled(source, whole), described


def _compiled(source: Any, name: str) -> CodeType:
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except BaseException:
        _show_from(None)
        raise


def _of_module(name: str, rest: list[str]) -> tuple[CodeType, dict[str, Any]]:
    _begin("-m", rest, os.getcwd())
    spec = _found(name)
    if spec.submodule_search_locations is not None:
        spec = _found(f"{name}.__main__")
    sys.argv[0] = spec.origin or name
    return _code_of(spec), _described(spec)


def _found(name: str) -> importlib.machinery.ModuleSpec:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.loader is None:
        raise ImportError(f"No module named {name}")
    return spec


def _code_of(spec: importlib.machinery.ModuleSpec) -> CodeType:
    get_code = getattr(spec.loader, "get_code", None)
    try:
        code = None if get_code is None else get_code(spec.name)
    except SyntaxError:
        _show_from(None)
        raise
    if not isinstance(code, CodeType):
        raise ImportError(f"{spec.name} has no Python code to run")
    return code


def _described(spec: importlib.machinery.ModuleSpec) -> dict[str, Any]:
    return {
        "__file__": spec.origin,
        "__cached__": spec.cached,
        "__package__": spec.parent,
        "__loader__": spec.loader,
        "__spec__": spec,
    }


def _of_text(text: str, rest: list[str]) -> tuple[CodeType, dict[str, Any]]:
    _begin("-c", rest, "")
    return _compiled(text + "\n", "<string>"), {}


def _run(code: CodeType, described: dict[str, Any]) -> None:
    """Runs code as the module ``__main__``, which stays after it has ended: threads may go on."""
    module = ModuleType("__main__")
    module.__dict__.update({"__builtins__": builtins, "__spec__": None, **described})
    sys.modules["__main__"] = module
    _show_from(code)
    exec(code, module.__dict__)


def _show_from(code: Optional[CodeType]) -> None:
    """Has tracebacks begin with the script: what called it is not the user's; None: show none of it."""
    original = sys.excepthook

    def show(kind: type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
        while trace is not None and trace.tb_frame.f_code is not code:
            trace = trace.tb_next
        original(kind, error.with_traceback(trace), trace)

    sys.excepthook = show
