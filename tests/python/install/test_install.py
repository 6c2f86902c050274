"""The wheel in the places where installers put it, and C and C++ programs built on it there."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / "tests" / "install"
PACKAGES = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"

# Computes, and says what was loaded from where.
PROGRAM = """
import json, sys
import mixgrad as mx
x = mx.nd.ones((40, 40))
loaded = {line.split(maxsplit=5)[-1].strip() for line in open("/proc/self/maps") if "/libmixgrad" in line}
print(json.dumps({
    "sum": float(mx.nd.dot(x, x).sum().asscalar()),
    "loaded": sorted(loaded),
    "package": mx.__file__,
    "include": mx.get_include(),
    "library": mx.get_library(),
    "cmake": mx.get_cmake_dir(),
    "pkgconfig": mx.get_pkgconfig_dir(),
}))
"""


def execute(command: list[str], cwd: Path, **variables: str) -> str:
    """What a command prints, with nothing of this environment that could lead it to this installation."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ}
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**kept, "PATH": "/usr/local/bin:/usr/bin:/bin", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{shlex.join(command)}: {done.returncode}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel that `make build` and `make test` have built."""
    wheels = sorted((ROOT / "build" / "wheel").glob("mixgrad-*.whl"))
    if not wheels:
        pytest.skip("build/wheel is empty: make build")
    return wheels[-1]


@pytest.fixture(scope="module")
def dependencies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """NumPy alone: a folder that has no mixgrad."""
    folder = tmp_path_factory.mktemp("dependencies")
    numpy = Path(np.__file__).parent
    for package in (numpy, numpy.with_name("numpy.libs")):
        if package.exists():
            (folder / package.name).symlink_to(package)
    return folder


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may enter, with a name that needs care."""
    with tempfile.TemporaryDirectory(prefix="mixgrad place é ") as name:
        os.chmod(name, 0o755)
        yield Path(name).resolve()


def install(wheel: Path, *options: str) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--ignore-installed", *options, str(wheel)], check=True, timeout=300)


def new_environment(folder: Path, dependencies: Path) -> Path:
    """A virtual environment; returns its interpreter."""
    venv.create(folder, with_pip=False, symlinks=True)
    (folder / PACKAGES / "dependencies.pth").write_text(f"{dependencies}\n")
    return folder / "bin" / "python"


def import_it(python: Path | str, cwd: Path, within: Path, **variables: str) -> None:
    """The package computes, with its own library and parts, all of them in one folder."""
    seen = json.loads(execute([str(python), "-c", PROGRAM], cwd, **variables))
    assert seen["sum"] == 40**3
    for part in ("library", "include", "cmake", "pkgconfig"):
        assert Path(seen[part]).resolve().is_relative_to(within.resolve()), (part, seen)
    assert seen["loaded"] == [str(Path(seen["library"]).resolve())]


def test_target_folder(wheel: Path, dependencies: Path, place: Path) -> None:
    install(wheel, "--target", str(place / "packages"))
    import_it(sys.executable, place, place, PYTHONPATH=f"{place / 'packages'}:{dependencies}")


def test_prefix_whose_packages_lie_elsewhere(wheel: Path, dependencies: Path, place: Path) -> None:
    install(wheel, "--prefix", str(place / "prefix"))
    elsewhere = place / "store" / "packages"
    elsewhere.parent.mkdir()
    (place / "prefix" / PACKAGES).rename(elsewhere)
    (place / "prefix" / PACKAGES).symlink_to(elsewhere)
    import_it(sys.executable, place, place, PYTHONPATH=f"{place / 'prefix' / PACKAGES}:{dependencies}")


