"""Whether iterators go on from where others stood."""

from __future__ import annotations

import json
import random
from typing import Any, Callable, Optional

import numpy as np

Batch = tuple[Any, Any, Optional[int]]
PASSES = 3


def content(batch: Any) -> Batch:
    return (
        [array.asnumpy().tolist() for array in batch.data],
        [array.asnumpy().tolist() for array in batch.label or []],
        batch.pad,
    )


def goes_on_everywhere(make: Callable[[], Any]) -> None:
    """Take the state before each batch of some passes; a new iterator goes on from each of them."""
    np.random.seed(3)  # noqa: NPY002
    random.seed(3)
    it = make()
    passes = []
    for _ in range(PASSES):
        states, batches = [], []
        while True:
            states.append(json.loads(json.dumps(it.state_dict())))
            try:
                batches.append(content(it.next()))
            except StopIteration:
                break
        passes.append((states, batches))
        it.reset()
    assert sum(len(batches) for _, batches in passes) >= PASSES
    for states, batches in passes:
        for place, state in enumerate(states):
            other = make()
            other.load_state_dict(state)
            assert [content(batch) for batch in other] == batches[place:]
