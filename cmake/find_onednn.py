"""Print `include directory;library` of the oneDNN wheels this Python sees, or nothing when one is missing."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path


def find(distribution: str, file_name: str) -> Path | None:
    try:
        files = metadata.distribution(distribution).files or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == file_name:
            path = Path(str(file.locate())).resolve()
            if path.is_file():
                return path
    return None


header = find("onednn-devel-cpu-gomp", "dnnl.h")
library = find("onednn-cpu-gomp", "libdnnl.so.3")
if header and library:
    prefix = header.parent if header.parent.name == "include" else header.parents[2]
    print(f"{prefix.as_posix()};{library.as_posix()}")
