"""Write the source distribution into build/sdist, and build a wheel from its files without a network.

The wheel must hold the same files as the one in build/wheel, the distribution nothing that builds leave.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_BEHIND = re.compile(
    r"\.(o|a|so|pyc|whl|log)$|(^|/)(build|target|node_modules|\.venv|\.envs|__pycache__)/"
)


def write(folder: Path) -> Path:
    """Writes the distribution by the build system's own hook; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    line = "import scikit_build_core.build as build, sys; print(build.build_sdist(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", line, str(folder)], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return folder / done.stdout.split()[-1]


def names_in(sdist: Path) -> list[str]:
    """Its files, as paths from the top of the tree."""
    with tarfile.open(sdist) as archive:
        return sorted(name.partition("/")[2] for name in archive.getnames())


def wheel_files(folder: Path) -> list[str]:
    (wheel,) = folder.glob("mixgrad-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return sorted(archive.namelist())


def build(sdist: Path, room: Path) -> list[str]:
    """Unpacks and builds; the files of the wheel."""
    with tarfile.open(sdist) as archive:
        archive.extractall(room)
    (tree,) = room.iterdir()
    pip = [sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, f"--wheel-dir={room / 'wheel'}", str(tree)], check=True)
    return wheel_files(room / "wheel")


def main() -> int:
    sdist = write(ROOT / "build" / "sdist")
    wrong = [name for name in names_in(sdist) if LEFT_BEHIND.search(name)]
    if wrong:
        print(f"{sdist.name} holds what a build has left behind: {', '.join(wrong)}")
        return 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as room:
        built = build(sdist, Path(room))
    print(f"{sdist.name}: {sdist.stat().st_size / 1e6:.2f} MB, a wheel in {time.monotonic() - began:.0f} s")
    wanted = wheel_files(ROOT / "build" / "wheel")
    if built != wanted:
        print(f"its wheel and that of build/wheel differ by {sorted(set(built) ^ set(wanted))}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
