"""`Translator`: a sentence in, its best translations out, and why they look as they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.arrays import Ints
from treewright.corpora import Alignment
from treewright.errors import DataError, Problems, UsageError
from treewright.translation.decoding.decoder import Found, Search
from treewright.translation.decoding.options import COPIED, GIVEN, Fixed
from treewright.translation.model import PhraseModel
from treewright.translation.skeletons.files import Skeleton
from treewright.translation.streaming import Input, Streaming, Translation, best_edges

ORIGINS = {COPIED: "copied", GIVEN: "given"}
WAYS = ("monotone", "swap", "apart")


@dataclass(frozen=True)
class Step:
    """A phrase of a translation: the source words `start … end - 1` became these words.

    `origin` is `table`, `copied` (a word that the table lacks) or `given` (by the user). `way` says
    how it stands to the phrase translated before. `links` are word positions within the phrase.
    """

    start: int
    end: int
    words: tuple[str, ...]
    origin: str
    way: str
    features: Mapping[str, float]
    links: Alignment = ()


class Translator(Streaming):
    """Translates tokenised sentences with a phrase model."""

    takes_fixed = True

    def __init__(self, model: PhraseModel, search: Search | None = None) -> None:
        self.model = model
        self.decoder = model.decoder(search)
        self.names = self.decoder.features.names
        self._words = model.table.target.words

    def __call__(
        self,
        sentence: Sequence[str],
        *,
        nbest: int = 1,
        fixed: Sequence[Fixed] = (),
        skeletons: Sequence[Skeleton] = (),
    ) -> list[Translation]:
        """Return up to `nbest` different translations, best first; none of an empty sentence.

        A model of skeletons finds that of the sentence unless it is given. Of several, it takes the
        one whose translation of the whole scores best: scores of skeletons themselves cannot be
        compared, since a longer one has more to pay for.
        """
        if not sentence:
            return []
        check_fixed(fixed, len(sentence))
        prepared = self.model.source_casing.prepare(sentence)
        best: dict[tuple[str, ...], Translation] = {}
        for kept in self._skeletons(sentence, skeletons):
            found = self.decoder.decode(
                prepared, self.model.weights, fixed, spelled=sentence, kept=kept
            )
            for each in self._listed(found, nbest, kept):
                if each.words not in best or self._rank(each) > self._rank(best[each.words]):
                    best[each.words] = each
        if len(skeletons) < 2:
            return list(best.values())
        return sorted(best.values(), key=self._rank, reverse=True)[:nbest]

    def _rank(self, translation: Translation) -> float:
        """Return the score of a translation without that of the skeleton."""
        end = self.decoder.features.lm.stop
        values = list(translation.features.values())[:end]
        return float(np.dot(values, self.model.weights[:end]))

    def completed(self, given: Input, problems: Problems) -> Input:
        """Find the skeletons of an input; that of a sentence that has none is all of it."""
        if self.model.skeletal is None or not given.words or given.skeletons:
            return given
        own = Problems()
        found = self._found(given.words, own)
        for error in own.errors:
            problems.add(DataError(error.message, where=given.where))
        return replace(given, skeletons=tuple(found))

    def _skeletons(
        self, sentence: Sequence[str], given: Sequence[Skeleton]
    ) -> Sequence[Skeleton | None]:
        """Return the skeletons to decode a sentence by; none for a model that scores none."""
        if given or self.model.skeletal is None:
            return given or (None,)
        return self._found(sentence, Problems(strict=True))

    def _found(self, sentence: Sequence[str], problems: Problems) -> list[Skeleton]:
        """Find the skeletons of a sentence."""
        if self.model.finder is None:
            raise UsageError(
                "this model was trained with skeletons from files and cannot find any by itself; "
                "give those of the sentences"
            )
        return next(self.model.finder([list(sentence)], problems=problems))

    def _listed(self, found: Found, nbest: int, kept: Skeleton | None) -> list[Translation]:
        """Return the best translations of those found."""
        scores = self.decoder.features.scores(found.graph.features, self.model.weights)
        return [
            self._translation(found, edges, score, kept)
            for score, edges in best_edges(found.graph, scores, nbest)
        ]

    def translate(self, given: Input, nbest: int) -> list[Translation]:
        """Return up to `nbest` different translations of an input."""
        if given.trees:
            raise UsageError("a phrase model translates words; leave the trees out")
        return self(given.words, nbest=nbest, fixed=given.fixed, skeletons=given.skeletons)

    def _translation(
        self, found: Found, edges: Ints, score: float, kept: Skeleton | None
    ) -> Translation:
        graph = found.graph
        steps = tuple(self._steps(found, edges))
        features = graph.features[edges].sum(axis=0)
        return Translation(
            tuple(self.model.target_casing.finish([w for step in steps for w in step.words])),
            score,
            dict(zip(self.names, features.tolist(), strict=True)),
            steps,
            skeleton=None if kept is None else tuple(np.flatnonzero(kept).tolist()),
        )

    def _steps(self, found: Found, edges: Ints) -> Iterator[Step]:
        options, end_before, start_before = found.options, 0, -1
        for edge in edges.tolist():
            option = int(found.option[edge])
            if option < 0:
                continue
            start, end = int(options.start[option]), int(options.end[option])
            row = int(options.row[option])
            way = 0 if start == end_before else 1 if end == start_before else 2
            words = options.words[options.word_start[option] : options.word_start[option + 1]]
            features = found.graph.features[edge].tolist()
            yield Step(
                start,
                end,
                tuple(self._text(word, options.extra) for word in words.tolist()),
                ORIGINS.get(row, "table"),
                WAYS[way],
                dict(zip(self.names, features, strict=True)),
                self.model.table.links_of(row) if row >= 0 else (),
            )
            start_before, end_before = start, end

    def _text(self, word: int, extra: tuple[str, ...]) -> str:
        known = len(self._words)
        return self._words[word] if word < known else extra[word - known]


def check_fixed(fixed: Sequence[Fixed], size: int) -> None:
    """Raise an error unless the spans are within a sentence and do not overlap."""
    end = 0
    for part in sorted(fixed, key=lambda part: part.start):
        if not end <= part.start < part.end <= size:
            raise UsageError(
                f"the translation of words {part.start} to {part.end} cannot be fixed: spans must "
                f"not overlap, and the sentence has {size} words"
            )
        end = part.end
