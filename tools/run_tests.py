"""Run the project's checks in turn; print what ran, how long it took, and one closing line of counts.

run_tests.py [test]   build, then every check
run_tests.py build    build the wheel and install it
run_tests.py generate build, write what is generated from the operators, install
run_tests.py lint     formatting, types, include order; builds nothing
run_tests.py soak     long random runs

`make` calls it inside .venv. Several checks run at a time (steps.py); the output of each comes in one piece.
A check whose files the tree does not have is not listed; one whose tool is missing is counted as skipped;
a failing one is counted and the rest still run, unless the build failed.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import metadata
from pathlib import Path

from steps import CORES, LIGHT, Step, run

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "build/release"
WHEELS = "build/wheel"
CPP_FOLDERS = ("cpp", "include", "python/src", "tests", "benchmarks", "examples", "languages/cpp")


def found(*patterns: str) -> list[str]:
    """Files of the tree that match, in a fixed order; hidden folders hold what is not the tree's."""
    paths = {path.relative_to(ROOT) for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path.as_posix() for path in paths if not any(part.startswith(".") for part in path.parts))


def wheel_steps() -> list[Step]:
    """Build the package's wheel, in the build tree that other targets use, and install it."""
    pip = [sys.executable, "-m", "pip"]
    own = ["--no-deps", "--no-index"]
    return [
        Step(
            "build the wheel",
            [
                *pip,
                "wheel",
                *own,
                "--no-build-isolation",
                "--verbose",
                f"--config-settings=build-dir={RELEASE}",
                f"--wheel-dir={WHEELS}",
                ".",
            ],
            builds=True,
        ),
        Step(
            "install the wheel",
            [*pip, "install", *own, "--force-reinstall", f"--find-links={WHEELS}", "mixgrad"],
            builds=True,
        ),
    ]


def build_steps() -> list[Step]:
    programs = ["cmake", "--build", RELEASE, "--target", "tests"]
    return [*wheel_steps(), Step("build test programs", programs, builds=True)]


def generate_steps() -> list[Step]:
    """After a change of operators: their functions in Python and other languages, and their page."""
    if (ROOT / RELEASE / "build.ninja").exists():
        steps = [Step("build the extension", ["cmake", "--build", RELEASE, "--target", "_core"], builds=True)]
    else:
        steps = wheel_steps()
    steps += [
        Step(f"run {path}", [sys.executable, path, "--build", RELEASE], builds=True)
        for path in found("tools/generate_*.py")
    ]
    return steps + wheel_steps()


def lint_steps() -> list[Step]:
    steps = [Step("floors", [sys.executable, "tools/amalgamate.py", "--check"])]
    sources = found(*(f"{folder}/**/*.{suffix}" for folder in CPP_FOLDERS for suffix in ("h", "cc", "c")))
    steps.append(Step("clang-format", ["clang-format", "--dry-run", "-Werror", *sources]))
    steps.append(Step("ruff", ["ruff", "check", "."]))
    steps.append(Step("ruff format", ["ruff", "format", "--check", "."]))
    if sys.version_info >= (3, 10):
        steps.append(Step("mypy", ["mypy", *found("python/mixgrad", "tools", "benchmarks")]))
    return steps


def sanitizer_steps() -> list[Step]:
    """The floors that manage threads and memory, under both sanitizers."""
    if not found("tests/cpp/*.cc"):
        return []
    steps = []
    for preset in ("asan", "tsan"):
        target = ["cmake", "--build", f"build/{preset}", "--target", "mixgrad_floor_tests"]
        configure, build = f"{preset}: configure", f"{preset}: build"
        steps.append(Step(configure, ["cmake", "--preset", preset]))
        steps.append(Step(build, target, cores=CORES, after=configure))
        program = f"build/{preset}/mixgrad_floor_tests"
        steps.append(Step(f"{preset}: floors", [program], cores=LIGHT, after=build))
    return steps


def onednn() -> dict[str, str]:
    """The variable that names oneDNN's library to the C++ tests, where it is installed."""
    try:
        files = metadata.distribution("onednn-cpu-gomp").files or []
    except metadata.PackageNotFoundError:
        return {}
    paths = [str(file.locate()) for file in files if file.name == "libdnnl.so.3"]
    return {"MIXGRAD_ONEDNN": paths[0]} if paths else {}


