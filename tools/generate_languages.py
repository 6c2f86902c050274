#!/usr/bin/env python3
"""Writes the operators' wrappers of the language packages (languages/) from the operator registry.

python tools/generate_languages.py            write the files
python tools/generate_languages.py --check    fail if a committed file differs
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generate_ops import load_core
from languages import c, cpp, go, header, js, r, registry, rust

ROOT = Path(__file__).resolve().parent.parent
WRITERS = {
    "c/mixgrad_ops.h": c.write,
    "cpp/mixgrad/ops.hpp": cpp.write,
    "go/ops.go": go.write,
    "js/lib/ops.d.ts": js.write_types,
    "js/lib/ops.js": js.write_table,
    "r/R/ops.R": r.write,
    "rust/src/ops.rs": rust.write_ops,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="fail if a committed file differs")
    parser.add_argument("--build", help="folder that holds _core; the installed package otherwise")
    args = parser.parse_args()
    ops = registry.operators(load_core(args.build))
    texts = {ROOT / "languages" / path: write(ops) for path, write in WRITERS.items()}
    c_header = header.read(ROOT / "include" / "mixgrad" / "mixgrad.h")
    texts[ROOT / "languages" / "rust" / "src" / "sys.rs"] = rust.write_sys(c_header)
    stale = [p for p, text in texts.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
    if args.check:
        for path in stale:
            name = path.relative_to(ROOT)
            print(f"{name} does not match the registry; run: make generate", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        temporary = path.with_suffix(".tmp")
        temporary.write_text(texts[path], encoding="utf-8")
        temporary.replace(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
