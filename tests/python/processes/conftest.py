"""Nothing of shared memory stays behind a test."""

import gc
import os

import pytest
from process_work import segments

import mixgrad as mx


@pytest.fixture
def nothing_stays():
    gc.collect()
    named, before = set(os.listdir("/dev/shm")), len(segments())
    yield
    mx.nd.waitall()
    gc.collect()
    assert len(segments()) <= before
    assert not [name for name in set(os.listdir("/dev/shm")) - named if "mixgrad" in name]
