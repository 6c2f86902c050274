"""A worker's script: what a distributed store must do, in numbers that follow from the number of workers."""

from __future__ import annotations

import sys

import numpy as np

import mixgrad as mx

RATE, TIMES = 2.0, 4
SMALL, LARGE, ROWS = (3, 3), (700, 300), (50, 4)


def expect(array: mx.nd.NDArray, wanted: object) -> None:
    np.testing.assert_array_equal(array.asnumpy(), np.broadcast_to(np.asarray(wanted), array.shape))


def main() -> None:
    kind = sys.argv[1]
    store = mx.kv.create(kind)
    count, rank = store.num_workers, store.rank
    assert store.type == kind
    ones = {name: mx.nd.ones(shape, dtype=dtype) for name, shape, dtype in KEYS}
    # The first value is that of rank 0, whatever others say.
    store.init(list(ones), [value * (1 if rank == 0 else 99) for value in ones.values()])
    out = {name: mx.nd.zeros(value.shape, dtype=value.dtype) for name, value in ones.items()}
    store.pull(list(out), out=list(out.values()))
    for array in out.values():
        expect(array, 1)
    store.barrier()
    # Without an optimiser the sum takes the value's place.
    total = sum(range(1, count + 1))
    store.push("small", [ones["small"] * rank, ones["small"]])  # two devices
    store.pull("small", out=out["small"])
    if kind == "dist_sync":
        expect(out["small"], total)
    store.barrier()
    store.init("more", mx.nd.ones(SMALL))
    store.set_optimizer(mx.optimizer.create("test", rescale_grad=RATE))
    for _ in range(TIMES):
        for name in ("large", "half", "double"):
            store.push(name, ones[name] * (rank + 1), priority=-1)
        store.push("more", [ones["small"] * (rank + 1)] * 3)
    if kind == "dist_async":
        store.barrier()
    for name, devices in (("large", 1), ("half", 1), ("double", 1)):
        store.pull(name, out=out[name])
        expect(out[name], 1 + TIMES * devices * total * RATE)
    several = [mx.nd.zeros(SMALL), mx.nd.zeros(SMALL, dtype="float16"), mx.nd.zeros(SMALL, mx.cpu(1))]
    store.pull("more", out=several)
    for array in several:
        expect(array, 1 + TIMES * 3 * total * RATE)
    store.barrier()
    result = mx.nd.zeros(SMALL)
    store.pushpull("more", ones["small"], out=result)
    if kind == "dist_sync":
        expect(result, 1 + TIMES * 3 * total * RATE + count * RATE)

    # Rows: each worker has one of its own, and all have the first.
    store.set_optimizer(mx.optimizer.SGD(learning_rate=1, rescale_grad=-RATE))
    store.init("rows", mx.nd.zeros(ROWS).tostype("row_sparse"))
    mine = mx.nd.sparse.row_sparse_array((np.ones((2, 4)), [0, 1 + rank]), shape=ROWS)
    store.push("rows", mine)
    if kind == "dist_async":
        store.barrier()
    rows = mx.nd.sparse.zeros("row_sparse", ROWS)
    store.row_sparse_pull("rows", out=rows, row_ids=mx.nd.array([0, 1, count, 49]))
    assert rows.indices.asnumpy().tolist() == sorted({0, 1, count, 49})
    wanted = np.zeros(ROWS, "float32")
    wanted[0] = count * RATE
    wanted[1 : count + 1] = RATE
    wanted[2:count] = 0  # not asked for
    expect(rows, wanted)

    try:
        store.push("large", mx.nd.ones((2, 2)))
    except ValueError as error:
        assert "large" in str(error) and "(700, 300)" in str(error)
    else:
        raise AssertionError("a wrong shape was taken")
    store.barrier()
    print(f"worker {rank} of {count} is content", flush=True)


KEYS = [
    ("small", SMALL, "float32"),
    ("large", LARGE, "float32"),
    ("half", SMALL, "float16"),
    ("double", (5,), "float64"),
]

if __name__ == "__main__":
    main()