def test_two_environments_and_a_command_linked_from_elsewhere(
    wheel: Path, dependencies: Path, place: Path
) -> None:
    """Each environment has its own library, also while the other one runs and is found first."""
    names = ("one", "two")
    pythons = {name: new_environment(place / name, dependencies) for name in names}
    for name in names:
        install(wheel, "--prefix", str(place / name))
    waiting = subprocess.Popen(
        [pythons["one"], "-c", "import mixgrad as mx; mx.nd.ones((9,)).wait_to_read(); print(); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={},
    )
    assert waiting.stdout is not None and waiting.stdout.readline() == b"\n"
    for name in names:
        import_it(pythons[name], place, place / name, PATH=str(place / "two" / "bin"))
    waiting.communicate(b"\n", timeout=60)
    assert waiting.returncode == 0
    link = place / "commands" / "mixgrad"
    link.parent.mkdir()
    script = place / "one" / "bin" / "mixgrad"
    lines = script.read_text().splitlines(keepends=True)  # of the interpreter that ran pip
    script.write_text("".join(line for line in lines if not line.startswith("#!")))
    link.symlink_to(script)
    text = execute([str(pythons["one"]), str(link), "config", "--library"], place)
    assert Path(text.strip()).is_relative_to(place / "one")


def test_read_only_folder(wheel: Path, dependencies: Path, place: Path) -> None:
    """Nothing is written there, which root could."""
    packages = place / "packages"
    install(wheel, "--target", str(packages))
    before = sorted(packages.rglob("*"))
    for path in [packages, *before]:
        path.chmod(path.stat().st_mode & ~0o222)
    import_it(
        sys.executable,
        place,
        place,
        PYTHONPATH=f"{packages}:{dependencies}",
        PYTHONPYCACHEPREFIX=str(place / "cache"),
    )
    assert sorted(packages.rglob("*")) == before
    for path in [packages, *before]:
        path.chmod(path.stat().st_mode | 0o200)


def test_editable_install(dependencies: Path, place: Path) -> None:
    """The Python files are the repository's; what is compiled lies in the environment."""
    built = subprocess.run(
        [
            sys.executable,
            "-c",
            "import scikit_build_core.build as build, sys;"
            "print(build.build_editable(sys.argv[1], {'build-dir': 'build/release'}))",
            str(place),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    python = new_environment(place / "environment", dependencies)
    install(place / built.stdout.split()[-1], "--prefix", str(place / "environment"))
    import_it(python, place, place / "environment")
    text = execute([str(python), "-c", "import mixgrad; print(mixgrad.__file__)"], place)
    assert Path(text.strip()) == ROOT / "python" / "mixgrad" / "__init__.py"


# The source distribution.


def test_sdist_holds_the_sources_and_nothing_else(tmp_path: Path) -> None:
    """What builds leave in the tree stays out: in an earlier one was an object file of R's."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a repository")
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import check_sdist
    finally:
        sys.path.pop(0)
    left = ROOT / "languages" / "r" / "src" / "left_by_a_build.o"
    left.write_text("")
    try:
        names = check_sdist.names_in(check_sdist.write(tmp_path))
    finally:
        left.unlink()
    tracked = execute(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT).splitlines()
    left_out = (".ci/", ".github/", ".pre-commit-config.yaml")
    wanted = {name for name in tracked if (ROOT / name).is_file() and not name.startswith(left_out)}
    assert set(names) - {"PKG-INFO"} == wanted


# Installations that do not work say why.


def import_error(path: Path | str, dependencies: Path, cwd: Path) -> str:
    program = "try:\n  import mixgrad\nexcept ImportError as error:\n  print(error)"
    return execute([sys.executable, "-S", "-c", program], cwd, PYTHONPATH=f"{path}:{dependencies}")


def test_errors_say_what_was_tried_and_what_to_do(wheel: Path, dependencies: Path, place: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "whole")
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    text = import_error(wheel, dependencies, place)
    assert f"tried _core{suffix}" in text and "inside an archive" in text
    text = import_error(ROOT / "python", dependencies, place)
    assert str(ROOT / "python" / "mixgrad") in text and "pip install ." in text
    package = place / "whole" / "mixgrad"
    (package / "libmixgrad.so").rename(place / "libmixgrad.so")
    text = import_error(place / "whole", dependencies, place)
    assert "cannot open shared object file" in text and "libmixgrad.so is missing there" in text
    (package / "libmixgrad.so").write_text("for another machine")
    text = import_error(place / "whole", dependencies, place)
    assert "do not fit this system" in text
    (package / f"_core{suffix}").rename(package / "_core.cpython-27-powerpc.so")
    text = import_error(place / "whole", dependencies, place)
    assert "_core.cpython-27-powerpc.so" in text and sys.executable in text


# Programs.

needs_compiler = pytest.mark.skipif(not shutil.which("c++"), reason="no C++ compiler")
SAID = {"program.c": f"{mx.__version__} 6\n", "program.cc": f"{mx.__version__} 3\n"}


@pytest.fixture(scope="module")
def moved(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed package, moved after it was installed: its parts name no place."""
    folder = tmp_path_factory.mktemp("moved")
    install(wheel, "--target", str(folder / "first"))
    return Path(shutil.move(folder / "first", folder / "second"))


def build_and_run(source: str, options: list[str], cwd: Path) -> None:
    compiler = ["cc", "-std=c99"] if source.endswith(".c") else ["c++", "-std=c++17"]
    execute([*compiler, str(PROGRAMS / source), *options, "-o", "program"], cwd)
    assert execute([str(cwd / "program")], cwd) == SAID[source]


def build_with_cmake(package: Path, cwd: Path) -> None:
    command = ["cmake", "-S", str(PROGRAMS), "-B", "build", f"-Dmixgrad_DIR={package}"]
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    execute(command, cwd, PATH=path)
    execute(["cmake", "--build", "build"], cwd, PATH=path)
    for source, said in SAID.items():
        assert execute([str(cwd / "build" / source.replace(".", "_"))], cwd) == said


@needs_compiler
@pytest.mark.skipif(not shutil.which("pkg-config"), reason="no pkg-config")
def test_programs_by_pkg_config(moved: Path, tmp_path: Path) -> None:
    text = execute(
        ["pkg-config", "--cflags", "--libs", "mixgrad"],
        tmp_path,
        PKG_CONFIG_PATH=str(moved / "mixgrad" / "pkgconfig"),
    )
    build_and_run("program.c", shlex.split(text), tmp_path)


@needs_compiler
def test_programs_by_the_functions(moved: Path, dependencies: Path, tmp_path: Path) -> None:
    text = execute(
        [sys.executable, "-m", "mixgrad", "config", "--cflags", "--libs"],
        tmp_path,
        PYTHONPATH=f"{moved}:{dependencies}",
    )
    assert str(moved) in text
    build_and_run("program.cc", shlex.split(text), tmp_path)


@needs_compiler
def test_programs_by_cmake(moved: Path, tmp_path: Path) -> None:
    build_with_cmake(moved / "mixgrad" / "cmake", tmp_path)


@needs_compiler
def test_programs_on_what_cmake_installs(tmp_path: Path) -> None:
    """cmake --install, of a tree that takes the library from the wheel's instead of building it again."""
    path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
    tree = tmp_path / "tree"
    execute(
        ["cmake", "-S", str(ROOT), "-B", str(tree), "-DMIXGRAD_PYTHON=OFF", "-DCMAKE_INSTALL_LIBDIR=lib"],
        tmp_path,
        PATH=path,
    )
    shutil.copy(mx.get_library(), tree / "libmixgrad.so")
    execute(["cmake", "--install", str(tree), "--prefix", str(tmp_path / "first")], tmp_path, PATH=path)
    prefix = Path(shutil.move(tmp_path / "first", tmp_path / "second"))
    text = execute(
        ["pkg-config", "--cflags", "--libs", "mixgrad"],
        tmp_path,
        PKG_CONFIG_PATH=str(prefix / "lib" / "pkgconfig"),
    )
    options = shlex.split(text)
    build_and_run("program.c", options, tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    build_with_cmake(prefix / "lib" / "cmake" / "mixgrad", work)
