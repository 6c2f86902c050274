"""A worker's script: pushes compressed gradients, and knows what the sums must be.

compression_worker.py PARAMS [WRONG]: the parameters as JSON; with WRONG, worker 1 uses those.
"""

from __future__ import annotations

import json
import sys

import numpy as np

import mixgrad as mx

SHAPES = {"small": (5, 3), "large": (70, 41)}
STEPS, SERVERS = 5, 2


def gradient(name: str, rank: int, step: int) -> np.ndarray:
    random = np.random.default_rng([len(name), rank, step])
    return random.normal(size=SHAPES[name]).astype("float32")


def sums(name: str, workers: int, params: dict[str, object], cuts: list[slice]) -> list[np.ndarray]:
    """What arrives at each step, as the codec of a store of one process has it, for each part."""
    devices = [mx.cpu(i) for i in range(workers)]
    flat = [[gradient(name, rank, step).ravel() for rank in range(workers)] for step in range(STEPS)]
    results = [np.zeros(flat[0][0].size, "float32") for _ in range(STEPS)]
    for cut in cuts:
        store = mx.kv.create("device")
        store.set_gradient_compression(params)
        store.init(name, mx.nd.array(flat[0][0][cut]))
        for step in range(STEPS):
            out = mx.nd.array(flat[0][0][cut])
            store.push(name, [mx.nd.array(g[cut], ctx) for g, ctx in zip(flat[step], devices)])
            store.pull(name, out=out)
            results[step][cut] = out.asnumpy()
    return [result.reshape(SHAPES[name]) for result in results]


def main() -> None:
    params = json.loads(sys.argv[1])
    store = mx.kv.create("dist_sync")
    count, rank = store.num_workers, store.rank
    is_wrong = len(sys.argv) > 2
    store.set_gradient_compression(json.loads(sys.argv[2]) if is_wrong and rank == 1 else params)
    store.init(list(SHAPES), [mx.nd.zeros(shape) for shape in SHAPES.values()])
    out = {name: mx.nd.zeros(shape) for name, shape in SHAPES.items()}
    if is_wrong:
        store.push("small", mx.nd.array(gradient("small", rank, 0)))
        try:
            store.leave()
        except mx.MXNetError as error:
            print(error, flush=True)
        return
    half = (70 * 41 + 1) // 2
    expected = {
        "small": sums("small", count, params, [slice(None)]),
        "large": sums("large", count, params, [slice(0, half), slice(half, None)]),
    }
    for step in range(STEPS):
        for name in SHAPES:
            store.push(name, [mx.nd.array(gradient(name, rank, step))])
            store.pull(name, out=out[name])
        for name in SHAPES:
            np.testing.assert_array_equal(out[name].asnumpy(), expected[name][step], err_msg=name)
    # Whole again; what was kept stays.
    store.set_gradient_compression({"type": "none"})
    store.pushpull("small", mx.nd.ones(SHAPES["small"]), out=out["small"])
    assert (out["small"].asnumpy() == count).all()
    store.init("rows", mx.nd.zeros((4, 2)).tostype("row_sparse"))
    store.set_gradient_compression(params)
    try:
        store.push("rows", mx.nd.ones((4, 2)).tostype("row_sparse"))
    except mx.base.UnsupportedError as error:
        assert "'rows'" in str(error) and "dense float32" in str(error)
    else:
        raise AssertionError("rows were compressed")
    store.barrier()
    print(f"worker {rank} of {count} is content", flush=True)


if __name__ == "__main__":
    main()
