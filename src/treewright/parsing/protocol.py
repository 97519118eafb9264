"""`Parser`: the interface of every parser, and the checks that adapters share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from treewright.errors import DataError, TreewrightError, UsageError, check_type
from treewright.trees import Tree, root_at, strip_function_tags, strip_traces, with_words


class ParserError(TreewrightError):
    """The parser itself cannot work (no server, no trees to look up); no sentence is at fault."""


class Parser(Protocol):
    """Turns tokens into trees. Safe to call from several threads at once."""

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """Return one tree per sentence, in order, rooted in ROOT, with exactly the tokens as words.

        A sentence has at least one token, and no token contains white space. A `DataError` concerns
        one sentence of this call, any other error all of them.
        """
        ...


def check_sentences(sentences: Sequence[Sequence[str]]) -> None:
    """Raise a `DataError` for the first sentence that violates the protocol."""
    check_type(sentences, Iterable, "sentences", "lists of tokens")
    for number, words in enumerate(sentences, start=1):
        check_type(words, Iterable, "a sentence", "a list of tokens")
        if isinstance(words, str):
            raise UsageError(f"a sentence must be a list of tokens, found the string {words!r}")
        if not words:
            raise DataError("no tokens; leave empty sentences out", where=f"sentence {number}")
        for place, word in enumerate(words, start=1):
            check_type(word, str, "a token", "a string")
            if word.split() != [word]:
                raise DataError(
                    f"token {place} is {word!r}; a token is not empty and holds no white space",
                    where=f"sentence {number}",
                )


def fit_words(tree: Tree, words: Sequence[str], *, where: str = "") -> Tree:
    """Return another parser's tree in the form of the protocol: no traces, no function tags, rooted
    in ROOT, and its words replaced by `words`, however that parser escapes them.
    """
    bare = strip_traces(tree)
    found = 0 if bare is None else len(bare.words())
    if bare is None or found != len(words):
        raise DataError(
            f"the parser's tree has {found} words, the sentence {len(words)} tokens; make the "
            "parser keep the tokens as they are, or leave this sentence out",
            where=where,
        )
    return with_words(root_at(strip_function_tags(bare)), words)


def parse_each(parser: Parser, sentences: Sequence[Sequence[str]]) -> list[Tree | DataError]:
    """Parse a batch, with an error in place of each bad sentence; the others are not lost."""
    try:
        return list(parser.parse(sentences))
    except DataError as error:
        if len(sentences) == 1:
            return [error]
    return [result for words in sentences for result in parse_each(parser, [words])]


def tag_each(parser: Parser, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the tags of sentences: from trees, unless the parser can do without them."""
    tag = getattr(parser, "tag", None)
    if tag is not None:
        tags: list[list[str]] = tag(sentences)
        return tags
    return [[leaf.label for leaf in tree.preterminals()] for tree in parser.parse(sentences)]
