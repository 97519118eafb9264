"""A saved aligner: what was counted in one text, to align others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from treewright.alignment.statistical.numbering import Text
from treewright.alignment.statistical.sampling.counted import Counted
from treewright.alignment.statistical.sampling.sampler import Sampler
from treewright.alignment.statistical.sampling.settings import Sampling
from treewright.alignment.statistical.symmetrization import links_of
from treewright.corpora import Links
from treewright.errors import ModelFileError
from treewright.modelfile import pack_array, read_mapped_model, unpack_array, write_model

KIND = "alignment"
_ARRAYS = ("pairs", "links", "null", "jump", "fertility")
_WORDS = ("source", "target")
_BATCH = 500


@dataclass(frozen=True, eq=False)
class AlignmentModel:
    """The words of two languages and how they were linked."""

    words: tuple[tuple[str, ...], tuple[str, ...]]
    counted: Counted
    lowercase: bool = True

    def align(
        self,
        pairs: Iterable[tuple[Sequence[str], Sequence[str]]],
        *,
        symmetrize: str,
        threshold: float,
        seed: int = 0,
        jobs: int = 1,
    ) -> Iterator[Links]:
        """Stream the links of new pairs, in batches; memory does not grow with the text.

        Batches are sampled by themselves, each from what the model knows.
        """
        settings = Sampling(sweeps=(2, 2, 6), renewals=0, samples=8)
        stream = iter(pairs)
        while batch := list(islice(stream, _BATCH)):
            text = Text.of(batch, lowercase=self.lowercase, known=self.words)
            sampler = Sampler(text, settings, seed=seed, jobs=jobs, known=self.counted)
            for step in settings.steps(len(text)):
                sampler.advance(*step)
            yield from links_of(sampler, text, len(text), symmetrize, threshold)

    def save(self, path: str | Path, **about: object) -> None:
        """Write a model file; `about` says how the model was made."""
        parts = {f"{name}.npy": pack_array(getattr(self.counted, name)) for name in _ARRAYS}
        for name, words in zip(_WORDS, self.words, strict=True):
            parts[f"{name}.txt"] = "\n".join(words).encode()
        write_model(path, kind=KIND, parts=parts, metadata={**about, "lowercase": self.lowercase})

    @classmethod
    def load(cls, path: str | Path) -> AlignmentModel:
        """Read a model file."""
        known = [f"{name}.npy" for name in _ARRAYS] + [f"{name}.txt" for name in _WORDS]
        parts, about = read_mapped_model(path, kind=KIND, known=known)
        try:
            counted = Counted(*[unpack_array(parts[f"{name}.npy"]) for name in _ARRAYS])
            texts = [bytes(parts[f"{name}.txt"]).decode() for name in _WORDS]
            words = tuple(tuple(text.split("\n")) if text else () for text in texts)
            for name, side in zip(_WORDS, words, strict=True):
                if len(set(side)) != len(side):
                    raise ValueError(f"{name}.txt has a word twice")
            _check(counted, (len(words[0]), len(words[1])))
            return cls((words[0], words[1]), counted, bool(about["lowercase"]))
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelFileError(f"its parts cannot be read: {error}", where=str(path)) from None


def _check(counted: Counted, sizes: tuple[int, int]) -> None:
    """Raise a `ValueError` if arrays do not fit the words."""
    empty = Counted.nothing(sizes)
    for name in ("null", "jump", "fertility"):
        found, wanted = getattr(counted, name), getattr(empty, name)
        if found.shape != wanted.shape or found.dtype != wanted.dtype:
            raise ValueError(f"{name} has the shape {found.shape}, not {wanted.shape}")
        if not (np.isfinite(found).all() and (found >= 0).all()):
            raise ValueError(f"{name} has a count below 0 or none at all")
    pairs, links = counted.pairs, counted.links
    if pairs.dtype != np.int32 or links.dtype != np.int32 or pairs.shape != links.shape:
        raise ValueError("pairs and links do not match")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or (links < 0).any():
        raise ValueError("links are not counts of pairs")
    if ((pairs < 0) | (pairs >= np.array(sizes))).any():
        raise ValueError("a pair names a word that is not there")
