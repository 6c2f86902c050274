"""The pages: what they name exists, and what the README shows runs and holds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import mixgrad as mx
from mixgrad import _core
from mixgrad.base import DTYPE_NAMES, DTYPE_NUMBERS

ROOT = Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "check_pages.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(TOOL), *arguments], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_pages_name_what_exists() -> None:
    done = run()
    assert done.returncode == 0, done.stdout


# A line of a page, and what the check says about it; None: nothing.
LINES = {
    "link": ("[a](no.md)", "links to no.md, which is not there"),
    "link that holds": ("[a](a.md)", None),
    "heading": ("[a](#nowhere)", "links to #nowhere of a.md, which has no such heading"),
    "heading that holds": ("[a](#the-page)", None),
    "path": ("`tools/no.py`", "names tools/no.py, which is not there"),
    "path that holds": ("`tools/*.py` and `tools/{a,b}.py` and `tools/NAME.py`", None),
    "target": ("`make nothing`", "names the target nothing"),
    "target that holds": ("`make test`", None),
    "option": ("`python tools/a.py --nothing`", "names the option --nothing, which tools/a.py does not have"),
    "option of a command": ("`mixgrad bench --plan`", "names the option --plan, which bench does not have"),
    "option of config": ("`mixgrad config --nothing`", "names the option --nothing, which config does not"),
    "option of a command that holds": ("`mixgrad inspect --plan --json`", None),
    "option that holds": ("`python tools/a.py --some x`", None),
    "name": ("`mx.nd.no_such_name`", "names mx.nd.no_such_name, which the package does not have"),
    "name that holds": ("`mx.nd.relu(x)`, `mixgrad.io`", None),
    "present": ("`mx.nd` <!-- absent -->", "says that mx.nd is absent, which the package has"),
    "absent": ("`mx.no_such_name` <!-- absent -->", None),
    "path that is there": (
        "`tools/a.py` <!-- absent -->",
        "says that tools/a.py is absent, which the tree has",
    ),
    "path that is not there": ("`tools/no.py` <!-- absent -->", None),
    "C": ("`mg_no_such_function`", "names mg_no_such_function, which the C headers do not have"),
    "C that holds": ("`mg_some()`, `MXPredSome`", None),
    "macro": ("`MIXGRAD_NOTHING=1`", "names MIXGRAD_NOTHING, which no source has"),
    "figure": ("It takes 3 ms.", "has a figure"),
    "figure that holds": ("It takes 3 ms. Measured 2026-11-21 on a machine: `make test`.", None),
    "limit": ("At most 3 ms. <!-- limits -->", None),
}


@pytest.mark.parametrize("case", sorted(LINES))
def test_page_is_checked(case: str, tmp_path: Path) -> None:
    line, message = LINES[case]
    files = {
        "a.md": f"# The page\n\n{line}\n",
        "Makefile": "test: tools\n\techo\n",
        "tools/a.py": 'parser.add_argument("--some")\n',
        "tools/b.py": "",
        "python/mixgrad/command/__init__.py": '"--json"',
        "python/mixgrad/command/inspect.py": '"--plan"',
        "python/mixgrad/command/bench.py": '"--seconds"',
        "python/mixgrad/command/config.py": '"--cflags"',
        "include/a.h": "int mg_some(void); int MXPredSome(void);\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    done = run("--root", str(tmp_path))
    assert done.returncode == (message is not None), done.stdout
    assert message is None or message in done.stdout


def test_python_that_does_not_compile_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("```python\nx = = 1\n```\n")
    assert "a.md:2: python that does not compile" in run("--root", str(tmp_path)).stdout


def test_readme_runs_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    exec(blocks[0], names)
    loss = float(capsys.readouterr().out)
    exec(blocks[1].replace("/tmp/line", str(tmp_path / "line")), names)
    score = dict(eval(capsys.readouterr().out.splitlines()[-1]))
    assert loss < 0.2 and score["accuracy"] > 0.9
    assert (tmp_path / "line-0020.params").exists()


def test_readme_counts() -> None:
    text = (ROOT / "README.md").read_text()
    names = (ROOT / "docs/mxnet-operators.md").read_text()
    said = re.search(r"^(\d+) of 611 operators are there", names, re.M)
    assert "[600 names]" in text and said and int(said[1]) >= 600
    table = (ROOT / "docs/operators.md").read_text()
    assert sum(line.startswith("| `") for line in table.splitlines()) > 300
    dtypes = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool")
    assert "nine dtypes" in text and set(DTYPE_NUMBERS) == set(dtypes)
    for name in dtypes:
        array = mx.nd.zeros((1,), dtype=name)
        assert DTYPE_NAMES[array._dtype_number] == name
    assert len(_core.op_names()) > 300


def test_readme_names_every_language_and_what_the_header_has() -> None:
    text = (ROOT / "README.md").read_text()
    shown = {"c": "C header", "cpp": "C++", "go": "Go", "js": "JavaScript", "r": "R", "rust": "Rust"}
    folders = {path.parent.name for path in (ROOT / "languages").glob("*/README.md")}
    assert folders == shown.keys() and all(
        re.search(rf"\b{re.escape(n)}(?!\w)", text) for n in shown.values()
    )
    header = (ROOT / "include/mixgrad/mixgrad.h").read_text()
    nouns = set(re.findall(r"\bmg_([a-z]+)_\w+\(", header))
    assert {"engine", "array", "op", "autograd", "symbol", "executor", "kvstore", "file"} <= nouns
    assert not {"module", "optimizer", "metric", "iterator", "plot"} & nouns


def test_glossary_names_files_that_hold_the_words() -> None:
    rows = re.findall(
        r"^\| (\*\*.*?) \|.*\| (`.*`) \|$", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE
    )
    assert len(rows) > 50
    for words, places in rows:
        paths = [ROOT / name for name in re.findall(r"`([^`]+)`", places)]
        text = "".join(path.read_text() for path in paths if path.is_file()).lower()
        for word in re.findall(r"\*\*([^*]+)\*\*", words):
            stem = word.split()[0].lower()[:5]
            assert stem in text, f"{places} does not have {word}"
