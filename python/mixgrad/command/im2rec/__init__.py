"""Pack pictures into a record file, with MXNet's options: lists, folders, tar files, Parquet."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from ... import __version__
from ..._files import write_file
from ...base import FileError, FileFormatError, InvalidArgumentError
from ..console import Pace, Progress, at_least, plain, show, show_json
from .archives import TarSource, is_archive
from .lists import Listing, ListSource, find_pictures, lists_of, write_lists
from .parquet import ParquetSource, is_parquet
from .pictures import Packing
from .samples import Source
from .target import Target
from .workers import PIECE, packed_parts, pieces

__all__ = ["act", "add_arguments"]

_NAMED = 10  # damaged pictures that are named on stderr; JSON names all
_SECONDS_PER_LINE = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("prefix", type=_prefix, help="start of the names of lists and record files")
    parser.add_argument(
        "root", type=Path, nargs="+", help="the folder of the pictures; or tar files, or Parquet files"
    )
    lists = parser.add_argument_group("making lists")
    lists.add_argument("--list", action="store_true", help="write <prefix>.lst of the folder, pack nothing")
    lists.add_argument(
        "--exts",
        nargs="+",
        default=[".jpeg", ".jpg", ".png"],
        help="endings of pictures (default: .jpeg .jpg .png)",
    )
    lists.add_argument("--chunks", type=at_least(1), default=1, help="number of lists (default: 1)")
    lists.add_argument("--train-ratio", type=float, default=1.0, help="share for training (default: 1)")
    lists.add_argument("--test-ratio", type=float, default=0.0, help="share for tests (default: 0)")
    lists.add_argument(
        "--recursive", action="store_true", help="also folders below the root, each one a class"
    )
    lists.add_argument("--no-shuffle", dest="shuffle", action="store_false", help="keep the order of names")
    lists.add_argument("--classes", type=Path, help="file for the folders of the classes, a line each")
    packing = parser.add_argument_group("packing")
    packing.add_argument("--pass-through", action="store_true", help="pack files as they are")
    packing.add_argument("--verify", action="store_true", help="decode what is passed through as well")
    packing.add_argument("--resize", type=at_least(0), default=0, help="length of the shorter side")
    packing.add_argument("--center-crop", action="store_true", help="cut out the square in the middle")
    packing.add_argument(
        "--quality", type=at_least(0), default=95, help="1 to 100 of JPEG, 0 to 9 of PNG (default: 95)"
    )
    packing.add_argument(
        "--color", type=int, choices=(-1, 0, 1), default=1, help="1 colour, 0 grey, -1 as it is (default: 1)"
    )
    packing.add_argument("--encoding", choices=(".jpg", ".png"), default=".jpg", help="default: .jpg")
    packing.add_argument(
        "--pack-label", action="store_true", help="all labels of a picture, not the first alone"
    )
    packing.add_argument(
        "--num-thread", type=at_least(1, 1024), default=None, help="worker processes (default: one per core)"
    )
    packing.add_argument(
        "--damaged",
        choices=("skip", "stop"),
        default="skip",
        help="at a damaged picture (default: skip)",
    )
    packing.add_argument(
        "--most-pixels", type=at_least(1), default=1 << 28, help="larger pictures are damaged (default: 2^28)"
    )
    tables = parser.add_argument_group("tar and Parquet files")
    tables.add_argument("--label-key", default="label", help="field of .json, or column (default: label)")
    tables.add_argument("--image-column", help="column of pictures (default: the one of bytes, or 'image')")


def _prefix(text: str) -> Path:
    """The start of files' names."""
    if not text:
        raise argparse.ArgumentTypeError("it is empty; expected the start of names of files")
    path = Path(os.path.abspath(text))
    if not path.name:
        raise argparse.ArgumentTypeError(f"{text!r} names no file; expected the start of files' names")
    return path


def act(given: argparse.Namespace) -> None:
    """Pack, or list."""
    listing = Listing(
        given.recursive, tuple(given.exts), given.shuffle, given.chunks, given.train_ratio, given.test_ratio
    )
    if given.list:
        _list(given, listing)
        return
    packing = Packing(
        given.pass_through,
        given.verify,
        given.resize,
        given.center_crop,
        given.quality,
        given.color,
        given.encoding,
        given.pack_label,
        given.most_pixels,
    )
    if not packing.pass_through or packing.verify:
        _need_pillow()
    answers: list[dict[str, Any]] = []
    targets: list[Target] = []
    try:
        for record, source in _sources(given, listing):
            text = f"{source.fingerprint()} {asdict(packing)} {__version__}"
            targets.append(Target(record, text, not isinstance(source, ListSource)))
            answers.append(_packed(source, packing, targets[-1], given))
        for target in targets:
            target.forget()
    except KeyboardInterrupt:
        print("im2rec: interrupted; the same command goes on from here", file=sys.stderr)
        raise
    finally:
        for target in targets:
            target.close()  # what a later run can go on from stays
    if given.json:
        show_json(answers)


def _need_pillow() -> None:
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        raise InvalidArgumentError(
            "[im2rec] decoding needs Pillow (pip install pillow); --pass-through needs nothing"
        ) from None


