"""LSTM layers in 8 bits give what real MXNet 1.9.1 gave."""

from __future__ import annotations

import numpy as np
import pytest
from parity.quantized_rnn import CALLS, FILE, answer

import mixgrad as mx


@pytest.mark.parametrize("which", range(len(CALLS)))
def test_as_mxnet(which: int) -> None:
    with np.load(FILE) as answers:
        for k, out in enumerate(answer(mx, CALLS[which])):
            np.testing.assert_allclose(out, answers[f"{which}/{k}"], rtol=1e-5, atol=1e-6)
