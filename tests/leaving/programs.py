"""The programs that leave, and how one of them is run.

A program is given the name of a state, queues work in it and leaves, with the code that belongs to the state.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
LIMIT = 60.0  # seconds in which a process leaves on a busy machine
EMBEDDED = """
try:
    import mixgrad as mx
except ImportError:  # NumPy refuses to be imported by a second interpreter
    pass
else:
    a = mx.nd.ones((1000, 1000))
    b = mx.nd.dot(a, a)
"""


@dataclass(frozen=True)
class Program:
    language: str
    command: list[str]
    states: dict[str, int]  # the code that each state leaves with
    env: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, list[str]] = field(default_factory=dict)  # of states; else their name

    def run(self, state: str) -> str:
        """What went wrong, or nothing."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "saved"
            env = {**os.environ, **self.env, "LEAVE_FILE": str(file)}
            began = time.monotonic()
            with subprocess.Popen(
                [*self.command, *self.arguments.get(state, [state])],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as process:
                try:
                    output = process.communicate(timeout=LIMIT)[0]
                except subprocess.TimeoutExpired:
                    process.kill()
                    return f"{self.language} {state}: still there after {LIMIT:.0f} s"
            code = process.returncode
            seconds = time.monotonic() - began
            if code != self.states[state]:
                wanted = f"{code} instead of {self.states[state]}"
                last = " | ".join(output.decode(errors="replace").strip().splitlines()[-8:])
                return f"{self.language} {state}: {wanted} after {seconds:.1f} s: {last}"
            left = sorted(path.name for path in Path(folder).iterdir())
            if state == "saving" and (
                left not in ([], ["saved"]) or (left and file.stat().st_size < 4_000_000)
            ):
                return f"{self.language} {state}: half a file is left: {left}"
            return ""


def _checked(command: list[str], **how: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return str(done.stdout)


def _states(text: str, code: int = 7) -> dict[str, int]:
    """Of lines that hold a state and perhaps its code."""
    pairs = [line.split() for line in text.splitlines() if line.strip()]
    return {pair[0]: int(pair[1]) if len(pair) > 1 else code for pair in pairs}


def onednn_library() -> str:
    """The file of the oneDNN that this Python has, or nothing."""
    try:
        files = metadata.distribution("onednn-cpu-gomp").files or []
    except metadata.PackageNotFoundError:
        return ""
    return next((str(file.locate()) for file in files if file.name == "libdnnl.so.3"), "")


def c_programs(out: Path, library: Path) -> list[Program]:
    """Clients of the C header; CC and CXX name other compilers."""
    out.mkdir(parents=True, exist_ok=True)
    include = ["-I", str(ROOT / "include")]
    link = [f"-L{library}", "-lmixgrad", f"-Wl,-rpath,{library}", "-pthread"]
    cxx = os.environ.get("CXX", "c++")
    leave = str(out / "leave")
    _checked(
        [
            cxx,
            "-std=c++17",
            "-Wall",
            "-Wextra",
            "-Werror",
            *include,
            str(HERE / "leave.cc"),
            "-o",
            leave,
            *link,
        ]
    )
    unload = str(out / "unload")
    cc = os.environ.get("CC", "cc")
    _checked([cc, "-std=gnu99", "-Wall", *include, str(HERE / "unload.c"), "-o", unload, "-ldl"])
    states = _states(_checked([leave, "states"]))
    onednn = onednn_library()
    return [
        Program("C", [leave], states),
        *([Program("C", [leave], states, {"LEAVE_ONEDNN": onednn})] if onednn else []),
        Program("C", [unload], {"unloaded": 7}, arguments={"unloaded": [str(library / "libmixgrad.so")]}),
    ]


def python_programs(out: Path, library: Path) -> list[Program]:
    """Of the mixgrad that this Python imports, with the library that came with it."""
    del library
    command = [sys.executable, str(HERE / "leave.py")]
    programs = [Program("Python", command, _states(_checked([*command, "states"])))]
    folder = sysconfig.get_config_var("LIBDIR")
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        out.mkdir(parents=True, exist_ok=True)
        embed = str(out / "embed")
        version = f"python{sysconfig.get_config_var('py_version_short')}"
        header = f"-I{sysconfig.get_paths()['include']}"
        link = [f"-L{folder}", f"-l{version}", f"-Wl,-rpath,{folder}"]
        _checked([os.environ.get("CC", "cc"), header, str(HERE / "embed.c"), "-o", embed, *link])
        env = {"PYTHONHOME": sys.base_prefix, "PYTHONPATH": sysconfig.get_paths()["purelib"]}
        arguments = {"embedded": ["1", EMBEDDED], "embedded_twice": ["2", EMBEDDED]}
        programs.append(Program("Python", [embed], {"embedded": 7, "embedded_twice": 7}, env, arguments))
    return programs


def go_programs(out: Path, library: Path) -> list[Program]:
    folder = out / "go"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "leave.go", folder / "main.go")
    packages = ROOT / "languages" / "go"
    (folder / "go.mod").write_text(
        f"module leave\n\ngo 1.18\n\nrequire mixgrad v0.0.0\n\nreplace mixgrad => {packages}\n",
        encoding="utf-8",
    )
    env = {
        **os.environ,
        "CGO_LDFLAGS": f"-L{library} -Wl,-rpath,{library}",
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
    }
    _checked(["go", "build", "-o", "leave", "."], cwd=folder, env=env)
    command = [str(folder / "leave")]
    return [Program("Go", command, _states(_checked([*command, "states"])))]


def rust_programs(out: Path, library: Path) -> list[Program]:
    folder = out / "rust"
    (folder / "src").mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "leave.rs", folder / "src" / "main.rs")
    crate = ROOT / "languages" / "rust"
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "leave"\nversion = "0.1.0"\nedition = "2021"\n\n'
        f'[dependencies]\nmixgrad = {{ path = "{crate}" }}\n\n[workspace]\n',
        encoding="utf-8",
    )
    env = {**os.environ, "MIXGRAD_LIB_DIR": str(library), "RUSTFLAGS": f"-C link-arg=-Wl,-rpath,{library}"}
    beside = Path(shutil.which("cargo") or "").parent / "rustc"  # the compiler that came with this cargo
    if beside.exists():
        env["RUSTC"] = str(beside)
    _checked(["cargo", "build", "--offline", "--quiet"], cwd=folder, env=env)
    command = [str(folder / "target" / "debug" / "leave")]
    return [Program("Rust", command, _states(_checked([*command, "states"])))]


def r_programs(out: Path, library: Path) -> list[Program]:
    folder = out / "r"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "library").mkdir(parents=True)
    shutil.copytree(ROOT / "languages" / "r", folder / "mixgrad")
    env = {**os.environ, "MIXGRAD_HOME": str(ROOT), "MIXGRAD_LIB_DIR": str(library)}
    install = ["R", "CMD", "INSTALL", "--no-docs", "--no-test-load", f"--library={folder / 'library'}"]
    _checked([*install, str(folder / "mixgrad")], env=env)
    command = ["Rscript", "--vanilla", str(HERE / "leave.R")]
    env = {"R_LIBS": str(folder / "library")}
    return [Program("R", command, _states(_checked([*command, "states"])), env)]


def node_programs(out: Path, library: Path) -> list[Program]:
    """Of the WebAssembly module, which has no library to load."""
    del out, library
    _checked(["bash", str(ROOT / "languages" / "js" / "build.sh"), "full"])
    command = ["node", str(HERE / "leave.mjs")]
    return [Program("Node", command, _states(_checked([*command, "states"])))]
