"""The names of include/mixgrad/mixgrad.h follow the rules that its first comment states."""

from __future__ import annotations

import re
from pathlib import Path

HEADER = Path(__file__).parents[3] / "include" / "mixgrad" / "mixgrad.h"
FIXED_STRUCTS = {"mg_device", "mg_value", "mg_index"}  # passed by value or in arrays: they stay as they are


def text() -> str:
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.DOTALL)


def structs() -> dict[str, str]:
    found = re.findall(r"typedef struct (mg_\w+) \{(.*?)\n\} \1;", text(), flags=re.DOTALL)
    assert len(found) > 8
    return dict(found)


def test_enumerators_carry_the_noun_of_their_enum() -> None:
    enums = re.findall(r"typedef enum (mg_\w+) \{(.*?)\} \1;", text(), flags=re.DOTALL)
    assert len(enums) == len(re.findall(r"\benum\b", text())) > 6
    for name, body in enums:
        noun = name.upper().removesuffix("_KIND")
        for enumerator in re.findall(r"\b(MG_\w+) =", body):
            assert enumerator.startswith(f"{noun}_"), f"{enumerator} of {name}: expected {noun}_..."


def test_structs_begin_with_their_size_or_never_grow() -> None:
    for name, body in structs().items():
        first = body.split(";")[0].strip()
        if name in FIXED_STRUCTS:
            assert "size_t size" not in body, name
        else:
            assert first == "size_t size", f"{name} begins with {first}"


def test_structs_with_a_size_say_where_older_ones_may_end() -> None:
    whole = HEADER.read_text(encoding="utf-8")
    for name in structs().keys() - FIXED_STRUCTS:
        body = re.search(rf"typedef struct {name} \{{(.*?)\n\}} {name};", whole, flags=re.DOTALL)
        assert body, name
        assert body[1].count("[optional]") == 1, name


def test_numbers_of_items_are_called_num() -> None:
    counts = re.findall(r"\b(\w+)\*? (\w*count\w*)\b", text())
    assert not counts, counts
    numbers = re.findall(r"\b(\w+)(\*?) (num_\w+)", text()) + re.findall(
        r"\b(\w+)() (mg_\w+_get_num_\w+)\(", text()
    )
    assert len(numbers) > 40
    for kind, _, name in numbers:
        assert kind == "int32_t" or name == "mg_op_get_num_inputs_param", f"{kind} {name}"
