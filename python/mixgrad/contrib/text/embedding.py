"""Vectors of tokens, read from files of text."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Optional, TypeVar, Union

import numpy as np

from ... import _hints, registry
from ... import ndarray as nd
from ...base import MissingFileError, data_dir
from ...ndarray import NDArray
from ._errors import TextError
from ._files import FASTTEXT, GLOVE
from .vocab import UNKNOWN, Vocabulary

__all__ = [
    "CompositeEmbedding",
    "CustomEmbedding",
    "FastText",
    "GloVe",
    "create",
    "get_pretrained_file_names",
    "register",
]

T = TypeVar("T")
Path = Union[str, "os.PathLike[str]"]


def register(embedding_cls: T) -> T:
    """File a class of embeddings under its lower-case name, for :func:`create`."""
    registry.get_register_func(_TokenEmbedding, "token embedding")(embedding_cls)
    return embedding_cls


def create(embedding_name: str, **kwargs: Any) -> _TokenEmbedding:
    """An embedding by its name, such as ``'glove'``, with options of its class."""
    made: _TokenEmbedding = registry.get_create_func(_TokenEmbedding, "token embedding")(
        embedding_name, **kwargs
    )
    return made


def get_pretrained_file_names(embedding_name: Optional[str] = None) -> Any:
    """Names of files of vectors that others have trained.

    Parameters
    ----------
    embedding_name : str, optional
        Whose; without it the names of all, by the names of embeddings.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.contrib.text.embedding.get_pretrained_file_names("glove")[1]
    'glove.6B.50d.txt'
    """
    known = registry.get_registry(_TokenEmbedding)
    if embedding_name is None:
        return {name: list(one.pretrained_files) for name, one in known.items()}
    if embedding_name not in known:
        raise KeyError(f"[get_pretrained_file_names] {embedding_name!r:.60}; expected one of {sorted(known)}")
    return list(known[embedding_name].pretrained_files)


class _TokenEmbedding(Vocabulary):
    """A vector for each token of a vocabulary, or for each that a file has."""

    # Files that others have trained, with the archives that hold them.
    pretrained_files: ClassVar[dict[str, str]] = {}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._vec_len = 0
        self._idx_to_vec: Optional[NDArray] = None

    @property
    def vec_len(self) -> int:
        """The length of a vector."""
        return self._vec_len

    @property
    def idx_to_vec(self) -> Any:
        """The vectors, in the order of the tokens' indices."""
        return self._idx_to_vec

    def _load_embedding(
        self, path: Path, elem_delim: str, init_unknown_vec: Callable[..., Any], encoding: str = "utf8"
    ) -> None:
        path = os.path.expanduser(path)
        if not os.path.isfile(path):
            raise ValueError(f"[embedding] {path!r} is no file; expected one of tokens and their vectors")
        rows, unknown = self._rows(path, elem_delim, encoding)
        if self._vec_len == 0:
            raise TextError(f"[embedding] {path!r} has no vector; expected lines of a token and numbers")
        table = np.zeros((len(self), self._vec_len), np.float32)
        if rows:
            table[-len(rows) :] = rows
        self._idx_to_vec = nd.array(table)
        self._idx_to_vec[UNKNOWN] = (
            init_unknown_vec(shape=self._vec_len) if unknown is None else nd.array(unknown)
        )

    def _rows(
        self, path: str, elem_delim: str, encoding: str
    ) -> tuple[list[Sequence[float]], Optional[Sequence[float]]]:
        """Reads a file; returns the vectors of tokens that were new, and the one of the unknown token."""
        rows: list[Sequence[float]] = []
        unknown: Optional[Sequence[float]] = None
        seen: set[str] = set()
        with open(path, encoding=encoding) as file:
            for number, line in enumerate(file, 1):
                where = f"[embedding] {path!r}, line {number}:"
                token, *elements = line.rstrip().split(elem_delim)
                try:
                    vector = [float(one) for one in elements]
                except ValueError:
                    raise TextError(f"{where} {line.rstrip()!r:.80}; expected a token and numbers") from None
                if not vector:
                    raise TextError(f"{where} {token!r:.80} has no vector; expected numbers after it")
                if token in seen:
                    warnings.warn(f"{where} a second vector of {token!r} is left out", stacklevel=4)
                elif token == self._unknown_token:
                    unknown = vector
                    seen.add(token)
                elif len(vector) == 1:
                    warnings.warn(f"{where} {token!r} with one number is taken as a heading", stacklevel=4)
                else:
                    self._need_length(where, token, len(vector))
                    rows.append(vector)
                    seen.add(token)
                    self._idx_to_token.append(token)
                    self._token_to_idx[token] = len(self._idx_to_token) - 1
        if unknown is not None:
            self._need_length(f"[embedding] {path!r}:", str(self._unknown_token), len(unknown))
        return rows, unknown

    def _need_length(self, where: str, token: str, length: int) -> None:
        self._vec_len = self._vec_len or length
        if length != self._vec_len:
            raise TextError(f"{where} {token!r:.80} has {length} numbers; expected {self._vec_len}")

    def _take(self, vocabulary: Vocabulary, parts: Sequence[_TokenEmbedding]) -> None:
        """Has the tokens of a vocabulary from now on, with the vectors that the parts have for them."""
        if not isinstance(vocabulary, Vocabulary):
            raise TextError(f"[embedding] vocabulary is {type(vocabulary).__name__}; expected Vocabulary")
        tokens = list(vocabulary.idx_to_token)
        columns = [
            nd.concat(part.idx_to_vec[0:1], part.get_vecs_by_tokens(tokens[1:]), dim=0)
            if tokens[1:]
            else part.idx_to_vec[0:1]
            for part in parts
        ]
        self._idx_to_vec = nd.concat(*columns, dim=1)
        self._vec_len = sum(part.vec_len for part in parts)
        self._idx_to_token, self._token_to_idx = tokens, dict(vocabulary.token_to_idx)
        self._unknown_token = vocabulary.unknown_token
        reserved = vocabulary.reserved_tokens
        self._reserved_tokens = None if reserved is None else list(reserved)

    def get_vecs_by_tokens(self, tokens: Any, lower_case_backup: bool = False) -> NDArray:
        """The vector of a token, or those of a list as rows; unknown tokens have the one of index 0.

        Parameters
        ----------
        tokens : str or list of str
            The tokens.
        lower_case_backup : bool
            Whether a token that has no vector is looked up in small letters.
        """
        several = isinstance(tokens, list)
        places = []
        for token in tokens if several else [tokens]:
            if lower_case_backup and token not in self._token_to_idx:
                token = token.lower()
            places.append(self._token_to_idx.get(token, UNKNOWN))
        vectors: NDArray = nd.take(self.idx_to_vec, nd.array(places, dtype="int64"), axis=0)
        return vectors if several else vectors[0]

    def update_token_vectors(self, tokens: Any, new_vectors: NDArray) -> None:
        """Give tokens other vectors.

        Parameters
        ----------
        tokens : str or list of str
            Tokens that have an index; the unknown token changes the vector of all that have none.
        new_vectors : NDArray
            A row for each; for one token also its vector alone.
        """
        several = tokens if isinstance(tokens, list) else [tokens]
        if not isinstance(new_vectors, NDArray):
            raise TextError(
                f"[update_token_vectors] new_vectors is {type(new_vectors).__name__}; expected NDArray"
            )
        rows = new_vectors.reshape((1, -1)) if len(several) == 1 and new_vectors.ndim == 1 else new_vectors
        if rows.shape != (len(several), self._vec_len):
            raise TextError(
                f"[update_token_vectors] new_vectors has the shape {new_vectors.shape}; expected "
                f"{(len(several), self._vec_len)}"
            )
        for token in several:
            if token not in self._token_to_idx:
                raise ValueError(
                    f"[update_token_vectors] {token!r:.60} has no index; expected known tokens, or "
                    f"{self._unknown_token!r} for the vector of unknown ones"
                )
        for place, token in enumerate(several):
            self.idx_to_vec[self._token_to_idx[token]] = rows[place]

    def _from_pretrained(
        self,
        pretrained_file_name: str,
        embedding_root: Optional[Path],
        init_unknown_vec: Callable[..., Any],
        vocabulary: Optional[Vocabulary],
    ) -> None:
        """Reads a file that others have trained, from the folder where it was put."""
        kind = type(self).__name__
        if pretrained_file_name not in self.pretrained_files:
            raise KeyError(
                f"[{kind}] no file is called {pretrained_file_name!r:.60}"
                f"{_hints.near(pretrained_file_name, self.pretrained_files)}; get_pretrained_file_names"
                " lists them"
            )
        root = os.path.join(data_dir(), "embeddings") if embedding_root is None else embedding_root
        path = os.path.join(os.path.expanduser(root), kind.lower(), pretrained_file_name)
        if not os.path.isfile(path):
            raise MissingFileError(
                f"[{kind}] {path!r} is not there, and mixgrad downloads nothing; expected the file of the "
                f"archive {self.pretrained_files[pretrained_file_name]!r} at that place"
            )
        self._load_embedding(path, " ", init_unknown_vec)
        if vocabulary is not None:
            self._take(vocabulary, [self])