def python_steps() -> list[Step]:
    """The Python tests, and the examples in the docstrings of the installed package."""
    folders = sorted({"/".join(Path(path).parts[:2]) for path in found("tests/*/**/test_*.py")})
    if not folders:
        return []
    doctests = ["--doctest-modules", "--pyargs", "mixgrad"] if found("python/mixgrad/__init__.py") else []
    workers = ["-n", str(CORES), "--dist", "worksteal", "--durations=40"]
    command = [sys.executable, "-m", "pytest", "-q", *workers, *folders, *doctests]
    return [Step("Python tests", command, cores=CORES)]


def test_steps() -> list[Step]:
    """Long ones come first, and those that mostly wait beside what computes on all cores."""
    steps = build_steps()
    if found("tests/cpp/*.cc"):
        steps.append(Step("C++ tests", [f"{RELEASE}/mixgrad_tests"], variables=onednn(), cores=LIGHT))
    steps += sanitizer_steps() + python_steps()
    steps += [
        Step(f"single file {path}", ["bash", path], cores=CORES) for path in found("tests/amalgam/*.sh")
    ]
    others = ("clang", "aarch64", "armv7", "riscv64", "wasm")  # the C++ tests run x86's instruction sets
    steps.append(Step("other processors", [sys.executable, "tools/targets.py", *others]))
    steps += [Step(f"model {path}", ["bash", path], tool="spin") for path in found("tests/model/*.sh")]
    steps += language_steps() + lint_steps()
    if found("tests/operators/*.cc"):
        calls = [sys.executable, "tests/soak/random_operators.py", "20000"]
        steps.append(Step("random operator calls", [*calls, "--program", f"{RELEASE}/random_calls"]))
    steps += [
        Step(f"C test {Path(path).stem}", [f"{RELEASE}/c/{Path(path).stem}"])
        for path in found("tests/c/*.c", "tests/c/*.cc")
    ]
    if found("tests/abi/symbols.txt"):
        steps.append(Step("exported symbols", [sys.executable, "tools/abi_symbols.py", "--check"]))
    steps.append(Step("library size", [sys.executable, "tools/check_size.py", "--size-only"]))
    steps += [
        Step(f"{Path(path).name} is up to date", [sys.executable, path, "--check"])
        for path in found("tools/generate_*.py")
    ]
    return steps


def language_steps() -> list[Step]:
    """The packages of other languages, with the library just built."""
    tools = {"go": "go", "rust": "cargo", "r": "Rscript", "js": "em++"}
    return [
        Step(f"language {name}", ["bash", path, RELEASE], tool=tools.get(name, ""))
        for path in found("languages/*/test.sh")
        for name in [Path(path).parent.name]
    ]


def soak_steps() -> list[Step]:
    steps = build_steps()
    steps += [Step(f"soak {path}", [sys.executable, path], cores=CORES) for path in found("tests/soak/*.py")]
    return steps + [Step(f"soak {path}", ["bash", path], cores=CORES) for path in found("tests/soak/*.sh")]


def main() -> int:
    suites = {
        "test": test_steps,
        "build": wheel_steps,
        "generate": generate_steps,
        "lint": lint_steps,
        "soak": soak_steps,
    }
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("suite", nargs="?", choices=sorted(suites), default="test")
    steps = suites[parser.parse_args().suite]()
    began = time.monotonic()
    outcomes, left = run(steps, ROOT)
    print("\n=== summary")
    totals = [0, 0, 0]
    for step in steps:
        if step.name in outcomes:
            outcome = outcomes[step.name]
            totals = [total + more for total, more in zip(totals, outcome.counts())]
            kind = "FAILED" if outcome.status else "ok"
            print(f"{kind:>8} {outcome.seconds:6.1f} s {outcome.processor:6.1f} s of processors  {step.name}")
        elif step.tool and step in left:
            totals[2] += 1
            print(f"{'skipped':>8} {step.name} (no {step.tool})")
    if any(step.builds and step.name in outcomes and outcomes[step.name].status for step in steps):
        print(f"{'':>8} the build failed: {len(left)} steps did not run")
    print(f"total {time.monotonic() - began:.0f} s")
    print(f"{totals[0]} passed, {totals[1]} failed" + (f", {totals[2]} skipped" if totals[2] else ""))
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main())
