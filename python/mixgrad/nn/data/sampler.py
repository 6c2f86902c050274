"""Samplers: in which order examples come, and which of them make a batch."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence, Sized
from typing import Any, Optional, Union

import numpy as np

from ... import gluon
from ... import random as _random
from ...base import InvalidArgumentError, RefusedKindError

__all__ = [
    "BatchSampler",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "Source",
    "SubsetRandomSampler",
    "WeightedRandomSampler",
    "generator_of",
    "lasting",
]

Sampler = gluon.data.Sampler

# Where chance comes from: a generator, a seed, or the program's seeds.
Source = Union[np.random.Generator, np.random.RandomState, int, None]


def generator_of(source: Source) -> np.random.Generator:
    """The generator of one pass.

    Parameters
    ----------
    source : numpy.random.Generator, numpy.random.RandomState or int, optional
        None: seeded by ``mx.random.seed`` where the program calls it, else by NumPy's global generator.
    """
    if isinstance(source, np.random.Generator):
        return source
    if isinstance(source, np.random.RandomState):
        return np.random.default_rng(source.randint(2**31))
    if isinstance(source, (int, np.integer)) and not isinstance(source, bool):
        return np.random.default_rng(int(source))
    if source is not None:
        raise TypeError(
            f"[data] generator is {type(source).__name__}; expected a numpy.random.Generator, or a seed"
        )
    if _random.is_seeded():
        return np.random.default_rng(_random.draw_seed())
    return np.random.default_rng(np.random.randint(2**31))  # noqa: NPY002


def lasting(source: Source) -> Source:
    """A seed as a generator that goes on from pass to pass; others as they are."""
    return source if source is None or isinstance(source, np.random.RandomState) else generator_of(source)


def _positive(value: Any, who: str, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value <= 0:
        raise InvalidArgumentError(f"[{who}] {what} is {value!r:.60}; expected a whole number above 0")
    return int(value)


def _flag(value: Any, who: str, what: str) -> bool:
    if not isinstance(value, bool):
        raise RefusedKindError(f"[{who}] {what} is {value!r:.60}; expected True or False")
    return value


class SequentialSampler(Sampler):
    """Positions of a dataset in their order.

    Parameters
    ----------
    data_source : Dataset
        Anything with a length.
    """

    def __init__(self, data_source: Sized) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Positions of a dataset, in another order for every pass.

    Parameters
    ----------
    data_source : Dataset
        Anything with a length.
    replacement : bool
        Whether a position may come twice before all have come.
    num_samples : int, optional
        Positions of a pass; by default as many as there are.
    generator : numpy.random.Generator or int, optional
        Or a seed; by default the program's seeds (``mx.random.seed``, else NumPy's).
    """

    def __init__(
        self,
        data_source: Sized,
        replacement: bool = False,
        num_samples: Optional[int] = None,
        generator: Source = None,
    ) -> None:
        self.data_source = data_source
        self.replacement = _flag(replacement, "RandomSampler", "replacement")
        self._num_samples = num_samples
        self.generator = lasting(generator)
        _positive(self.num_samples, "RandomSampler", "num_samples")

    @property
    def num_samples(self) -> int:
        """Positions of a pass."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count, random = len(self.data_source), generator_of(self.generator)
        if self.replacement:
            return iter(random.integers(count, size=self.num_samples).tolist())
        orders = (random.permutation(count).tolist() for _ in itertools.count())
        return itertools.islice(itertools.chain.from_iterable(orders), self.num_samples)

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """These positions, in another order for every pass.

    Parameters
    ----------
    indices : sequence of int
        The positions.
    generator : numpy.random.Generator or int, optional
        As of :class:`RandomSampler`.
    """

    def __init__(self, indices: Sequence[int], generator: Source = None) -> None:
        self.indices, self.generator = indices, lasting(generator)

    def __iter__(self) -> Iterator[int]:
        order = generator_of(self.generator).permutation(len(self.indices)).tolist()
        return (self.indices[place] for place in order)

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Positions drawn with given probabilities.

    Parameters
    ----------
    weights : sequence of float
        Of each position, at least 0; their sum need not be 1.
    num_samples : int
        How many are drawn.
    replacement : bool
        Whether a position may come twice.
    generator : numpy.random.Generator or int, optional
        As of :class:`RandomSampler`.
    """

    def __init__(
        self, weights: Any, num_samples: int, replacement: bool = True, generator: Source = None
    ) -> None:
        who = "WeightedRandomSampler"
        self.num_samples = _positive(num_samples, who, "num_samples")
        self.replacement = _flag(replacement, who, "replacement")
        self.weights = np.asarray(
            weights.asnumpy() if hasattr(weights, "asnumpy") else weights, dtype=np.float64
        )
        if self.weights.ndim != 1:
            raise InvalidArgumentError(
                f"[{who}] weights have the shape {self.weights.shape}; expected one axis"
            )
        if not np.isfinite(self.weights).all() or (self.weights < 0).any() or not self.weights.any():
            raise InvalidArgumentError(
                f"[{who}] weights are {self.weights!r:.80}; expected numbers of at least 0, and one above it"
            )
        possible = int(np.count_nonzero(self.weights))
        if not self.replacement and self.num_samples > possible:
            raise InvalidArgumentError(
                f"[{who}] num_samples is {num_samples}, of {possible} positions with a weight above 0; "
                "expected at most as many without replacement"
            )
        self.generator = lasting(generator)

    def __iter__(self) -> Iterator[int]:
        random = generator_of(self.generator)
        chances = self.weights / self.weights.sum()
        drawn = random.choice(len(chances), self.num_samples, replace=self.replacement, p=chances)
        return iter(drawn.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(gluon.data.BatchSampler):
    """Lists of ``batch_size`` positions each.

    Parameters
    ----------
    sampler : Sampler or iterable of int
        Gives the positions.
    batch_size : int
        How many make a batch.
    drop_last : bool
        Whether a last batch with fewer is left out.
    """

    def __init__(self, sampler: Union[Sampler, Iterable[int]], batch_size: int, drop_last: bool) -> None:
        self.sampler = sampler
        self.batch_size = _positive(batch_size, "BatchSampler", "batch_size")
        self.drop_last = _flag(drop_last, "BatchSampler", "drop_last")
        super().__init__(sampler, self.batch_size, "discard" if drop_last else "keep")
