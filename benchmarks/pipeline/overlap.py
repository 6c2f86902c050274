"""Time of a training step of ResNet-18 on batches of a record file and on one batch in memory, in turn.

    python benchmarks/pipeline/make_pictures.py FOLDER
    python benchmarks/pipeline/overlap.py FOLDER [--batch 16] [--steps 6] [--rounds 3]

Both train the same module on 224 x 224 pictures. The pipeline reads, decodes, cuts and normalises the next
batches while a step runs; on a processor it does so on the cores that train.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import mixgrad as mx


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--steps", type=int, default=6, help="steps in a measurement")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    batches = mx.io.ImageRecordIter(
        path_imgrec=f"{options.folder}/small.rec",
        data_shape=(3, 224, 224),
        batch_size=options.batch,
        resize=256,
        rand_crop=True,
        rand_mirror=True,
        mean_r=123.68,
        mean_g=116.28,
        mean_b=103.53,
        std_r=58.395,
        std_g=57.12,
        std_b=57.375,
    )
    module = mx.mod.Module(mx.models.resnet(18))
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer_params={"learning_rate": 0.01, "momentum": 0.9})
    held = batches.next()

    def step(batch: Any) -> None:
        module.forward_backward(batch)
        module.update()

    def measure(take: Callable[[], Any]) -> float:
        step(take())
        mx.nd.waitall()
        begin = time.perf_counter()
        for _ in range(options.steps):
            step(take())
        mx.nd.waitall()
        return (time.perf_counter() - begin) / int(options.steps)

    # The pipeline reads ahead at any time; the step on one batch is measured while its buffers are full.
    times: dict[str, list[float]] = {"memory": [], "pipeline": []}
    for _ in range(options.rounds):
        time.sleep(1)
        times["memory"].append(measure(lambda: held))
        times["pipeline"].append(measure(batches.next))
    memory, pipeline = (statistics.median(times[name]) for name in ("memory", "pipeline"))
    print(f"step on a batch in memory {memory * 1e3:.0f} ms, on batches of the file {pipeline * 1e3:.0f} ms")
    print(f"ratio {pipeline / memory:.3f}")


if __name__ == "__main__":
    main()
