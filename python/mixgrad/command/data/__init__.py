"""Show what a file of data holds: counts, sizes, labels, pictures, damage."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ..._files import open_file, read_file
from ...base import FileError, FileFormatError, InvalidArgumentError
from ..console import at_least, heading, printable, show, show_json
from .arrays import describe_idx, describe_numpy, describe_params
from .records import describe_records
from .report import Report
from .sheet import terminal_lines, write_sheet
from .tables import describe_csv, describe_libsvm, describe_list, looks_like_libsvm
from .tokens import TOKENS, describe_tokens

__all__ = ["act", "add_arguments"]

_RECORD_MAGIC = bytes.fromhex("0a23d7ce")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "file",
        type=Path,
        help="records (.rec), list (.lst), tokens, CSV, LibSVM, idx, .npy, .npz, .params, .safetensors",
    )
    parser.add_argument("--check", action="store_true", help="read all of it and decode each picture")
    parser.add_argument("--sheet", type=Path, metavar="PNG", help="write pictures of it to this file")
    parser.add_argument("--show", action="store_true", help="show pictures of it in the terminal")
    parser.add_argument("--pictures", type=at_least(1), default=40, help="how many (default: 40)")
    parser.add_argument("--labels", type=Path, help="text file with the names of classes, one per line")


def act(given: argparse.Namespace) -> None:
    """Show."""
    path: Path = given.file
    if given.sheet and given.sheet.exists() and path.exists() and given.sheet.samefile(path):
        raise InvalidArgumentError(f"[data] --sheet is '{given.sheet}', which is read; expected another file")
    names = read_file(given.labels, "data").decode("utf-8", "replace").splitlines() if given.labels else []
    report = _described(path, given.check)
    if given.json:
        show_json({"file": str(path), **report.described()})
    else:
        _show(path, report, names)
    if given.sheet or given.show:
        _show_pictures(given, report)
    if report.damaged:
        places = "1 place is" if report.damaged == 1 else f"{report.damaged:,} places are"
        raise FileFormatError(f"[data] '{path}': {places} damaged; the first: {report.damage[0]}")


def _described(path: Path, check: bool) -> Report:
    """The report of whoever knows this kind of file, by its name or its first bytes."""
    if path.is_dir():
        raise FileError(
            f"[data] '{path}' is a folder; expected a file (mixgrad im2rec --list looks at folders)"
        )
    with open_file(path, "data") as file:
        first = file.read(4096)
    if not first:
        raise FileFormatError(f"[data] '{path}' is empty")
    ending = path.suffix.lower()
    if first.startswith(TOKENS):
        return describe_tokens(path, check)
    if ending == ".rec" or first[:4] == _RECORD_MAGIC:
        return describe_records(path, check)
    if ending == ".lst":
        return describe_list(path, check)
    if ending in (".npy", ".npz"):
        return describe_numpy(path)
    if ending in (".params", ".safetensors"):
        return describe_params(path)
    if "ubyte" in path.name or (first[:2] == b"\0\0" and first[2] in (8, 9, 11, 12, 13, 14)):
        return describe_idx(path)
    line = next((one for one in first.splitlines() if one.strip()), b"")
    if ending in (".libsvm", ".svm", ".t") or looks_like_libsvm(line):
        return describe_libsvm(path, check)
    if ending == ".csv" or (b"," in line and b"\0" not in first):
        return describe_csv(path, check)
    raise FileFormatError(
        f"[data] '{path}' begins with {first[:8].hex(' ')}, as no known kind does; expected records, a "
        "list, tokens, CSV, LibSVM, idx, .npy, .npz, .params or .safetensors"
    )


def _show(path: Path, report: Report, names: list[str]) -> None:
    heading(f"{path}: {report.kind}")
    wide = max((len(name) for name in report.facts), default=0)
    for name, value in report.facts.items():
        show(f"  {name:{wide}}  {f'{value:,}' if isinstance(value, int) else value}")
    if report.labels:
        for line in report.labels.lines(names):
            show(line)
    for text in report.damage:
        show(f"damaged: {text}")
    if report.damaged > len(report.damage):
        show(f"damaged: {report.damaged - len(report.damage):,} more")


def _show_pictures(given: argparse.Namespace, report: Report) -> None:
    if report.pictures is None:
        raise InvalidArgumentError(f"[data] '{given.file}' ({report.kind}) has no pictures to show")
    pictures = report.pictures(given.pictures)
    if given.sheet:
        count = f"{len(pictures)} pictures of " if len(pictures) > 1 else ""
        write_sheet(given.sheet, pictures, f"{count}{given.file}")
    if given.show:
        for line in terminal_lines(pictures, shutil.get_terminal_size().columns):
            print(printable(line))
