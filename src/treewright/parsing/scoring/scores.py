"""Scores of labelled brackets: what each sentence contributes, and what the sums say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from treewright.counts import Counts
from treewright.parsing.scoring.mistakes import KINDS, BracketErrors

SHORT = 40
"""The length, including punctuation, up to which older papers score sentences."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """What one sentence contributes to the scores. *Tokens* include punctuation, *words* do not."""

    labels: Mapping[str, Counts]
    crossing: int
    tokens: int
    token_tags: int
    words: int
    word_tags: int
    errors: BracketErrors
    parsed: bool = True

    @property
    def brackets(self) -> Counts:
        """The counts of all labels together."""
        return sum(self.labels.values(), start=Counts())

    @property
    def exact(self) -> bool:
        """Whether all brackets match; as in evalb, tags may differ."""
        counts = self.brackets
        return self.parsed and counts.matched == counts.system == counts.reference


@dataclass(frozen=True, slots=True)
class BracketScores:
    """The scores of one parser on one treebank, micro-averaged over its sentences.

    All scores except `crossing` (brackets per sentence) are fractions: 0.91, not 91. Scores with
    different signatures must not be compared.
    """

    sentences: tuple[SentenceScore, ...]
    signature: str

    @property
    def brackets(self) -> Counts:
        """The counts of all sentences together."""
        return sum([one.brackets for one in self.sentences], start=Counts())

    @property
    def precision(self) -> float:
        """The share of predicted brackets that are gold."""
        return self.brackets.precision

    @property
    def recall(self) -> float:
        """The share of gold brackets that were predicted."""
        return self.brackets.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.brackets.f1

    @property
    def exact(self) -> float:
        """The share of sentences whose brackets all match."""
        return self._mean([one.exact for one in self.sentences])

    @property
    def crossing(self) -> float:
        """Predicted brackets that cross a gold one, per sentence."""
        return self._mean([one.crossing for one in self.sentences])

    @property
    def no_crossing(self) -> float:
        """The share of sentences without crossing brackets."""
        return self._mean([one.crossing == 0 for one in self.sentences])

    @property
    def few_crossing(self) -> float:
        """The share of sentences with at most two crossing brackets."""
        return self._mean([one.crossing <= 2 for one in self.sentences])

    @property
    def tag_accuracy(self) -> float:
        """The share of words (without punctuation, as in evalb) with the gold tag."""
        right = sum(one.word_tags for one in self.sentences)
        return _share(right, sum(one.words for one in self.sentences))

    @property
    def token_tag_accuracy(self) -> float:
        """The share of all tokens with the gold tag."""
        right = sum(one.token_tags for one in self.sentences)
        return _share(right, sum(one.tokens for one in self.sentences))

    @property
    def unparsed(self) -> int:
        """How many sentences have no tree; their gold brackets count as missing."""
        return sum(not one.parsed for one in self.sentences)

    def up_to(self, length: int = SHORT) -> BracketScores:
        """Return the scores of only the sentences of at most `length` tokens."""
        short = tuple([one for one in self.sentences if one.tokens <= length])
        return replace(self, sentences=short, signature=f"{self.signature}|tokens:≤{length}")

    def labels(self) -> dict[str, Counts]:
        """Return the counts by label, the most frequent gold label first; `ADVP` includes `PRT`."""
        sums: dict[str, Counts] = {}
        for one in self.sentences:
            for label, counts in one.labels.items():
                sums[label] = sums.get(label, Counts()) + counts
        return dict(sorted(sums.items(), key=lambda item: (-item[1].reference, item[0])))

    def errors(self) -> dict[str, tuple[int, int]]:
        """Return how many brackets are missing and how many are extra, by kind of mistake."""
        missing: Counter[str] = Counter()
        extra: Counter[str] = Counter()
        for one in self.sentences:
            missing.update(one.errors.missing)
            extra.update(one.errors.extra)
        return {kind: (missing[kind], extra[kind]) for kind in KINDS}

    def as_dict(self) -> dict[str, object]:
        """Return scores and counts as plain values, without labels and mistakes."""
        return {
            "signature": self.signature,
            "sentences": len(self.sentences),
            "unparsed": self.unparsed,
            **self.brackets.as_dict(),
            "exact": self.exact,
            "crossing": self.crossing,
            "no_crossing": self.no_crossing,
            "few_crossing": self.few_crossing,
            "tag_accuracy": self.tag_accuracy,
            "token_tag_accuracy": self.token_tag_accuracy,
        }

    def _mean(self, values: Sequence[float]) -> float:
        return _share(sum(values), len(self.sentences))


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0
