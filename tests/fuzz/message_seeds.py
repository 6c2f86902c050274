"""Writes what honest peers send, as inputs of message_fuzz: message_seeds.py FOLDER."""

from __future__ import annotations

import struct
import sys
from pathlib import Path


def first(number: int, fields: bytes, payload_bytes: int, inlined: bytes = b"", priority: int = 0) -> bytes:
    """A first piece from "a" to "b"."""
    head = struct.pack("<2sBBQHBBiIQ", b"mg", 1, 1, number, 7, 1, 1, priority, len(fields), payload_bytes)
    return head + b"ab" + fields + inlined


def further(number: int, offset: int) -> bytes:
    return struct.pack("<2sBBQQ", b"mg", 1, 2, number, offset)


def step(connection: int, head: bytes, body: bytes = b"", idle: bool = False) -> bytes:
    lengths = struct.pack("<H", len(head)) + (struct.pack("<H", len(body)) if body else b"")
    return bytes([connection | (4 if body else 0) | (8 if idle else 0)]) + lengths + head + body


def large(connection: int, number: int, payload_bytes: int, piece: int) -> list[bytes]:
    body = bytes(i % 251 for i in range(payload_bytes))
    steps = [step(connection, first(number, b"fields", payload_bytes), body[:piece])]
    for offset in range(piece, payload_bytes, piece):
        steps.append(step(connection, further(number, offset), body[offset : offset + piece]))
    return steps


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    three, other = large(0, 1, 300, 100), large(0, 2, 200, 100)
    seeds = {
        "empty": [step(0, first(1, b"", 0))],
        "inlined": [step(1, first(1, b"abc", 5, b"01234"))],
        "pieces": three,
        "overtaken": [three[0], *other, *three[1:]],
        "connections": [three[0], *large(1, 1, 300, 100), *three[1:]],
        "crowded": [piece for number in (1, 2) for piece in large(0, number, 39000, 20000)[:1]],
        "late": [three[1], *other],
        "idle": [
            three[0],
            step(0, first(2, b"", 0), idle=True),
            step(0, first(3, b"", 0), idle=True),
            three[1],
        ],
        "many": [large(0, number, 200, 100)[0] for number in range(1, 19)],
        "huge": [step(0, first(1, b"", 2**63), b"x")],
        "wrong-order": [three[0], three[2]],
        "too-long": [three[0], step(0, further(1, 100), bytes(201))],
    }
    for name, steps in seeds.items():
        (folder / name).write_bytes(b"".join(steps))


if __name__ == "__main__":
    main()