@register
class GloVe(_TokenEmbedding):
    """GloVe vectors (Pennington et al., 2014), from a file that lies in a folder: nothing is downloaded.

    Parameters
    ----------
    pretrained_file_name : str
        One of :func:`get_pretrained_file_names`.
    embedding_root : str, optional
        A folder whose folder ``glove`` has the file; by default ``embeddings`` in ``mx.base.data_dir()``.
    init_unknown_vec : function
        Makes the vector of unknown tokens where the file has none.
    vocabulary : Vocabulary, optional
        The tokens to have; all of the file by default.
    """

    pretrained_files = GLOVE

    def __init__(
        self,
        pretrained_file_name: str = "glove.840B.300d.txt",
        embedding_root: Optional[Path] = None,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Optional[Vocabulary] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._from_pretrained(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary)


@register
class FastText(_TokenEmbedding):
    """fastText vectors (Bojanowski et al., 2017), from a file that lies in a folder: nothing is downloaded.

    Parameters
    ----------
    pretrained_file_name : str
        One of :func:`get_pretrained_file_names`.
    embedding_root : str, optional
        A folder whose folder ``fasttext`` has the file; by default ``embeddings`` in ``mx.base.data_dir()``.
    init_unknown_vec : function
        Makes the vector of unknown tokens where the file has none.
    vocabulary : Vocabulary, optional
        The tokens to have; all of the file by default.
    """

    pretrained_files = FASTTEXT

    def __init__(
        self,
        pretrained_file_name: str = "wiki.simple.vec",
        embedding_root: Optional[Path] = None,
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Optional[Vocabulary] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._from_pretrained(pretrained_file_name, embedding_root, init_unknown_vec, vocabulary)


class CustomEmbedding(_TokenEmbedding):
    """Vectors from a file: a token and its numbers in each line.

    Parameters
    ----------
    pretrained_file_path : str
        The file.
    elem_delim : str
        What stands between the token and its numbers.
    encoding : str
        The encoding of the file.
    init_unknown_vec : function
        Makes the vector of unknown tokens where the file has none.
    vocabulary : Vocabulary, optional
        The tokens to have; all of the file by default.
    """

    def __init__(
        self,
        pretrained_file_path: Path,
        elem_delim: str = " ",
        encoding: str = "utf8",
        init_unknown_vec: Callable[..., Any] = nd.zeros,
        vocabulary: Optional[Vocabulary] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._load_embedding(pretrained_file_path, elem_delim, init_unknown_vec, encoding)
        if vocabulary is not None:
            self._take(vocabulary, [self])


class CompositeEmbedding(_TokenEmbedding):
    """The vectors of several embeddings, one after the other, for the tokens of a vocabulary.

    Parameters
    ----------
    vocabulary : Vocabulary
        The tokens.
    token_embeddings : embedding or list of them
        Where the vectors come from.
    """

    def __init__(self, vocabulary: Vocabulary, token_embeddings: Any) -> None:
        super().__init__()
        parts = token_embeddings if isinstance(token_embeddings, list) else [token_embeddings]
        if not parts or not all(isinstance(one, _TokenEmbedding) for one in parts):
            raise TextError(
                f"[CompositeEmbedding] token_embeddings is {token_embeddings!r:.60}; expected embeddings"
            )
        self._take(vocabulary, parts)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
