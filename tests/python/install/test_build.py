"""What pip installed: its version, exported symbols, relative library paths, what it needs, its page."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def installed(pattern: str) -> list[Path]:
    files = metadata.distribution("mixgrad").files or []
    return [Path(str(file.locate())).resolve() for file in files if re.fullmatch(pattern, str(file))]


@pytest.fixture(scope="module")
def library() -> Path:
    (found,) = installed(r"mixgrad/libmixgrad\.so")
    return found


def test_version_has_one_source() -> None:
    header = (ROOT / "include" / "mixgrad" / "version.h").read_text()
    numbers = re.findall(r"^#define MG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
    assert metadata.version("mixgrad") == ".".join(numbers)


def test_public_headers_are_installed() -> None:
    for folder in ("mixgrad", "mxnet"):
        names = {path.name for path in installed(rf"mixgrad/include/{folder}/.*\.h")}
        assert names == {path.name for path in (ROOT / "include" / folder).glob("*.h")}


def test_libraries_are_found_by_relative_paths(library: Path) -> None:
    for path in [library, *installed(r"mixgrad/_core.*\.so")]:
        dynamic = subprocess.run(
            ["readelf", "-d", str(path)], check=True, capture_output=True, text=True
        ).stdout
        for entry in re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic):
            assert all(part.startswith("$ORIGIN") for part in entry.split(":")), f"{path.name}: {entry}"


def test_exports_only_its_c_functions(library: Path) -> None:
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", "--format=posix", str(library)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = [line.split()[0] for line in listing.splitlines()]
    assert [name for name in names if not re.match(r"mg_|MXPred|MXNDList|MXGetLastError$", name)] == []


def test_the_library_needs_what_every_system_has(library: Path) -> None:
    """Neither oneDNN nor OpenMP: oneDNN is loaded when a program asks for it, and brings its OpenMP."""
    dynamic = subprocess.run(
        ["readelf", "-d", str(library)], check=True, capture_output=True, text=True
    ).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    system = r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|atomic)\.so\.\d+|ld-linux.*"
    assert [name for name in needed if not re.fullmatch(system, name)] == []


def test_the_package_asks_for_numpy_alone_and_is_small() -> None:
    distribution = metadata.distribution("mixgrad")
    asked = [line for line in distribution.requires or [] if "extra ==" not in line]
    assert [re.match(r"\w+", line).group() for line in asked] == ["numpy"]  # type: ignore[union-attr]
    files = [Path(str(file.locate())) for file in distribution.files or []]
    assert sum(path.stat().st_size for path in files if path.exists()) < 30e6


def test_the_page_of_the_package_says_what_it_is() -> None:
    page = metadata.metadata("mixgrad")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (page.get_payload() or page["Description"]).strip() == readme.strip()
    assert page["Description-Content-Type"].startswith("text/markdown")
    assert page["Keywords"] and page["Author"] and page["License-Expression"] == "Apache-2.0"


def test_source_archive_has_no_build_outputs(tmp_path: Path) -> None:
    """R, cargo and emscripten build inside languages/."""
    pytest.importorskip("scikit_build_core")
    tree = tmp_path / "tree"
    for name in (
        "pyproject.toml",
        "README.md",
        ".gitignore",
        "LICENSE",
        "CMakeLists.txt",
        "include/mixgrad/version.h",
    ):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    built = ("r/src/mixgrad.o", "r/src/mixgrad.so", "rust/target/debug/mixgrad.d", "js/lib/wasm/full.wasm")
    kept = ("r/src/mixgrad.c", "rust/src/lib.rs", "js/lib/index.js")
    for name in (*built, *kept):
        (tree / "languages" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "languages" / name).write_text("")
    program = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True, cwd=tree)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/languages/")[2] for name in source.getnames()}
    assert names & {*built, *kept} == set(kept)
