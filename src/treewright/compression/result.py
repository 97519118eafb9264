"""The result of a compressor: the shorter text, and everything known about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from treewright.compression.models import AnyTarget
from treewright.errors import DataError
from treewright.forest import Derivation
from treewright.text import Kind, Sentence
from treewright.trees import Tree, prune_to

if TYPE_CHECKING:
    from treewright.compression.explaining import Deletion
    from treewright.pruning.guards import Drop, Dropped, Keep

Span = tuple[int, int]


@dataclass(frozen=True)
class Version:
    """One compression of a sentence: its text, the tokens it keeps (from 0), its tree and score.

    The score is its log-probability among all admissible versions, or the model's own score if it
    has no probabilities. `acceptable` is the probability that a reader accepts it, if the model
    estimates that. `spans` are the characters of the source that make up the text, and
    `source` is the source's tree, if it was parsed.
    """

    text: str
    spans: tuple[Span, ...]
    kept: tuple[int, ...]
    source: Tree | None
    score: float
    acceptable: float | None

    @cached_property
    def tree(self) -> Tree | None:
        """The tree of what is left, if anything is."""
        if self.source is None or not self.kept:
            return None
        return prune_to(self.source, self.kept)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "text": self.text,
            "kept": list(self.kept),
            "spans": [list(span) for span in self.spans],
            "tree": None if self.tree is None else str(self.tree),
            "score": self.score,
            "acceptable": self.acceptable,
        }


@dataclass(frozen=True, eq=False)
class Shortened(Version):
    """A sentence and its chosen version.

    `error` says why it was left unchanged, and `left` what it is if that is not English prose; then
    there is no tree of the source. `met` is false if it exceeds the limit, because no admissible
    version that readers may accept is within it. If the whole sentence is `dropped`, its text is
    empty. `deletions` are present if requested, and so are `warnings`, which name what is gone that
    a careful reader may want.
    """

    sentence: Sentence
    derive: Callable[[], AnyTarget] | None = None
    """Makes `target`, which few callers need."""
    alternatives: tuple[Version, ...] = ()
    deletions: tuple[Deletion, ...] = ()
    warnings: tuple[Dropped, ...] | None = None
    met: bool = True
    dropped: bool = False
    error: DataError | None = None
    left: Kind | None = None

    @cached_property
    def target(self) -> AnyTarget | None:
        """The rewriting that the version was read from, with its derivation."""
        return None if self.derive is None else self.derive()

    @property
    def derivation(self) -> Derivation | None:
        """How the forest derives the version, if the model has derivations."""
        return None if self.target is None else self.target.derivation

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the derivation that drop something, from the root down."""
        rules = () if self.target is None else self.target.rules
        return tuple([str(rule) for rule in rules if rule.is_compression])

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, with the tokens of this sentence numbered from 0."""
        values = {
            "source": self.sentence.detokenize(),
            "tokens": list(self.sentence.words),
            "source_tree": None if self.source is None else str(self.source),
            **super().as_dict(),
            "met": self.met,
            "dropped": self.dropped,
            "error": None if self.error is None else str(self.error),
            "deletions": [deletion.as_dict() for deletion in self.deletions],
            "alternatives": [version.as_dict() for version in self.alternatives],
        }
        if self.left is not None:
            values["left"] = self.left
        if self.warnings is not None:
            values["warnings"] = [item.as_dict() for item in self.warnings]
        return values


@dataclass(frozen=True, eq=False)
class Compression:
    """A shortened text: its sentences one after another, with what stood between them.

    `met` is false if it exceeds the limit, because nothing admissible that readers may accept is
    within it; it is then as short as it stays readable.
    Tokens are numbered across all sentences. `unmatched` are the words, phrases and patterns that
    were to be kept but do not occur, `unmatched_drops` those that were to be dropped.
    """

    source: str
    text: str
    spans: tuple[Span, ...]
    sentences: tuple[Shortened, ...]
    met: bool = True
    unmatched: tuple[Keep, ...] = ()
    unmatched_drops: tuple[Drop, ...] = ()

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the source."""
        return tuple([word for part in self.sentences for word in part.sentence.words])

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """The numbers of the tokens that are left, from 0."""
        return tuple([first + place for first, part in self._numbered() for place in part.kept])

    @property
    def tree(self) -> Tree | None:
        """The tree of what is left, that of the first sentence if there are several."""
        return self.sentences[0].tree if self.sentences else None

    @property
    def score(self) -> float:
        """The sum of the scores of all sentences."""
        return float(sum(part.score for part in self.sentences))

    @property
    def acceptable(self) -> float | None:
        """The probability that a reader accepts every sentence; `None` if it is not estimated."""
        product = 1.0
        for part in self.sentences:
            if part.acceptable is None:
                return None
            product *= part.acceptable
        return product

    @property
    def derivation(self) -> Derivation | None:
        """The derivation of the first sentence."""
        return self.sentences[0].derivation if self.sentences else None

    @property
    def alternatives(self) -> tuple[Version, ...]:
        """The next best versions of the first sentence."""
        return self.sentences[0].alternatives if self.sentences else ()

    @property
    def errors(self) -> tuple[DataError, ...]:
        """Why some sentences were left unchanged."""
        return tuple([part.error for part in self.sentences if part.error is not None])

    @property
    def left(self) -> tuple[Kind, ...]:
        """What kinds of text were left unchanged because they are not English prose."""
        return tuple([part.left for part in self.sentences if part.left is not None])

    def _numbered(self) -> Iterator[tuple[int, Shortened]]:
        first = 0
        for part in self.sentences:
            yield first, part
            first += len(part.sentence.tokens)

    def as_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """Return plain values for JSON; several trees are in one string, side by side.

        `explain` adds all sentences, with their deletions and alternatives.
        """
        trees = [str(part.tree) for part in self.sentences if part.tree is not None]
        values: dict[str, Any] = {
            "text": self.text,
            "tokens": list(self.tokens),
            "kept": list(self.kept),
            "tree": " ".join(trees) or None,
            "score": self.score,
            "acceptable": self.acceptable,
            "spans": [list(span) for span in self.spans],
            "rules": [rule for part in self.sentences for rule in part.rules],
            "met": self.met,
        }
        if self.left:
            values["left"] = Counter(self.left)
        for name, demands in (("keep", self.unmatched), ("drop", self.unmatched_drops)):
            if demands:
                values[f"unmatched_{name}"] = [str(demand) for demand in demands]
        if any(part.warnings is not None for part in self.sentences):
            values["warnings"] = [
                item.as_dict(first)
                for first, part in self._numbered()
                for item in part.warnings or ()
            ]
        if explain:
            values["sentences"] = [part.as_dict() for part in self.sentences]
        return values
