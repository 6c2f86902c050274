"""Operators that move elements: reshapes, permutations, repetition, joining, cutting, padding."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
from opcase import ALL, FLOATS, Array, Case, Spec

CUBE = (2, 3, 4)


def to_shape(*shape: int) -> Callable[..., Array]:
    return lambda x, *_, **__: x.reshape(shape)


def reshaping() -> list[Case]:
    grouped = {"lhs_begin": 0, "lhs_end": 1, "rhs_begin": 0, "rhs_end": 2}
    cases = [
        Case("_reshape_to", [CUBE], {"shape": (4, 6)}, to_shape(4, 6), dtypes=ALL),
        Case("Flatten", [CUBE], {}, to_shape(2, 12), dtypes=ALL),
        Case("Flatten", [(3,)], {}, to_shape(3, 1), id="1d"),
        Case("Flatten", [()], {}, to_shape(1, 1), id="0d"),
        Case("Flatten", [(0, 3, 2)], {}, to_shape(0, 6), id="empty"),
        Case("reshape_like", [CUBE, (6, 4)], {}, to_shape(6, 4), grad=[0]),
        Case("reshape_like", [(6, 4), (3, 2, 5)], grouped, to_shape(3, 2, 4), grad=[0], id="grouped"),
        Case("reshape_like", [(6, 4), (3, 2, 5)], {}, fails="cannot turn 24 elements"),
        Case("squeeze", [(1, 2, 1, 3)], {}, to_shape(2, 3)),
        Case("squeeze", [(1, 2, 1, 3)], {"axis": (0,)}, to_shape(2, 1, 3), id="one"),
        Case("squeeze", [(1, 2, 1, 3)], {"axis": (0, -2)}, to_shape(2, 3), id="two"),
        Case("squeeze", [(1, 1)], {}, to_shape(1), id="all"),
        Case("squeeze", [(1, 2)], {"axis": 1}, fails="only an extent of 1"),
        Case("squeeze", [(1, 2, 1)], {"axis": (0, -3)}, fails="is named twice", id="twice"),
        Case("Reshape", [CUBE], {"target_shape": (3, 0)}, to_shape(3, 8), id="older"),
        Case("Reshape", [CUBE], {"target_shape": (9, 0), "keep_highest": True}, to_shape(2, 12), id="keep"),
        Case("Reshape", [CUBE], {"shape": (5, -1)}, fails="cannot be reshaped"),
        Case("expand_dims", [CUBE], {"axis": 4}, fails="axis 4"),
    ]
    codes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((0, -1), (2, 12)),
        ((-2,), CUBE),
        ((-3, 0), (6, 4)),
        ((0, 0, -4, 2, -1), (2, 3, 2, 2)),
        ((-4, 1, 2, -2), (1, 2, 3, 4)),
        ((-1,), (24,)),
        ((6, 4), (6, 4)),
    ]
    for i, (code, shape) in enumerate(codes):
        cases.append(Case("Reshape", [CUBE], {"shape": code}, to_shape(*shape), id=f"code{i}"))
    for axis in (0, -1, -4, 2):
        cases.append(Case("expand_dims", [CUBE], {"axis": axis}, np.expand_dims, id=f"axis{axis}"))
    return cases


def unblocked(x: Array, block_size: int) -> Array:
    n, c, h, w = x.shape
    b = block_size
    split = x.reshape(n, b, b, c // (b * b), h, w).transpose(0, 3, 4, 1, 5, 2)
    return split.reshape(n, c // (b * b), h * b, w * b)


def blocked(x: Array, block_size: int) -> Array:
    n, c, h, w = x.shape
    b = block_size
    return (
        x.reshape(n, c, h // b, b, w // b, b)
        .transpose(0, 3, 5, 1, 2, 4)
        .reshape(n, c * b * b, h // b, w // b)
    )


def permuting() -> list[Case]:
    def transposed(x: Array, axes: tuple[int, ...] = ()) -> Array:
        return x.transpose(axes or None)

    def swapped(x: Array, dim1: int = 0, dim2: int = 0) -> Array:
        return x.swapaxes(dim1, dim2)

    cases = [
        Case("transpose", [CUBE], {}, transposed, dtypes=ALL),
        Case("transpose", [CUBE], {"axes": (2, 0, 1)}, transposed, id="axes"),
        Case("transpose", [()], {}, transposed, id="0d"),
        Case("transpose", [(0, 3)], {}, transposed, id="empty"),
        Case("transpose", [CUBE], {"axes": (0, 0, 1)}, fails="twice"),
        Case("SwapAxis", [CUBE], {"dim1": 0, "dim2": -1}, swapped, dtypes=ALL),
        Case("reverse", [CUBE], {"axis": (0, 2)}, np.flip, dtypes=ALL),
        Case("reverse", [(3, 37)], {"axis": (1,)}, np.flip, dtypes=ALL, id="long"),
        Case("reverse", [(3, 4)], {"axis": (1, 1)}, lambda x, axis: x, dtypes=ALL, id="twice"),
        Case("depth_to_space", [(1, 8, 2, 3)], {"block_size": 2}, unblocked, dtypes=ALL),
        Case("space_to_depth", [(1, 2, 4, 6)], {"block_size": 2}, blocked, dtypes=ALL),
        Case("depth_to_space", [(1, 6, 2, 3)], {"block_size": 2}, fails="multiple of block_size"),
        Case("depth_to_space", [(0, 8, 2, 3)], {"block_size": 2}, unblocked, id="no_images"),
        Case("space_to_depth", [(0, 2, 4, 6)], {"block_size": 2}, blocked, id="no_images"),
        Case("depth_to_space", [(2, 4, 0, 3)], {"block_size": 2}, fails="with pixels", id="no_pixels"),
        Case("space_to_depth", [(2, 0, 4, 6)], {"block_size": 2}, fails="with pixels", id="no_channels"),
    ]
    # Tiles, edges and few channels of the strided copy.
    for shape in ((70, 131), (64, 128), (3, 50), (50, 3), (2, 40), (40, 4)):
        cases.append(Case("transpose", [shape], {}, transposed, dtypes=ALL, id=f"{shape}"))
    for axes in ((0, 2, 3, 1), (0, 3, 1, 2), (3, 1, 0, 2)):
        params = {"axes": axes}
        cases.append(Case("transpose", [(2, 5, 9, 19)], params, transposed, dtypes=ALL, id=f"{axes}"))
    return cases


def repeating() -> list[Case]:
    def grown(shape: tuple[int, ...]) -> Callable[..., Array]:
        return lambda x, *_, **__: np.broadcast_to(x, shape)

    def repeated(x: Array, repeats: int, axis: int | None = None) -> Array:
        return np.repeat(x, repeats, axis)

    whole = (2, 5, 4)
    return [
        Case("_broadcast_to", [(2, 1, 4)], {"shape": whole}, grown(whole), dtypes=ALL),
        Case("_broadcast_to", [(1, 1)], {"shape": (0, 3)}, grown((0, 3)), id="empty"),
        Case("broadcast_to", [(2, 1, 4)], {"shape": (0, 5, 0)}, grown(whole), dtypes=ALL),
        Case("broadcast_to", [(4,)], {"shape": whole}, grown(whole), id="rank"),
        Case("broadcast_to", [CUBE], {"shape": whole}, fails="cannot broadcast to (2, 5, 4)"),
        Case("broadcast_axis", [(1, 3, 1)], {"axis": (0, 2), "size": (2, 4)}, grown((2, 3, 4)), dtypes=ALL),
        Case("broadcast_axis", [(2, 3)], {"axis": 0, "size": 4}, fails="only an extent of 1"),
        Case("broadcast_like", [(1, 3), (5, 3)], {}, grown((5, 3)), grad=[0]),
        Case(
            "broadcast_like",
            [(1, 3), (5, 6)],
            {"lhs_axes": (0,), "rhs_axes": (-1,)},
            grown((6, 3)),
            grad=[0],
            id="axes",
        ),
        Case("tile", [CUBE], {"reps": (2, 1, 3)}, np.tile, dtypes=ALL),
        Case("tile", [(2, 3)], {"reps": (2, 2, 2)}, np.tile, id="more"),
        Case("tile", [CUBE], {"reps": (2,)}, np.tile, id="fewer"),
        Case("tile", [CUBE], {"reps": ()}, np.tile, id="none"),
        Case("tile", [(0, 3)], {"reps": (2, 2)}, np.tile, id="empty"),
        Case("repeat", [CUBE], {"repeats": 2}, repeated, dtypes=ALL),
        Case("repeat", [CUBE], {"repeats": 3, "axis": 1}, repeated, dtypes=ALL, id="axis"),
        Case("repeat", [CUBE], {"repeats": 2, "axis": -1}, repeated, id="last"),
        Case("repeat", [()], {"repeats": 3}, repeated, id="0d"),
    ]


def joining() -> list[Case]:
    def joined(*parts: Array, dim: int = 1, num_args: int = 0) -> Array:
        return np.concatenate(parts, dim)

    def stacked(*parts: Array, axis: int = 0, num_args: int = 0) -> Array:
        return np.stack(parts, axis)

    def evenly(x: Array, num_outputs: int, axis: int = 1, squeeze_axis: bool = False) -> tuple[Array, ...]:
        parts = np.split(x, num_outputs, axis)
        return tuple(p.squeeze(axis) for p in parts) if squeeze_axis else tuple(parts)

    def cut(x: Array, indices: tuple[int, ...], axis: int = 1, **_: Any) -> tuple[Array, ...]:
        ends = (*indices[1:], x.shape[axis])
        return tuple(np.take(x, range(b, e), axis) for b, e in zip(indices, ends))

    def sections(x: Array, sections: int, axis: int = 1, **_: Any) -> tuple[Array, ...]:
        return tuple(np.split(x, sections, axis))

    return [
        Case("Concat", [(2, 1, 2), (2, 3, 2), (2, 2, 2)], {"num_args": 3}, joined, dtypes=ALL),
        Case("Concat", [(2, 3), (4, 3)], {"dim": 0, "num_args": 2}, joined, id="rows"),
        Case("Concat", [(2, 3), (2, 1)], {"dim": -1, "num_args": 2}, joined, id="last"),
        Case("Concat", [(2, 0), (2, 1)], {"num_args": 2}, joined, id="empty"),
        Case("Concat", [(2, 3)], {"num_args": 1}, joined, id="one"),
        Case("Concat", [(2, 3), (3, 3)], {"num_args": 2}, fails="may differ only along dim 1"),
        Case("_rnn_param_concat", [(3,), (0,), (5,)], {"dim": 0, "num_args": 3}, joined),
        Case("_rnn_param_concat", [(2, 3), (4, 3)], {"dim": 0, "num_args": 2}, joined, id="rows"),
        Case("_rnn_param_concat", [(2, 3), (2,)], {"dim": 0, "num_args": 2}, fails="may differ only"),
        Case("stack", [(2, 3), (2, 3)], {"num_args": 2}, stacked, dtypes=ALL),
        Case("stack", [(2, 3), (2, 3), (2, 3)], {"axis": -1, "num_args": 3}, stacked, id="last"),
        Case("stack", [(), ()], {"num_args": 2}, stacked, id="0d"),
        Case("SliceChannel", [(2, 6)], {"num_outputs": 3}, evenly, dtypes=ALL),
        Case("SliceChannel", [(4, 3)], {"num_outputs": 2, "axis": 0}, evenly, id="rows"),
        Case("SliceChannel", [(2, 3)], {"num_outputs": 3, "squeeze_axis": True}, evenly, id="squeeze"),
        Case("SliceChannel", [(2, 3)], {"num_outputs": 2}, fails="does not divide"),
        Case("_split_v2", [(2, 6)], {"indices": (0, 2, 5)}, cut, dtypes=ALL),
        Case("_split_v2", [(2, 6)], {"indices": (1, 2)}, cut, id="later"),
        Case("_split_v2", [(2, 6)], {"indices": (), "sections": 3}, sections, id="sections"),
    ]


def padded(x: Array, mode: str, pad_width: tuple[int, ...], constant_value: float = 0) -> Array:
    pairs = list(zip(pad_width[::2], pad_width[1::2]))
    return (
        np.pad(x, pairs, constant_values=constant_value)
        if mode == "constant"
        else np.pad(x, pairs, mode=mode)
    )


def folded(x: Array, mode: str, pad_width: tuple[int, ...]) -> Array:
    inner = tuple(n - b - a for n, b, a in zip(x.shape, pad_width[::2], pad_width[1::2]))
    places = padded(np.arange(np.prod(inner)).reshape(inner), mode, pad_width, -1)
    out = np.zeros(int(np.prod(inner)))
    np.add.at(out, places[places >= 0], x[places >= 0])
    return out.reshape(inner)


def padding() -> list[Case]:
    cases = []
    image = (0, 0, 0, 0, 1, 2, 2, 1)
    for mode in ("constant", "edge", "reflect"):
        params = {"mode": mode, "pad_width": image, "constant_value": 2.0}
        cases.append(Case("Pad", [(1, 2, 3, 4)], params, padded, dtypes=ALL, id=mode))
        params = {"mode": mode, "pad_width": (1, 2, 0, 3)}
        cases.append(Case("Pad", [(3, 4)], params, padded, id=f"{mode}-2d"))
        cases.append(Case("_pad_fold", [(6, 7)], params, folded, dtypes=FLOATS, rtol=1e-4, id=mode))
    bad = {"mode": "reflect", "pad_width": (0, 0, 4, 0)}
    cases.append(Case("Pad", [(3, 4)], bad, fails="margins 4 and 0 on axis 1"))
    cases.append(Case("Pad", [(3, 4)], {"mode": "edge", "pad_width": (1, 1)}, fails="two numbers per axis"))
    return cases


def diagonals() -> list[Case]:
    def diagonal(x: Array, k: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
        return np.diag(x, k) if x.ndim == 1 else np.diagonal(x, k, axis1, axis2)

    cases = [
        Case("diag", [CUBE], {"k": 1, "axis1": -1, "axis2": 0}, diagonal, id="axes"),
        Case("diag", [CUBE], {"axis1": 1, "axis2": 1}, fails="are one axis"),
        Case("shape_array", [CUBE], {}, lambda x: np.array(x.shape), dtypes=ALL),
        Case("shape_array", [()], {}, lambda x: np.zeros(0), id="0d"),
        Case("size_array", [CUBE], {}, lambda x: np.array([x.size]), dtypes=ALL),
    ]
    for k in (-2, 0, 1, 4):
        cases.append(Case("diag", [(3, 4)], {"k": k}, diagonal, dtypes=ALL, id=f"matrix{k}"))
        cases.append(Case("diag", [(3,)], {"k": k}, diagonal, dtypes=ALL, id=f"vector{k}"))
    return cases


def sequences() -> list[Case]:
    def lengths(x: Array, given: tuple[Array, ...], axis: int) -> Array:
        steps = x.shape[axis]
        return np.clip(given[0].astype(int), 0, steps) if given else np.full(x.shape[1 - axis], steps)

    def time_first(fn: Callable[[Array, Array], Array]) -> Callable[..., Array]:
        def run(x: Array, *given: Array, axis: int = 0, use_sequence_length: bool = False, **_: Any) -> Array:
            out = fn(x if axis == 0 else x.swapaxes(0, 1), lengths(x, given, axis))
            return out if axis == 0 or out.ndim < x.ndim else out.swapaxes(0, 1)

        return run

    def mask(x: Array, n: Array) -> Array:
        keep = np.arange(x.shape[0])[:, None] < n
        return np.where(keep.reshape(keep.shape + (1,) * (x.ndim - 2)), x, 3)

    def turn(x: Array, n: Array) -> Array:
        out = x.copy()
        for i, length in enumerate(n):
            out[:length, i] = x[:length, i][::-1]
        return out

    def last(x: Array, n: Array) -> Array:
        return np.stack([x[max(length - 1, 0), i] for i, length in enumerate(n)])

    def place(x: Array, *given: Array, shape: tuple[int, ...], axis: int = 0, **_: Any) -> Array:
        out = np.zeros(shape)
        for i, length in enumerate(lengths(out, given, axis)):
            at = (max(length - 1, 0), i) if axis == 0 else (i, max(length - 1, 0))
            out[at] = x[i]
        return out

    cases = []
    given = np.array([1, 9, -2], np.int64)
    for axis, shape in ((0, (4, 3, 2)), (1, (3, 4, 2)), (0, (4, 3))):
        params = {"use_sequence_length": True, "axis": axis}
        id = f"axis{axis}-{len(shape)}d"
        masked = {**params, "value": 3.0}
        cases.append(Case("SequenceMask", [shape, given], masked, time_first(mask), dtypes=ALL, id=id))
        cases.append(Case("SequenceReverse", [shape, given], params, time_first(turn), dtypes=ALL, id=id))
        cases.append(Case("SequenceLast", [shape, given], params, time_first(last), dtypes=ALL, id=id))
        placed = {**params, "shape": shape}
        cases.append(Case("_sequence_last_place", [(3, *shape[2:]), given], placed, place, dtypes=ALL, id=id))
    short = np.array([1, 2], np.int64)
    cases += [
        Case("SequenceMask", [(4, 3)], {}, lambda x: x, id="whole"),
        Case("SequenceReverse", [(4, 3)], {}, lambda x: x[::-1], id="whole"),
        Case("SequenceLast", [(4, 3)], {}, lambda x: x[-1], id="whole"),
        Case("SequenceMask", [(4, 3), short], {"use_sequence_length": True}, fails="expected (3,)"),
        Case("SequenceLast", [Spec((0, 3))], {}, fails="have no last one"),
    ]
    return cases


def windows() -> list[Case]:
    def places(spatial: tuple[int, ...], kernel: tuple[int, ...], **options: tuple[int, ...]) -> Array:
        """Flat image index of every (place in the window, window); -1 in the padding."""
        rank = len(kernel)
        stride, dilate = options.get("stride", (1,) * rank), options.get("dilate", (1,) * rank)
        pad = options.get("pad", (0,) * rank)
        flat = np.pad(np.arange(np.prod(spatial)).reshape(spatial), [(p, p) for p in pad], constant_values=-1)
        counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(flat.shape, kernel, stride, dilate)]
        rows = [
            flat[tuple(slice(i * d, i * d + n * s, s) for i, d, n, s in zip(at, dilate, counts, stride))]
            for at in np.ndindex(*kernel)
        ]
        return np.stack([row.reshape(-1) for row in rows])

    def columns(x: Array, kernel: tuple[int, ...], **options: tuple[int, ...]) -> Array:
        at = places(x.shape[2:], kernel, **options)
        found = np.where(at >= 0, x.reshape(*x.shape[:2], -1)[:, :, at], 0)
        return found.reshape(x.shape[0], -1, at.shape[1])

    def image(
        x: Array, output_size: tuple[int, ...], kernel: tuple[int, ...], **options: tuple[int, ...]
    ) -> Array:
        at = places(output_size, kernel, **options)
        out = np.zeros((x.shape[0], x.shape[1] // at.shape[0], int(np.prod(output_size))))
        parts = x.reshape(x.shape[0], -1, *at.shape)
        np.add.at(out, (slice(None), slice(None), at[at >= 0]), parts[:, :, at >= 0])
        return out.reshape(*out.shape[:2], *output_size)

    kinds: list[tuple[tuple[int, ...], dict[str, tuple[int, ...]]]] = [
        ((5,), {"kernel": (3,)}),
        ((4, 5), {"kernel": (2, 3), "stride": (1, 2), "pad": (1, 2)}),
        ((5, 6), {"kernel": (2, 2), "dilate": (2, 3), "stride": (2, 1), "pad": (0, 4)}),
        ((2, 3, 4), {"kernel": (1, 2, 3), "pad": (1, 0, 1)}),
    ]
    cases = []
    for i, (spatial, params) in enumerate(kinds):
        data = (2, 2, *spatial)
        shape = columns(np.zeros(data), **params).shape
        cases.append(Case("im2col", [data], params, columns, dtypes=ALL, id=str(i)))
        back = {"output_size": spatial, **params}
        cases.append(Case("col2im", [shape], back, image, rtol=1e-4, atol=1e-5, id=str(i)))
    cases.append(Case("im2col", [(1, 1, 2, 2)], {"kernel": (3, 3)}, fails="leave no window"))
    cases.append(
        Case("col2im", [(1, 3, 4)], {"output_size": (4,), "kernel": (2,)}, fails="expected (N, C * 2, 3)")
    )
    return cases


CASES = (
    reshaping() + permuting() + repeating() + joining() + padding() + diagonals() + sequences() + windows()
)
