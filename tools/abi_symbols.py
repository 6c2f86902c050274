"""Compare what libmixgrad exports with the committed list tests/abi/symbols.txt.

abi_symbols.py --check [LIBRARY]   fail when the two differ, and say how
abi_symbols.py --write [LIBRARY]   write the list (a symbol removed or renamed breaks programs that link it)
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "abi" / "symbols.txt"


def exported(library: Path) -> list[str]:
    """The defined dynamic symbols of an ELF library, sorted."""
    done = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", str(library)],
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted(line.split()[0] for line in done.stdout.splitlines() if line.strip())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("library", nargs="?", type=Path, default=ROOT / "build" / "release" / "libmixgrad.so")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true")
    action.add_argument("--write", action="store_true")
    options = parser.parse_args()
    symbols = exported(options.library)
    if options.write:
        LIST.parent.mkdir(parents=True, exist_ok=True)
        LIST.write_text("".join(f"{symbol}\n" for symbol in symbols), encoding="utf-8")
        return 0
    listed = LIST.read_text(encoding="utf-8").split()
    gone, new = sorted(set(listed) - set(symbols)), sorted(set(symbols) - set(listed))
    for symbol in gone:
        print(f"{symbol}: listed, and the library no longer exports it")
    for symbol in new:
        print(
            f"{symbol}: exported, and not listed; if it is meant to be public: tools/abi_symbols.py --write"
        )
    print(f"{len(symbols)} exported symbols, {len(gone)} gone, {len(new)} new")
    return 1 if gone or new else 0


if __name__ == "__main__":
    sys.exit(main())
