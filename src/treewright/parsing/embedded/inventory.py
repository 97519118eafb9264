"""The symbols a parser knows: words, tags, span labels and treebanks, each with a number."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.errors import UsageError
from treewright.parsing.embedded import chinese, wordforms
from treewright.parsing.embedded.spans import JOIN, Span, spans_of, tree_of
from treewright.trees import Tree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Script(NamedTuple):
    """A word's form to look up, and the buckets of that form's spelling features."""

    normal_form: Callable[[str], str]
    spelling: Callable[[str], list[int]]


ALPHABETIC, CHINESE = "alphabetic", "chinese"
SCRIPTS = {
    ALPHABETIC: Script(wordforms.normal_form, wordforms.spelling),
    CHINESE: Script(chinese.normal_form, chinese.spelling),
}

UNKNOWN, START, END = "<unknown>", "<s>", "</s>"
SPECIAL = (UNKNOWN, START, END)
ANY = "any"
"""The treebank whose conventions the parser infers from the text itself."""


@dataclass(frozen=True)
class Inventory:
    """Numbered symbols; the first words are `SPECIAL`, label 0 is "no constituent"."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    treebanks: tuple[str, ...]
    counts: tuple[int, ...] = field(default=(), compare=False)
    """How often each word occurred in training; only training needs it."""
    script: str = ALPHABETIC
    """How words are seen, one of `SCRIPTS`."""
    whole: bool = True
    """Whether one node below the root covers the whole sentence, as in most treebanks."""

    @cached_property
    def word_numbers(self) -> dict[str, int]:
        """Return the number of each normal form."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def tag_numbers(self) -> dict[str, int]:
        """Return the number of each tag."""
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def label_numbers(self) -> dict[str, int]:
        """Return the number of each label."""
        return {label: number for number, label in enumerate(self.labels)}

    @property
    def normal_form(self) -> Callable[[str], str]:
        """What returns the form of a word that the inventory numbers."""
        return SCRIPTS[self.script].normal_form

    def spelling(self, form: str) -> list[int]:
        """Return the buckets of the spelling features of a normal form."""
        return SCRIPTS[self.script].spelling(form)

    def word(self, form: str) -> int:
        """Return the number of a normal form, or of its lower case if only that is known."""
        numbers = self.word_numbers
        number = numbers.get(form)
        return numbers.get(form.lower(), 0) if number is None else number

    def label(self, label: str) -> int:
        """Return the number of a label, or of the nearest known one if a chain is too rare."""
        numbers = self.label_numbers
        parts = label.split(JOIN)
        while len(parts) > 1 and JOIN.join(parts) not in numbers:
            parts.pop(len(parts) // 2)
        return numbers.get(JOIN.join(parts), 0)

    def treebank(self, name: str) -> int:
        """Return the number of a treebank; an unknown one is a `UsageError`."""
        if name not in self.treebanks:
            raise UsageError(
                f"unknown treebank {name!r}; choose one of: {', '.join(self.treebanks)}"
            )
        return self.treebanks.index(name)

    def tree(
        self, words: Sequence[str], tags: NDArray[np.integer], spans: NDArray[np.integer]
    ) -> Tree:
        """Return the tree represented by tag numbers and rows of start, end and label."""
        found = [Span(start, end, self.labels[label]) for start, end, label in spans.tolist()]
        names = [self.tags[tag] for tag in tags.tolist()]
        return tree_of(words, names, found, repair=True)

    def counted_by(self, other: Inventory) -> Inventory:
        """Return the same symbols with the word counts of `other`."""
        counts = dict(zip(other.words, other.counts, strict=True))
        return replace(self, counts=tuple(counts.get(word, 1) for word in self.words))

    def to_json(self) -> bytes:
        """Write the symbols, without the counts; what English has goes without saying."""
        names = ("words", "tags", "labels", "treebanks")
        content: dict[str, Any] = {name: list(getattr(self, name)) for name in names}
        if self.script != ALPHABETIC:
            content["script"] = self.script
        if not self.whole:
            content["whole"] = False
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, data: bytes) -> Inventory:
        """Read what `to_json` wrote; symbols that no tree can have are a `ValueError`."""
        content = json.loads(data)
        script = content.pop("script", ALPHABETIC)
        if script not in SCRIPTS:
            raise ValueError(f"unknown script {script!r}; known are: {', '.join(SCRIPTS)}")
        whole = bool(content.pop("whole", True))
        symbols = {name: tuple(content[name]) for name in content}
        known = cls(**symbols, script=script, whole=whole)
        if not all(isinstance(word, str) for word in (*known.words, *known.treebanks)):
            raise ValueError("words and treebanks must be text")
        for symbol in (
            *known.tags,
            *(part for name in known.labels[1:] for part in name.split(JOIN)),
        ):
            if symbol.split() != [symbol]:
                raise ValueError(f"{symbol!r} is not a tag or label")
        return known

    @classmethod
    def collect(
        cls,
        trees: Iterable[Tree],
        treebanks: Sequence[str],
        *,
        raw: Iterable[Sequence[str]] = (),
        min_word: int = 2,
        min_label: int = 5,
        script: str = ALPHABETIC,
    ) -> Inventory:
        """Number the symbols of a training set, leaving out rarer words and chains of nodes.

        Words of `raw` sentences count like those of trees; single labels are never left out.
        """
        normal_form = SCRIPTS[script].normal_form
        roots: Counter[bool] = Counter()
        words: Counter[str] = Counter()
        tags: Counter[str] = Counter()
        labels: Counter[str] = Counter()
        for tree in trees:
            for leaf in tree.preterminals():
                words[normal_form(leaf.word or "")] += 1
                tags[leaf.label] += 1
            labels.update(span.label for span in spans_of(tree))
            roots[len(tree.children) > 1] += 1
        for sentence in raw:
            words.update(normal_form(word) for word in sentence)
        kept = sorted((w for w, n in words.items() if n >= min_word), key=lambda w: (-words[w], w))
        chains = {part for label in labels for part in label.split(JOIN)}
        chains |= {label for label, count in labels.items() if count >= min_label}
        return cls(
            words=(*SPECIAL, *kept),
            tags=tuple(sorted(tags)),
            labels=("", *sorted(chains)),
            treebanks=(ANY, *treebanks),
            counts=(0, 0, 0, *(words[w] for w in kept)),
            script=script,
            whole=roots[True] <= roots[False],
        )
