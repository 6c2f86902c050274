"""Times of readers on the worst kinds of files known: ``reader_times.py [KB ...]``, 1 to 64 by default.

A file of each kind is made to any size. Times are milliseconds of the processor; a read that does not end is
ended by a signal.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import signal
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

import mixgrad as mx
from mixgrad import _core
from mixgrad.optimizer import state_file

KB = (1, 2, 4, 8, 16, 32, 64)
MOST_S = 60.0  # of all readers together with one kind of file
REFUSED = (ValueError, OSError, KeyError, TypeError, MemoryError, mx.MXNetError)


def _filled(size: int, start: bytes, item: Callable[[int], bytes], between: bytes, end: bytes) -> bytes:
    """As many items as fit."""
    parts: list[bytes] = []
    left = size - len(start) - len(end)
    while True:
        part = item(len(parts))
        left -= len(part) + len(between)
        if left < 0 and parts:
            return start + between.join(parts) + end
        parts.append(part)


# .params and safetensors


def _params(array: bytes) -> Callable[[int], bytes]:
    def make(size: int) -> bytes:
        count = max(1, (size - 32) // len(array))
        return struct.pack("<QQQ", 0x112, 0, count) + array * count + struct.pack("<Q", 0)

    return make


_EMPTY_ARRAY = struct.pack("<IiiqiiI", 0xF993FACA, 0, 1, 0, 1, 0, 0)
# A row of 4 million rows, 16 MB when dense.
_SPARSE_ARRAY = struct.pack("<Iiiqqiqqiiiiiq", 0xF993FAC9, 1, 2, 0, 1, 2, 1 << 22, 1, 1, 0, 0, 6, 1, 0)


def _names(size: int) -> bytes:
    count = max(1, size // 80)
    arrays = _EMPTY_ARRAY * count
    names = b"".join(struct.pack("<Q", 20) + b"the same name, again" for _ in range(count))
    return struct.pack("<QQQ", 0x112, 0, count) + arrays + struct.pack("<Q", count) + names


def _huge_count(size: int) -> bytes:
    return struct.pack("<QQQ", 0x112, 0, size // 4 - 6) + bytes(size - 24)


def _safetensors(size: int) -> bytes:
    header = _filled(
        size - 8, b"{", lambda i: b'"%d":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}' % i, b",", b"}"
    )
    return struct.pack("<Q", len(header)) + header


def _safetensors_deep(size: int) -> bytes:
    header = b'{"a":' + b"[" * (size - 16)
    return struct.pack("<Q", len(header)) + header


# Symbols


def _symbol(nodes: list[dict[str, Any]]) -> bytes:
    return json.dumps({"nodes": nodes, "arg_nodes": [], "heads": [[len(nodes) - 1, 0, 0]]}).encode()


def _variable(name: str, **attrs: str) -> dict[str, Any]:
    return {"op": "null", "name": name, "attrs": attrs, "inputs": []}


def _chain(size: int) -> bytes:
    nodes = [_variable("x")]
    for i in range(size // 75):
        nodes.append({"op": "relu", "name": f"r{i}", "inputs": [[i, 0, 0]]})
    return _symbol(nodes)


def _attributes(size: int) -> bytes:
    return _symbol([_variable("x", **{f"__{i:08d}__": "" for i in range(size // 18, 0, -1)})])


def _long_attribute(size: int) -> bytes:
    return _symbol([_variable("x", __shape__="(" + "1," * (size // 2) + ")")])


def _underscores(size: int) -> bytes:
    call = {"op": "relu", "name": "r", "attrs": {"_" * size: "1"}, "inputs": [[0, 0, 0]]}
    return _symbol([_variable("x"), call])


def _attributes_of_inputs(size: int) -> bytes:
    count = size // 40
    attrs = {"num_args": str(count), **{f"arg{count - 1 - i}_lr_mult": "1" for i in range(count)}}
    call = {"op": "Concat", "name": "c", "attrs": attrs, "inputs": [[0, 0, 0]] * count}
    return _symbol([_variable("x"), call])


def _unknown_operator(size: int) -> bytes:
    return _symbol([{"op": "q" * size, "name": "x", "inputs": []}])


def _deep_json(size: int) -> bytes:
    return b'{"nodes":' + b"[" * size


def _foreach(body: dict[str, Any]) -> dict[str, Any]:
    call = {
        "op": "_foreach",
        "name": "f",
        "attrs": {
            "num_args": "2",
            "num_outputs": "1",
            "num_out_data": "1",
            "in_state_locs": "()",
            "in_data_locs": "(0,)",
            "remain_locs": "()",
        },
        "inputs": [[0, 0, 0]],
        "subgraphs": [body],
    }
    return {"nodes": [_variable("x"), call], "arg_nodes": [0], "heads": [[1, 0, 0]]}


def nested_loops(depth: int, innermost: int = 1) -> dict[str, Any]:
    """A loop in a loop in a loop; the innermost body has so many nodes."""
    nodes = [_variable("x")]
    for i in range(innermost):
        nodes.append({"op": "relu", "name": f"r{i}", "inputs": [[i, 0, 0]]})
    graph: dict[str, Any] = {"nodes": nodes, "arg_nodes": [0], "heads": [[len(nodes) - 1, 0, 0]]}
    for _ in range(depth):
        graph = _foreach(graph)
    return graph


def _nested(size: int) -> bytes:
    """As deep as JSON may be read, or as the size allows."""
    depth = min(28, size // 330)
    rest = max(1, (size - 330 * depth) // 75)
    return json.dumps(nested_loops(depth, rest)).encode()


# Optimiser states


_LEVELS = 40


def _shared_lists(size: int) -> bytes:
    """Lists that hold the one before twice, many times."""
    item: Any = []
    for _ in range(_LEVELS):
        item = [item, item]
    one = pickle.dumps(item, protocol=2)[2:-1]
    return b"\x80\x02}K\x00](" + one * max(1, size // len(one)) + b"es."


def _shared_keys(size: int) -> bytes:
    """Tuples that hold the one before twice, of which the last is a key, many times."""
    steps = [b")q\x000"]
    for i in range(_LEVELS):
        steps.append(b"h%ch%c\x86q%c0" % (i, i, i + 1))
    one = b"".join(steps) + b"h%cK\x01" % _LEVELS
    return b"\x80\x02}(" + one * max(1, size // len(one)) + b"u."


def _shared_arrays(size: int) -> bytes:
    """Many arrays of the same bytes."""
    content = mx.nd.save_tobuffer([mx.nd.ones((size // 8,))])[24:-8]
    start = b"cmxnet.ndarray.ndarray\nNDArray\nq\x010U\x06handleq\x020B" + struct.pack("<I", len(content))
    start += content + b"q\x030"
    count = max(1, (size - len(start)) // 20)
    arrays = b"".join(b"J" + struct.pack("<i", i) + b"h\x01)\x81}h\x02h\x03sb" for i in range(count))
    return b"\x80\x02" + start + b"}(" + arrays + b"u."


def _plain_pickle(size: int) -> bytes:
    return pickle.dumps(dict.fromkeys(range(size // 4)), protocol=2)


def _states(header: bytes, arrays: bytes) -> bytes:
    return struct.pack("<8sIQ", b"MGSTATES", 1, len(header)) + header + arrays


def _states_of_one_array(size: int) -> bytes:
    array = (
        b'[%d,{"nd":{"dtype":"uint8","stored":"uint8","shape":[' + str(size // 2).encode() + b'],"at":0}}]'
    )
    header = _filled(size // 2, b'{"dict":[', lambda i: array % i, b",", b"]}")
    return _states(header, bytes(size // 2))


def _deep_states(size: int) -> bytes:
    return _states(b'{"list":[' * (size // 9), b"")


# Text


def _read_csv(content: bytes) -> Any:
    columns = content.partition(b"\n")[0].count(b",") + 1
    return _core.parse_csv(content, "text", columns, 0)


TEXT_KINDS: dict[str, Callable[[int], bytes]] = {
    "one line": lambda size: b"1," * (size // 2) + b"1",
    "many lines": lambda size: b"1\n" * (size // 2),
    "blank lines": lambda size: b"\n" * size,
    "one long number": lambda size: b"1" * size,
    "one long fraction": lambda size: b"0." + b"1" * size + b"e-5",
    "one long exponent": lambda size: b"1e" + b"1" * size,
    "rows of another length": lambda size: b"1," * (size // 2) + b"\n1" * (size // 4),
}

KINDS: dict[str, tuple[Callable[[bytes], Any], dict[str, Callable[[int], bytes]]]] = {
    ".params": (
        mx.nd.load_frombuffer,
        {
            "empty arrays": _params(_EMPTY_ARRAY),
            "sparse arrays of 16 MB": _params(_SPARSE_ARRAY),
            "one name for all": _names,
            "a count of arrays that fits": _huge_count,
        },
    ),
    "safetensors": (mx.nd.load_frombuffer, {"empty tensors": _safetensors, "deep header": _safetensors_deep}),
    "-symbol.json": (
        lambda content: mx.sym.load_json(content.decode()).tojson(),
        {
            "a chain": _chain,
            "attributes of a node": _attributes,
            "one long attribute": _long_attribute,
            "a key of underscores": _underscores,
            "attributes of inputs": _attributes_of_inputs,
            "a long unknown operator": _unknown_operator,
            "deep JSON": _deep_json,
            "nested loops": _nested,
        },
    ),
    "shapes of -symbol.json": (
        lambda content: mx.sym.load_json(content.decode()).infer_shape_partial(x=(2,) * 30),
        {"nested loops": _nested},
    ),
    "optimiser states": (
        state_file.load,
        {
            "lists of the same lists": _shared_lists,
            "keys of the same tuples": _shared_keys,
            "arrays of the same bytes": _shared_arrays,
            "a pickled dict": _plain_pickle,
            "places of one array": _states_of_one_array,
            "deep header": _deep_states,
        },
    ),
    "CSV": (_read_csv, TEXT_KINDS),
    "LibSVM": (
        lambda content: _core.parse_libsvm(content, "text", 4),
        {
            **TEXT_KINDS,
            "one row": lambda size: b"1 " + b"0:1 " * (size // 4),
            "a comment": lambda size: b"1 #" + b"#" * size,
        },
    ),
}


def measure(read: Callable[[bytes], Any], content: bytes) -> float:
    """Seconds of the processor, the better of two: in the first, the system may clear memory that is new."""
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        with contextlib.suppress(*REFUSED):
            read(content)
        best = min(best, time.process_time() - began)
    return best


def main() -> int:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    sizes = [int(size) for size in sys.argv[1:]] or KB
    print("| reader | worst kind of file |" + "".join(f" {kb} KB |" for kb in sizes))
    print("|---|---|" + "---|" * len(sizes))
    for reader, (read, kinds) in KINDS.items():
        for kind, make in kinds.items():
            signal.setitimer(signal.ITIMER_REAL, MOST_S)
            print(f"| {reader} | {kind} |", end="", flush=True)
            for kb in sizes:
                print(f" {1000 * measure(read, make(kb * 1000)):.1f} |", end="", flush=True)
            print(flush=True)
            signal.setitimer(signal.ITIMER_REAL, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
