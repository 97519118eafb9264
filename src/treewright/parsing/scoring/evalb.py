"""Labelled brackets against gold ones, by the conventions of evalb with `COLLINS.prm`.

Tops (`ROOT`, `TOP`, `S1`, no label) and punctuation (`, : `` '' .`) are deleted, and then brackets
without words; function tags and traces do not count; `ADVP` equals `PRT`; equal brackets match as
often as both trees have them. One convention differs: the *gold* tags say which tokens are
punctuation. evalb uses each side's own tags and skips a sentence if they disagree, so a parser
would be scored on fewer sentences for tagging a comma wrongly.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from treewright.counts import Counts, signature
from treewright.errors import DataError
from treewright.parsing.scoring.bracketing import (
    Bracket,
    Bracketing,
    Tokens,
    bracketing_of,
    kept_tokens,
    tokens_of,
)
from treewright.parsing.scoring.mistakes import bracket_errors
from treewright.parsing.scoring.scores import (
    BracketScores,
    SentenceScore,
)
from treewright.trees import Tree, unescape


def score_brackets(gold: Iterable[Tree], guessed: Iterable[Tree | None]) -> BracketScores:
    """Score predicted trees against gold ones, in the same order; `None` is a sentence without a
    tree.

    Both may have function tags, traces and any top. Other words than the gold ones (apart from
    escaped brackets), or a different number of trees, are a `DataError`.
    """
    gold, guessed = list(gold), list(guessed)
    if len(gold) != len(guessed):
        raise DataError(
            f"{len(guessed)} guessed trees for {len(gold)} gold ones; give one for each"
        )
    if not gold:
        raise DataError("no trees to score")
    digest = hashlib.sha256()
    sentences = []
    for number, (right, guess) in enumerate(zip(gold, guessed, strict=True), start=1):
        digest.update(f"{right}\n".encode())
        sentences.append(_score_sentence(right, guess, where=f"tree {number}"))
    measured = signature(len(gold), digest.hexdigest(), brackets="evalb", punctuation="gold")
    return BracketScores(tuple(sentences), measured)


def _score_sentence(gold: Tree, guess: Tree | None, *, where: str) -> SentenceScore:
    reference = tokens_of(gold)
    kept = kept_tokens(reference.tags)
    ours = bracketing_of(gold, kept)
    if guess is None:
        theirs, right = Bracketing(), []
    else:
        tokens = tokens_of(guess)
        _check_words(reference, tokens, where)
        theirs = bracketing_of(guess, kept)
        right = [a == b for a, b in zip(reference.tags, tokens.tags, strict=True)]
    return SentenceScore(
        labels=_by_label(ours.brackets, theirs.brackets),
        crossing=sum(any(map(bracket.crosses, ours.brackets)) for bracket in theirs.brackets),
        tokens=len(reference.words),
        token_tags=sum(right),
        words=len(kept),
        word_tags=sum(right[place] for place in kept) if right else 0,
        errors=bracket_errors(ours, theirs),
        parsed=guess is not None,
    )


def _check_words(gold: Tokens, guess: Tokens, where: str) -> None:
    if len(gold.words) != len(guess.words):
        raise DataError(
            f"{len(guess.words)} words guessed, {len(gold.words)} in the gold tree; "
            "parse the words of the gold tree",
            where=where,
        )
    for place, (right, word) in enumerate(zip(gold.words, guess.words, strict=True), start=1):
        if unescape(right) != unescape(word):
            raise DataError(f"word {place} is {word!r}, in the gold tree {right!r}", where=where)


def _by_label(gold: Sequence[Bracket], guessed: Sequence[Bracket]) -> dict[str, Counts]:
    """Count the brackets of each label: matched as often as both trees have them."""
    ours, theirs = Counter(gold), Counter(guessed)
    bags = (ours & theirs, theirs, ours)
    columns = [Counter(bracket.label for bracket in bag.elements()) for bag in bags]
    labels = sorted(columns[1].keys() | columns[2].keys())
    return {label: Counts(*[column[label] for column in columns]) for label in labels}
