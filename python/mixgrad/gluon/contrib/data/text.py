"""Texts for language models from local files (``gluon.contrib.data.text``); nothing is downloaded."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .... import _hints
from .... import ndarray as nd
from ...._base_names import data_dir
from ...._files import PathLike, read_file
from ....base import FileFormatError, MissingFileError, UnknownWordError, whole
from ....contrib.text.utils import count_tokens_from_str
from ....contrib.text.vocab import Vocabulary
from ...data.dataset import Dataset
from ._constants import EOS_TOKEN

__all__ = ["WikiText2", "WikiText103"]

_FILES = {"train": "wiki.train.tokens", "validation": "wiki.valid.tokens", "test": "wiki.test.tokens"}


class _WikiText(Dataset):
    """A text as rows of ``seq_len`` numbers of words; labels are the words that follow."""

    _folder = ""
    _archive = ""

    def __init__(
        self, root: Optional[PathLike], segment: str, vocab: Optional[Vocabulary], seq_len: int
    ) -> None:
        who = type(self).__name__
        if segment not in _FILES:
            raise UnknownWordError(f"[{who}] segment is {segment!r:.40}; expected one of {', '.join(_FILES)}")
        folder = os.path.join(data_dir(), "datasets", self._folder) if root is None else os.fsdecode(root)
        self._root = os.path.expanduser(folder)
        self._segment, self._vocab = segment, vocab
        self._seq_len = whole(seq_len, who, "seq_len", 1, 2**31 - 1)
        words = self._words(self._found(_FILES[segment], who), who)
        numbers = np.array(self.vocabulary.to_indices(words), np.int32)
        rows = (len(numbers) - 1) // self._seq_len
        self._data, self._label = (
            nd.array(numbers[start : start + rows * self._seq_len], dtype="int32").reshape(
                (rows, self._seq_len)
            )
            for start in (0, 1)
        )

    def _found(self, name: str, who: str) -> str:
        for path in (name, os.path.join(self._archive[: -len("-v1.zip")], name)):
            path = os.path.join(self._root, path)
            if os.path.exists(path):
                return path
        raise MissingFileError(
            f"[{who}] {self._root!r} has no file {name!r}, and mixgrad downloads nothing; expected the "
            f"files of the archive {self._archive}"
        )

    def _words(self, path: str, who: str) -> list[str]:
        try:
            text = read_file(path, who).decode("utf-8")
        except UnicodeDecodeError as error:
            raise FileFormatError(f"[{who}] {path!r} is no text: {error}") from None
        self._counter: Counter[str] = count_tokens_from_str(text)
        if self._vocab is None:
            self._vocab = Vocabulary(self._counter, reserved_tokens=[EOS_TOKEN])
        words: list[str] = []
        for line in text.splitlines():
            found = line.split()
            if found:
                words += [*found, EOS_TOKEN]
        return words

    @property
    def vocabulary(self) -> Vocabulary:
        """Numbers of words; the end of a line is ``<eos>``."""
        assert self._vocab is not None
        return self._vocab

    @property
    def frequencies(self) -> Counter[str]:
        """How often each word is in the file."""
        return self._counter

    def __getitem__(self, idx: Any) -> Any:
        return self._data[idx], self._label[idx]

    def __len__(self) -> int:
        return len(self._label)


class WikiText2(_WikiText):
    """WikiText-2 (Merity et al. 2016) from its files in a folder; nothing is downloaded.

    An example is a row of ``seq_len`` numbers of words and a row of the words that follow, NDArrays of int32.

    Parameters
    ----------
    root : path, optional
        The folder of ``wiki.train.tokens``, ``wiki.valid.tokens`` and ``wiki.test.tokens``; by default
        ``datasets/wikitext-2`` in ``mx.base.data_dir()``.
    segment : {'train', 'validation', 'test'}
        Which file.
    vocab : Vocabulary, optional
        Numbers of words; made of the file by default.
    seq_len : int
        Words of an example.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> root = tempfile.mkdtemp()
    >>> _ = open(os.path.join(root, "wiki.test.tokens"), "w").write("a b a\\nb a a\\n")
    >>> text = mx.gluon.contrib.data.text.WikiText2(root, segment="test", seq_len=3)
    >>> data, label = text[1]
    >>> len(text), text.vocabulary.to_tokens(data.asnumpy().tolist()), text.frequencies["a"]
    (2, ['<eos>', 'b', 'a'], 4)
    """

    _folder, _archive = "wikitext-2", "wikitext-2-v1.zip"

    def __init__(
        self,
        root: Optional[PathLike] = None,
        segment: str = "train",
        vocab: Optional[Vocabulary] = None,
        seq_len: int = 35,
    ) -> None:
        super().__init__(root, segment, vocab, seq_len)


class WikiText103(_WikiText):
    """WikiText-103 (Merity et al. 2016) from its files in a folder, as :class:`WikiText2`.

    Parameters
    ----------
    root : path, optional
        The folder; by default ``datasets/wikitext-103`` in ``mx.base.data_dir()``.
    segment : {'train', 'validation', 'test'}
        Which file.
    vocab : Vocabulary, optional
        Numbers of words; made of the file by default.
    seq_len : int
        Words of an example.
    """

    _folder, _archive = "wikitext-103", "wikitext-103-v1.zip"

    def __init__(
        self,
        root: Optional[PathLike] = None,
        segment: str = "train",
        vocab: Optional[Vocabulary] = None,
        seq_len: int = 35,
    ) -> None:
        super().__init__(root, segment, vocab, seq_len)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
