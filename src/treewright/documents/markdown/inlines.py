"""Where the inline markup of a paragraph stands: what markdown-it finds, with its positions.

markdown-it gives the lines of blocks but no positions within them. Its inline rules are functions
that move a position through the text, so each is wrapped to note where it began and ended.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    Rule = Callable[[StateInline, bool], bool]

Span = tuple[int, int]

_DELIMITERS = ("emphasis", "strikethrough")
_SPANS = ("link", "image", "autolink", "html_inline", "entity")
_RULES = (*_DELIMITERS, *_SPANS, "newline", "escape", "backticks")
_NOTES = "treewright"
"""Where the environment of a parse keeps what was noted."""


class Note(NamedTuple):
    """What a rule read: its name, from where to where, and the tokens it made.

    For delimiters, which only later turn out to be markup or text, there is a position for each
    token; for links, that of the end of their text.
    """

    rule: str
    start: int
    end: int
    tokens: list[Token]
    starts: list[int]


@cache
def parser() -> MarkdownIt:
    """Return a parser of CommonMark, tables and strikethrough that notes positions."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rules = {rule.name: rule.fn for rule in made.inline.ruler.__rules__}
    for name in _RULES:
        made.inline.ruler.at(name, _noting(name, rules[name]))
    # It joins the text tokens of delimiters that are no markup, and their positions would be lost.
    made.inline.ruler2.disable("fragments_join")
    return made


def _noting(name: str, rule: Rule) -> Rule:
    def run(state: StateInline, silent: bool) -> bool:
        if silent:
            return rule(state, True)
        notes = state.env.setdefault(_NOTES, [])
        known, first, start = len(notes), len(state.tokens), state.pos
        if not rule(state, False):
            return False
        if name == "image":
            # Its text was read as a paragraph of its own.
            del notes[known:]
        tokens = state.tokens[first:]
        starts: list[int] = []
        if name in _DELIMITERS:
            tokens, starts = _delimiters(tokens, state.pos, state.pos - start)
        elif name == "link":
            tokens, starts = [], [state.md.helpers.parseLinkLabel(state, start, True)]
        notes.append(Note(name, start, state.pos, tokens, starts))
        return True

    return run


def _delimiters(tokens: list[Token], end: int, length: int) -> tuple[list[Token], list[int]]:
    """Return the last tokens that make up a length, and where each begins."""
    made: list[Token] = []
    starts: list[int] = []
    for token in reversed(tokens):
        if length <= 0:
            break
        length -= len(token.content)
        end -= len(token.content)
        made.insert(0, token)
        starts.insert(0, end)
    return made, starts


def read_notes(content: str, environment: dict[str, Any]) -> list[Note]:
    """Read the text of a paragraph; `environment` has the link definitions of the document."""
    markdown = parser()
    own = {**environment, _NOTES: []}
    markdown.inline.parse(content, markdown, own, [])
    return list(own[_NOTES])


def find_links(notes: list[Note]) -> list[tuple[Span, Span]]:
    """Return links as what stands before and behind their text."""
    return [
        ((note.start, note.start + 1), (note.starts[0], note.end))
        for note in notes
        if note.rule == "link"
    ]


def find_pairs(notes: list[Note]) -> list[tuple[Span, Span]]:
    """Return emphasis, strong emphasis and strikethrough as their opening and closing markup."""
    marks = sorted(
        [
            (start, token)
            for note in notes
            for start, token in zip(note.starts, note.tokens, strict=False)
        ],
        key=lambda mark: mark[0],
    )
    pairs, waiting = [], []
    for start, token in marks:
        # Of the two tokens of `**`, the inner one is made the markup.
        if token.nesting == 1:
            strong = token.type == "strong_open"
            end = start + len(token.markup) - strong
            waiting.append((start - strong, end))
        elif token.nesting == -1 and waiting:
            pairs.append((waiting.pop(), (start, start + len(token.markup))))
    return pairs
