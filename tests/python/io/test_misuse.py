"""Options of iterators that are of the wrong kind: each is an error that names iterator and option."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, pack_img

NAN = float("nan")


class Odd:
    def __repr__(self) -> str:
        return "Odd()"


def numbers(folder: Path, **options: Any) -> Any:
    return mx.io.NDArrayIter(np.zeros((6, 2)), np.zeros(6), **{"batch_size": 2, **options})


def digits(folder: Path, **options: Any) -> Any:
    images, labels = folder / "images", folder / "labels"
    images.write_bytes(bytes([0, 0, 8, 3, *[0, 0, 0, 2] * 3, *range(8)]))
    labels.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 3]))
    return mx.io.MNISTIter(image=images, label=labels, **{"batch_size": 1, **options})


def tokens(folder: Path, **options: Any) -> Any:
    np.arange(40, dtype="uint16").tofile(folder / "plain.bin")
    given = {"files": folder / "plain.bin", "batch_size": 2, "length": 4, "token_dtype": "uint16"}
    return mx.io.TokenIter(**{**given, **options})


def examples(folder: Path, **options: Any) -> Any:
    return mx.io.IterableIter(**{"source": [{"x": 1.0, "y": 2.0}] * 6, "batch_size": 2, **options})


def sentences(folder: Path, **options: Any) -> Any:
    given = {"sentences": [[1, 2, 3]] * 9, "batch_size": 2, "buckets": [5]}
    return mx.rnn.BucketSentenceIter(**{**given, **options})


def resized(folder: Path, **options: Any) -> Any:
    return mx.io.ResizeIter(**{"data_iter": numbers(folder), "size": 2, **options})


def prefetched(folder: Path, **options: Any) -> Any:
    return mx.io.PrefetchingIter(**{"iters": numbers(folder), **options})


def pictures(folder: Path, **options: Any) -> Any:
    path, index = folder / "some.rec", folder / "some.idx"
    with MXIndexedRecordIO(index, path, "w") as record:
        for i in range(4):
            label = [2, 5, 0, 0.1, 0.1, 0.5, 0.5] if options.get("boxes") else float(i)
            picture = np.full((12, 12, 3), i * 20, np.uint8)
            record.write_idx(i, pack_img(IRHeader(0, label, i, 0), picture, img_fmt=".png"))
    kind = mx.image.ImageDetIter if options.pop("boxes", False) else mx.image.ImageIter
    given = {"batch_size": 2, "data_shape": (3, 8, 8), "path_imgrec": path, "path_imgidx": index}
    return kind(**{**given, **options})


def boxes(folder: Path, **options: Any) -> Any:
    return pictures(folder, boxes=True, **options)


WRONG: list[tuple[Callable[..., Any], dict[str, Any], str]] = [
    (numbers, {"layout": None}, r"\[NDArrayIter\] layout is None; expected text"),
    (numbers, {"data_name": []}, r"\[NDArrayIter\] data_name is \[\]"),
    (numbers, {"label_name": {}}, r"\[NDArrayIter\] label_name is {}"),
    (numbers, {"shuffle": np.zeros(3)}, r"\[NDArrayIter\] shuffle is "),
    (numbers, {"last_batch_handle": "keep"}, r"last_batch_handle is 'keep'; expected 'pad' or 'discard'"),
    (numbers, {"no_such": 1}, r"\[NDArrayIter\] .*no_such"),
    (digits, {"batch_size": None}, r"\[MNISTIter\] batch_size is NoneType"),
    (digits, {"batch_size": "two"}, r"\[MNISTIter\] batch_size is str"),
    (digits, {"flat": np.zeros(3)}, r"\[MNISTIter\] flat is "),
    (tokens, {"files": None}, r"\[TokenFile\] path is NoneType"),
    (tokens, {"length": 2**70}, r"\[TokenIter\] length is 1180591620717411303424; .* at most"),
    (tokens, {"fill": "text"}, r"\[TokenIter\] fill is 'text'"),
    (tokens, {"fill_label": 2**31}, r"\[TokenIter\] fill_label is 2147483648; int32 holds -2147483648 to"),
    (tokens, {"dtype": Odd()}, r"\[TokenIter\] dtype is Odd\(\)"),
    (tokens, {"data_name": []}, r"\[TokenIter\] data_name is \[\]"),
    (tokens, {"by": "word"}, r"\[TokenIter\] by is 'word'; expected 'position' or 'document'"),
    (tokens, {"no_such": 1}, r"\[TokenIter\] .*no_such"),
    (examples, {"dtype": "text"}, r"\[IterableIter\] dtype is 'text'"),
    (examples, {"timeout": Odd()}, r"\[IterableIter\] timeout is Odd\(\)"),
    (examples, {"timeout": 2**70}, r"\[IterableIter\] timeout is "),
    (examples, {"data": 1.5}, r"\[IterableIter\] data is float"),
    (examples, {"label": Odd()}, r"\[IterableIter\] .*label is Odd"),
    (examples, {"source": object}, r"\[IterableIter\] .* gives object"),
    (examples, {"no_such": 1}, r"\[IterableIter\] .*no_such"),
    (sentences, {"sentences": None}, r"\[BucketSentenceIter\] sentences is NoneType"),
    (sentences, {"sentences": ["text"]}, r"\[BucketSentenceIter\] sentence 0 is str"),
    (sentences, {"sentences": [["a"]]}, r"\[BucketSentenceIter\] a sentence is \['a'\]"),
    (sentences, {"buckets": "text"}, r"\[BucketSentenceIter\] buckets is 'text'"),
    (sentences, {"buckets": [2.5]}, r"\[BucketSentenceIter\] buckets holds 2.5"),
    (sentences, {"dtype": -1}, r"\[BucketSentenceIter\] dtype is -1"),
    (sentences, {"invalid_label": "text"}, r"\[BucketSentenceIter\] invalid_label is "),
    (sentences, {"batch_size": None}, r"\[BucketSentenceIter\] batch_size is NoneType"),
    (sentences, {"no_such": 1}, r"\[BucketSentenceIter\] .*no_such"),
    (resized, {"size": "2"}, r"\[ResizeIter\] size is str"),
    (resized, {"no_such": 1}, r"\[ResizeIter\] .*no_such"),
    (prefetched, {"rename_data": 5}, r"\[PrefetchingIter\] rename_data is 5"),
    (prefetched, {"no_such": 1}, r"\[PrefetchingIter\] .*no_such"),
    (pictures, {"label_width": 2**31}, r"\[ImageIter\] label_width is 2147483648; .* at most 1048576"),
    (pictures, {"resize": None}, r"\[CreateAugmenter\] resize is NoneType"),
    (pictures, {"hue": "text"}, r"\[CreateAugmenter\] hue is str"),
    (pictures, {"brightness": NAN}, r"\[CreateAugmenter\] brightness is nan"),
    (pictures, {"shuffle": np.zeros(3)}, r"\[ImageIter\] shuffle is "),
    (pictures, {"no_such": 1}, r"\[CreateAugmenter\] .*no_such"),
    (boxes, {"data_shape": None}, r"data_shape is None"),
    (boxes, {"rand_crop": None}, r"\[CreateDetAugmenter\] rand_crop is NoneType"),
    (boxes, {"rand_pad": NAN}, r"\[CreateDetAugmenter\] rand_pad is nan"),
    (boxes, {"rand_pad": 1, "area_range": (1, 1e9)}, r"\[DetRandomPadAug\] area_range .* at most 256"),
    (boxes, {"rand_crop": 1, "area_range": (1, NAN)}, r"\[DetRandomCropAug\] area_range is nan"),
    (boxes, {"rand_crop": 1, "max_attempts": 10**9}, r"\[DetRandomCropAug\] max_attempts is 1000000000"),
    (boxes, {"no_such": 1}, r"\[CreateDetAugmenter\] .*no_such"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_options_of_the_wrong_kind(tmp_path: Path, number: int) -> None:
    make, options, message = WRONG[number]
    with pytest.raises((mx.MXNetError, TypeError, ValueError)) as caught:
        for _ in make(tmp_path, **options):
            pass
    assert str(caught.value).startswith("["), str(caught.value)
    assert re.search(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    "make",
    [
        mx.image.BrightnessJitterAug,
        mx.image.ContrastJitterAug,
        mx.image.SaturationJitterAug,
        mx.image.HueJitterAug,
        lambda bad: mx.image.ColorJitterAug(0.1, bad, 0.1),
        lambda bad: mx.image.LightingAug(bad, np.ones(3), np.ones((3, 3))),
        lambda bad: mx.image.LightingAug(0.1, np.array([1, bad, 1]), np.ones((3, 3))),
        lambda bad: mx.image.ColorNormalizeAug(np.array([1, bad, 1]), None),
        mx.image.RandomGrayAug,
        mx.image.HorizontalFlipAug,
        mx.image.DetHorizontalFlipAug,
    ],
)
def test_augmenters_of_no_number(make: Callable[[float], Any]) -> None:
    make(0.5)
    for bad in (NAN, float("inf")):
        with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[\w+Aug\] .*(nan|inf).*; expected "):
            make(bad)


@pytest.mark.parametrize(
    ("made", "here", "difference"),
    [
        ({"shuffle": True, "seed": 1}, {}, "shuffle True; this iterator has False"),
        ({"shuffle": True}, {"shuffle": True, "seed": 2}, "seed None; this iterator has 2"),
        ({"last_batch_handle": "discard"}, {}, "last_batch_handle 'discard'; this iterator has 'pad'"),
    ],
)
def test_positions_of_other_configurations(
    tmp_path: Path, made: dict[str, Any], here: dict[str, Any], difference: str
) -> None:
    for make in (numbers, pictures):
        if make is pictures and "seed" in {**made, **here}:
            continue
        state = make(tmp_path, **made).state_dict()
        make(tmp_path, **made).load_state_dict(state)
        with pytest.raises(mx.base.InvalidArgumentError, match="the state has " + difference):
            make(tmp_path, **here).load_state_dict(state)


def test_row_groups_are_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    from mixgrad.io.tables import parquet as reader

    path, rows = tmp_path / "rows.parquet", 1000
    table = arrow.table({"x": [[float(i), i + 0.5] for i in range(rows)], "y": list(range(rows))})
    parquet.write_table(table, path, row_group_size=700)
    taken: list[int] = []
    original = reader._Reader._block

    def noted(self: Any, number: int, piece: Any) -> Any:
        taken.append(piece.num_rows)
        return original(self, number, piece)

    monkeypatch.setattr(reader, "_PIECE_ROWS", 64)
    monkeypatch.setattr(reader._Reader, "_block", noted)
    for part in range(3):
        batches = mx.io.ParquetIter(
            path, "x", "y", 50, num_parts=3, part_index=part, last_batch_handle="discard"
        )
        labels = [int(label) for batch in batches for label in batch.label[0].asnumpy()]
        assert labels == list(range(rows * part // 3, rows * part // 3 + len(labels))) and len(labels) >= 300
    assert max(taken) == 64
    state = batches.state_dict()
    again = mx.io.ParquetIter(path, "x", "y", 50, num_parts=3, part_index=2, last_batch_handle="discard")
    again.load_state_dict(state)
    monkeypatch.setattr(reader, "_MOST_GROUP_BYTES", 100)
    with pytest.raises(mx.base.UnsupportedError, match=r"row group 0 of .* at most 100 are read"):
        mx.io.ParquetIter(path, "x", "y", 50, shuffle=True)


def test_numbers_and_shapes_as_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2,3,4\n5,6,7,8\n")
    table = mx.io.CSVIter(data_csv=tmp_path / "a.csv", data_shape="(2,2)", batch_size="2")
    assert table.provide_data[0].shape == (2, 2, 2) and table.next().data[0].asnumpy()[1, 1, 1] == 8
    pictures(tmp_path)
    records = mx.io.ImageRecordIter(tmp_path / "some.rec", "(3,8,8)", "2", shuffle="False")
    assert records.provide_data[0].shape == (2, 3, 8, 8) and records.next().index.tolist() == [0, 1]
    state = records.state_dict()
    mx.io.ImageRecordIter(tmp_path / "some.rec", (3, 8, 8), 2).load_state_dict(state)
