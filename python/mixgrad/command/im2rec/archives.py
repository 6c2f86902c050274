"""Pictures in tar files as WebDataset lays them out: names up to the first dot hold a sample together."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from ..._files import open_file
from ...base import FileFormatError, InvalidArgumentError
from .samples import Refused, Sample, Source, Span, files_state, label_texts

__all__ = ["TarSource", "is_archive"]

_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_MOST_LABEL_BYTES = 1 << 20
_MOST_MEMBER_BYTES = 1 << 30
# What reading a damaged archive raises: tarfile lets errors of its parsing through.
_READING = (
    tarfile.TarError,
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    ValueError,
    TypeError,
    IndexError,
)


def is_archive(path: Path) -> bool:
    """Whether a name is that of a tar file."""
    return path.name.lower().endswith(_ENDINGS)


class TarSource(Source):
    """Samples of tar files, one after the other; keys count them from 0.

    A sample has one member with a picture's ending and ``.cls`` (numbers) or ``.json`` (a number, a list of
    them, or an object with one at ``label_key``). Members of files that are not compressed are read by the
    workers, at their places; those of compressed ones pass through here.
    """

    def __init__(self, paths: Sequence[Path], extensions: Sequence[str], label_key: str) -> None:
        self.name = str(paths[0])
        self._paths = paths
        self._pictures = {ending.lower().lstrip(".") for ending in extensions}
        self._label_key = label_key

    def count(self) -> int:
        """Unknown: tar files have no table of contents."""
        return -1

    def fingerprint(self) -> str:
        """Follows from names, sizes and times of the files."""
        return f"{files_state(self._paths)} {self._label_key} {sorted(self._pictures)}"

    def __iter__(self) -> Iterator[Union[Sample, Refused]]:
        key = 0
        for path in self._paths:
            with open_file(path, "im2rec") as file:
                for group in _groups(path, file, self._pictures):
                    if isinstance(group, Refused):
                        yield group
                        continue
                    yield self._sample(key, group)
                    key += 1

    def _sample(self, key: int, group: _Group) -> Union[Sample, Refused]:
        if group.fault:
            return Refused(group.name, group.fault)
        if group.picture is None:
            return Refused(
                group.name,
                f"no picture among its members ({', '.join(group.endings)}); expected one of "
                f"{', '.join(sorted(self._pictures))}",
            )
        try:
            labels = self._labels(group)
        except InvalidArgumentError as error:
            return Refused(group.name, str(error))
        return Sample(key, labels, group.picture_name, group.picture)

    def _labels(self, group: _Group) -> tuple[float, ...]:
        if "cls" in group.texts:
            labels = label_texts(group.texts["cls"].decode("utf-8", "replace").split())
        elif "json" in group.texts:
            labels = self._of_json(group.texts["json"])
        else:
            raise InvalidArgumentError("no label; expected a member .cls or .json")
        if not labels:
            raise InvalidArgumentError("an empty label; expected a number")
        return labels

    def _of_json(self, text: bytes) -> tuple[float, ...]:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidArgumentError(f"its .json is damaged: {error}") from None
        if isinstance(value, dict):
            if self._label_key not in value:
                raise InvalidArgumentError(
                    f"its .json has no {self._label_key!r} but {', '.join(list(value)[:8]) or 'nothing'}; "
                    "--label-key names another one"
                )
            value = value[self._label_key]
        return label_texts([str(one) for one in (value if isinstance(value, list) else [value])])


class _Group:
    """Members of one sample."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.endings: list[str] = []
        self.picture: Union[Span, bytes, None] = None
        self.picture_name = ""
        self.texts: dict[str, bytes] = {}
        self.fault = ""


def _groups(path: Path, file: Any, pictures: set[str]) -> Iterator[Union[_Group, Refused]]:
    plain = path.name.lower().endswith(".tar")
    try:
        archive: Any = tarfile.open(  # noqa: SIM115
            fileobj=file if plain else _unpacked(file), mode="r:" if plain else "r|"
        )
    except _READING as error:
        raise FileFormatError(f"[im2rec] '{path}' is no tar file: {error}") from None
    group: Optional[_Group] = None
    members = 0
    with archive:
        try:
            for member in archive:
                members += 1
                archive.members = []  # which would grow with the file
                if not member.isreg():
                    continue
                folder, _, base = member.name.rpartition("/")
                stem, _, ending = base.partition(".")
                name = f"{folder}/{stem}" if folder else stem
                if group is None or name != group.name:
                    if group is not None:
                        yield group
                    group = _Group(name)
                _add(group, archive, member, ending.lower(), path if plain else None, pictures)
        except _READING as error:
            if group is not None:
                yield group
            yield Refused(str(path), f"damaged behind member {members}: {error}")
            return
    if group is not None:
        yield group
    if plain and not _ends(file):
        yield Refused(str(path), f"ends behind member {members} without an archive's end; it may be cut off")


def _unpacked(file: Any) -> Any:
    """The content of a file that is packed by gzip, bzip2 or xz."""
    first = file.read(6)
    file.seek(0)
    if first[:3] == b"BZh":
        return bz2.BZ2File(file)
    return lzma.LZMAFile(file) if first == b"\xfd7zXZ\0" else gzip.GzipFile(fileobj=file)


def _ends(file: Any) -> bool:
    """Whether the last block of a tar file is zeros, as at the end of every whole one."""
    file.seek(0, 2)
    file.seek(max(0, file.tell() - tarfile.BLOCKSIZE))
    return not any(file.read())


def _add(
    group: _Group, archive: Any, member: Any, ending: str, path: Optional[Path], pictures: set[str]
) -> None:
    """Takes a member into its group; ``path`` is the archive's where workers can read pictures from it."""
    group.endings.append(ending)
    is_picture = ending in pictures
    if not is_picture and ending not in ("cls", "json"):
        return
    if is_picture and group.picture is not None:
        group.fault = f"two pictures; expected one of its members {', '.join(group.endings)}"
    elif member.size > (_MOST_MEMBER_BYTES if is_picture else _MOST_LABEL_BYTES):
        group.fault = f"its .{ending} has {member.size:,} bytes, more than expected"
    elif is_picture and path is not None and member.sparse is None:
        group.picture = Span(os.fspath(path), member.offset_data, member.size)
    else:
        content = archive.extractfile(member).read()
        if len(content) != member.size:
            group.fault = f"the archive ends in its .{ending}"
        elif is_picture:
            group.picture = content
        else:
            group.texts[ending] = content
    if is_picture:
        group.picture_name = member.name
