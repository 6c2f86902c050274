"""Pictures in columns of Parquet files, read by pyarrow, which is not needed otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Optional, Union

from ...base import FileFormatError, InvalidArgumentError
from .samples import Refused, Sample, Source, files_state, label_texts

__all__ = ["ParquetSource", "is_parquet"]

_ROWS = 64  # read at a time


def is_parquet(path: Path) -> bool:
    """Whether a name is that of a Parquet file."""
    return path.suffix.lower() in (".parquet", ".pq")


class ParquetSource(Source):
    """A sample per row; keys count them from 0.

    The picture's column holds bytes, or structs with ``bytes`` and perhaps ``path``; that of the label holds
    a number or a list of them.
    """

    def __init__(self, paths: Sequence[Path], image_column: Optional[str], label_column: str) -> None:
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            raise InvalidArgumentError(
                f"[im2rec] reading '{paths[0]}' needs pyarrow (pip install pyarrow)"
            ) from None
        self.name = str(paths[0])
        self._paths = paths
        self._image, self._label = image_column, label_column

    def count(self) -> int:
        """The rows of all files, which their footers tell."""
        return sum(_opened(path).metadata.num_rows for path in self._paths)

    def fingerprint(self) -> str:
        """Follows from names, sizes and times of the files, and from the columns."""
        return f"{files_state(self._paths)} {self._image} {self._label}"

    def __iter__(self) -> Iterator[Union[Sample, Refused]]:
        key = 0
        for path in self._paths:
            file = _opened(path)
            image = self._image_column(path, file.schema_arrow)
            for row, (picture, label) in enumerate(_rows(path, file, image, self._label)):
                yield _sample(key, f"{path.name}:{row}", picture, label)
                key += 1

    def _image_column(self, path: Path, schema: Any) -> str:
        import pyarrow as pa

        def holds_bytes(type_: Any) -> bool:
            if pa.types.is_struct(type_):
                return any(field.name == "bytes" and holds_bytes(field.type) for field in type_)
            return bool(pa.types.is_binary(type_) or pa.types.is_large_binary(type_))

        columns = [field.name for field in schema if holds_bytes(field.type)]
        described = ", ".join(f"{field.name} ({field.type})" for field in schema)
        if self._label not in schema.names:
            raise InvalidArgumentError(
                f"[im2rec] '{path}' has no column {self._label!r} of labels; its columns: {described}; "
                "--label-key names another one"
            )
        if self._image is not None and self._image not in columns:
            raise InvalidArgumentError(
                f"[im2rec] '{path}' has no column {self._image!r} of bytes; its columns: {described}"
            )
        if self._image is None and len(columns) != 1 and "image" not in columns:
            raise InvalidArgumentError(
                f"[im2rec] '{path}' has {len(columns)} columns of bytes; --image-column names that of the "
                f"pictures; its columns: {described}"
            )
        return self._image or ("image" if "image" in columns else columns[0])


def _opened(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise FileFormatError(f"[im2rec] cannot read '{path}': {error}") from None


def _rows(path: Path, file: Any, image: str, label: str) -> Iterator[tuple[Any, Any]]:
    import pyarrow as pa

    try:
        for batch in file.iter_batches(batch_size=_ROWS, columns=[image, label]):
            # A column that is asked for by the name of a struct comes with all of its fields.
            yield from zip(batch.column(image).to_pylist(), batch.column(label).to_pylist())
    except (pa.ArrowException, OSError) as error:
        raise FileFormatError(f"[im2rec] '{path}' is damaged: {error}") from None


def _sample(key: int, name: str, picture: Any, label: Any) -> Union[Sample, Refused]:
    if isinstance(picture, dict):
        name = picture.get("path") or name
        picture = picture.get("bytes")
    if picture is None:
        return Refused(name, "no bytes of a picture")
    if label is None:
        return Refused(name, "no label")
    try:
        labels = label_texts([str(one) for one in (label if isinstance(label, list) else [label])])
    except InvalidArgumentError as error:
        return Refused(name, str(error))
    return Sample(key, labels, name, picture) if labels else Refused(name, "an empty label")