def _root(given: argparse.Namespace) -> Path:
    if len(given.root) != 1 or not given.root[0].is_dir():
        raise FileError(
            f"[im2rec] the root is {', '.join(repr(str(one)) for one in given.root)}; expected one folder, "
            "or tar files, or Parquet files"
        )
    root: Path = given.root[0]
    return Path(os.path.abspath(root))


def _list(given: argparse.Namespace, listing: Listing) -> None:
    root = _root(given)
    found = find_pictures(root, listing)
    if not found.items:
        below = "" if listing.recursive else "; --recursive looks below it"
        raise FileError(
            f"[im2rec] '{root}' has no file that ends in {' or '.join(listing.extensions)}{below}"
        )
    written = write_lists(given.prefix, found.items, listing)
    if given.classes:
        write_file(given.classes, os.fsencode("".join(f"{name}\n" for name in found.classes)), "im2rec")
    if given.json and given.list:
        files = [{"file": str(path), "pictures": lines} for path, lines in written]
        show_json({"lists": files, "classes": found.classes})
        return
    if not given.json:
        for number, name in enumerate(found.classes):
            show(f"{name} {number}")
    for path, lines in written:
        print(plain(f"im2rec: {path}: {lines:,} pictures"), file=sys.stderr)


def _sources(given: argparse.Namespace, listing: Listing) -> list[tuple[Path, Source]]:
    """The record files to make, each with what goes into it."""
    if all(is_archive(path) for path in given.root):
        return [(_with_ending(given.prefix), TarSource(given.root, given.exts, given.label_key))]
    if all(is_parquet(path) for path in given.root):
        return [(_with_ending(given.prefix), ParquetSource(given.root, given.image_column, given.label_key))]
    root = _root(given)
    lists = lists_of(given.prefix)
    if not lists:
        print(plain(f"im2rec: no list begins with '{given.prefix}'; listing '{root}'"), file=sys.stderr)
        _list(given, listing)
        lists = lists_of(given.prefix)
    return [(path.with_suffix(".rec"), ListSource(path, root)) for path in lists]


def _with_ending(prefix: Path) -> Path:
    if prefix.is_dir():
        raise FileError(f"[im2rec] the prefix '{prefix}' is a folder; expected the start of a file's name")
    return prefix.with_name(f"{prefix.name}.rec")


def _packed(source: Source, packing: Packing, target: Target, given: argparse.Namespace) -> dict[str, Any]:
    """Packs a source into its record file; returns what JSON says of it."""
    if target.history:
        print(plain(f"im2rec: {target.record}: {target.history}"), file=sys.stderr)
    pace = Pace("pictures", source.count(), target.taken)
    if not target.finished:
        _pack(source, packing, target, given, pace)
    rate = pace.rate(target.taken)
    left_out = f", {len(target.damaged):,} left out" if target.damaged else ""
    if not given.json:
        show(
            f"{target.record}: {target.packed:,} records, {target.bytes():,} bytes{left_out}"
            + (f"; {rate:,.0f} pictures per second" if rate else "")
        )
    return {
        "file": str(target.record),
        "records": target.packed,
        "bytes": target.bytes(),
        "damaged": [{"name": name, "reason": reason} for name, reason in target.damaged],
        "pictures_per_second": rate,
    }


def _useful_processes(packing: Packing, pictures: int) -> int:
    """How many processes pack that many pictures soonest; below 0 where their number is unknown."""
    if packing.pass_through and not packing.verify:
        return 1  # the disk is what takes time
    cores = len(os.sched_getaffinity(0))
    return cores if pictures < 0 else max(1, min(cores, -(-pictures // PIECE)))


def _pack(source: Source, packing: Packing, target: Target, given: argparse.Namespace, pace: Pace) -> None:
    count = source.count()
    rest_count = count - target.taken if count >= 0 else -1
    processes = given.num_thread or _useful_processes(packing, rest_count)
    rest = islice(iter(source), target.taken, None)
    progress = Progress(target.record.name, _SECONDS_PER_LINE)
    named = 0
    parts = packed_parts(pieces(rest), packing, target.parts, processes)
    try:
        for part in parts:
            for name, reason in part.damaged:
                if given.damaged == "stop":
                    raise FileFormatError(
                        f"[im2rec] '{name}' of '{source.name}' is damaged: {reason}; "
                        "--damaged skip leaves it out"
                    )
                named += 1
                if named <= _NAMED:
                    progress.end()
                    more = "; more are only counted" if named == _NAMED else ""
                    print(plain(f"im2rec: left out '{name}': {reason}{more}"), file=sys.stderr)
            target.append(part)
            progress.at(pace.share(target.taken), pace.note(target.taken))
    finally:
        parts.close()
        progress.end()
    if target.packed == 0 and (target.taken or not isinstance(source, ListSource)):
        first = target.left_out()
        target.abandon()
        raise FileFormatError(
            f"[im2rec] none of {target.taken:,} pictures of '{source.name}' could be packed"
            + (f"; the first: '{first[0][0]}': {first[0][1]}" if first else "")
        )
    target.finish()
