"""Sentences as batches of lengths (``mx.rnn.io``)."""

from typing import TYPE_CHECKING

from .. import _hints
from ..io import DataBatch, DataDesc, DataIter
from .sentences import BucketSentenceIter, encode_sentences

__all__ = ["BucketSentenceIter", "DataBatch", "DataDesc", "DataIter", "encode_sentences"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
