"""Readers work in time linear in the file, whatever it holds (docs/files.md has the table)."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import mixgrad as mx
from mixgrad.optimizer import state_file

sys.path.insert(0, str(Path(__file__).parents[2]))
from files import reader_times

PROGRAM = Path(reader_times.__file__)
KINDS = [(reader, kind) for reader, (_, kinds) in reader_times.KINDS.items() for kind in kinds]
# A square of the size would be 16 for 4 times the size; what takes less time than this is not looked at.
MOST_RATIO, WORTH_LOOKING_S = 10, 0.05


def limited() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def reader_rows() -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), "256", "1024"],
        capture_output=True,
        text=True,
        preexec_fn=limited,
        check=False,
    )
    rows = [line.split("|")[1:-1] for line in done.stdout.splitlines()[2:]]
    assert done.returncode == 0, f"ended by {done.returncode} at {rows[-1:]}: {done.stderr[-2000:]}"
    assert [(row[0].strip(), row[1].strip()) for row in rows] == KINDS
    return rows


def test_readers_take_time_in_proportion_to_the_file() -> None:
    slow: dict[tuple[str, str], list[str]] = {}
    for _ in range(3):  # a machine that does something else for a moment does not do so three times
        late = {}
        for row in reader_rows():
            times = [float(seconds) / 1000 for seconds in row[2:]]
            if times[1] >= max(WORTH_LOOKING_S, MOST_RATIO * times[0]):
                late[row[0], row[1]] = row
        slow = {key: row for key, row in late.items() if not slow or key in slow}
        if not slow:
            return
    assert not slow


def test_lists_of_the_same_lists_are_refused() -> None:
    item: list[object] = []
    for _ in range(60):
        item = [item, item]
    import pickle

    data = pickle.dumps({0: item}, protocol=2)
    assert len(data) < 800
    with pytest.raises(ValueError, match="written out"):
        state_file.load(data)


def test_values_that_a_pickle_shares_are_shared() -> None:
    import pickle

    counts = {0: 1}
    loaded = state_file.load(pickle.dumps({"a": counts, "b": [counts, (counts,)]}, protocol=2))
    assert loaded["a"] is loaded["b"][0] is loaded["b"][1][0] and loaded["a"] == counts


DAMAGED = {
    "a key without a value": b"\x80\x02}(K\x01u.",
    "two keys and one value": b"\x80\x02}(K\x01K\x02K\x03u.",
    "a dict of three": b"\x80\x02(K\x01K\x02K\x03d.",
    "a pair of one": b"\x80\x02K\x01\x86.",
    "a tuple of none": b"\x80\x02\x85.",
    "a tuple across a mark": b"\x80\x02(K\x01\x86.",
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_pickle_loses_nothing_silently(case: str) -> None:
    with pytest.raises(ValueError, match="damaged pickle"):
        state_file.load(DAMAGED[case])


def test_a_pickle_inside_of_itself_is_refused() -> None:
    import pickle

    item: list[object] = []
    item.append(item)
    with pytest.raises(ValueError, match="inside of"):
        state_file.load(pickle.dumps({0: item}, protocol=2))


def test_deep_loops_are_read_written_and_inferred() -> None:
    text = json.dumps(reader_times.nested_loops(28))
    net = mx.sym.load_json(text)
    again = mx.sym.load_json(net.tojson())
    assert again.tojson() == net.tojson() and again.list_arguments() == ["x"]
    shallow = mx.sym.load_json(json.dumps(reader_times.nested_loops(10)))
    x = mx.nd.ones((1,) * 11) * -2
    assert shallow.eval(x=x)[0].asnumpy().sum() == 0
    with pytest.raises(mx.base.FileFormatError, match="less nesting"):
        mx.sym.load_json(json.dumps(reader_times.nested_loops(60)))


def test_a_graph_inside_of_an_operator_is_checked_when_it_is_given() -> None:
    call = reader_times.nested_loops(1)["nodes"][1]
    given = {**call["attrs"], "subgraph0": "no graph"}
    with pytest.raises(mx.base.FileFormatError, match="json"):
        mx.sym._internal._foreach(mx.sym.Variable("x"), name="loop", **given)


GRADUAL = """
import mixgrad as mx
c0, c1 = mx.sym.Variable("c0"), mx.sym.Variable("c1")

def loops(depth, z):
    \"\"\"Each level learns the shape of z axis by axis, and asks the level inside each time.\"\"\"
    inner = z + 1
    if depth > 0:
        inner = mx.sym.contrib.while_loop(
            lambda v: mx.sym.sum(v) < 1, lambda v: ([], [loops(depth - 1, v)]), [z], 2
        )[1][0]
    both = mx.sym.sum(mx.sym.Concat(inner, c0, dim=0)) + mx.sym.sum(mx.sym.Concat(inner, c1, dim=1))
    return mx.sym.broadcast_add(inner, mx.sym.reshape(both, shape=(1, 1)))

print(loops(20, mx.sym.Variable("z")).infer_shape_partial(c0=(2, 3), c1=(4, 5))[1])
"""


def test_shapes_of_loops_inside_of_loops_are_asked_for_once() -> None:
    done = subprocess.run(
        [sys.executable, "-c", GRADUAL], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "[(4, 3)]\n"
