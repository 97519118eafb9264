"""Markdown documents made of known pieces, and a compressor that drops words at random."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from treewright.compression import BoundSentence, Compression, Prose, Request, Shortened
from treewright.compression.fitting import put_together
from treewright.text import cut, split_kinds

WORDS = (  # noqa: SIM905
    "the a bridge council winter reopens quickly because repairs which cost money old and of not "
    "only Monday 4.5 don't 1. 2) # > - + * _ ~~ ` [ ] ( ) | & < $5 user@example.org www.x.org/a"
).split()


class Document(NamedTuple):
    """A document, and the pieces of it that are no prose, in order."""

    text: str
    others: list[str]


def _link(words: str) -> str:
    return f"[{words}](https://x.org/a_b 'T')"


_plain = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
_inline = st.one_of(
    _plain,
    _plain,
    _plain,
    st.sampled_from(["bridge", "old bridge", "the *old* bridge"]).map(_link),
    st.sampled_from(["old bridge", "very old", "a, b"]).map(lambda text: f"**{text}**"),
    st.sampled_from(["old bridge", "very old"]).map(lambda text: f"*{text}*"),
    st.sampled_from(
        ["~~old bridge~~", "_so old_", "***both***", "[old ref][ref]", "[ref]", "[^1]"]
    ),
    st.sampled_from(["`x = 1`", "``a ` b``", "![old](p.png)", "<https://x.org/>", "&amp;", "\\*"]),
    st.sampled_from(["<b>bold</b>", "<br>", "$a_1 * b$", ":tada:", "x&nbsp;y", "(see below)"]),
)
_gap = st.sampled_from([" ", " ", " ", "  ", "\n", "\n", "  \n", "\\\n"])


@st.composite
def _paragraph(draw: st.DrawFn) -> str:
    """Return sentences with markup; lines begin with a word, so that they begin nothing else."""
    parts = [draw(st.sampled_from(["The", "**Fast.** It", "Sadly, the", "`x`: the", "[x] A"]))]
    for _ in range(draw(st.integers(1, 8))):
        gap = draw(_gap)
        parts += [gap, "so " if "\n" in gap else "", draw(_inline)]
        parts.append(draw(st.sampled_from(["", "", ",", ". The", "! Then", ":"])))
    return "".join(parts) + draw(st.sampled_from([".", "", ":", "?"]))


_blocks = st.sampled_from(
    [
        "# A heading that is *quite* long, really",
        "Underlined heading, long\n===",
        "```sh\nrun -x  the code, please\n\n```",
        "    indented code, which stays",
        "| a | b, which is long |\n|---|:-:|\n| the old `x` | and so on, really |",
        "<div>\nThe HTML, which stays.\n</div>",
        "***",
        "<!-- a comment, really -->",
    ]
)


def _indented(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join(
        [
            first + lines[0],
            *[(rest + line).rstrip() if not line.strip() else rest + line for line in lines[1:]],
        ]
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return a document of paragraphs, in lists and quotations too, and other blocks."""
    parts: list[str] = []
    others: list[str] = []
    if draw(st.booleans()):
        parts.append("---\ntitle: The old, old bridge\n---")
        others.append(parts[0])
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["paragraph", "paragraph", "list", "quotation", "other"]))
        if kind == "other":
            # Behind a list, indented lines belong to its last item.
            behind = parts[-1:] and parts[-1][:1] in "-*1"
            parts.append("<!-- x -->" if behind else draw(_blocks))
            others.append(parts[-1])
        elif kind == "list":
            marker = draw(st.sampled_from(["- ", "* ", "1. ", "- [ ] "]))
            items = draw(st.lists(_paragraph(), min_size=1, max_size=3))
            parts.append(
                "\n".join(
                    [_indented(each, marker, "  " + " " * (marker[0] == "1")) for each in items]
                )
            )
        else:
            prefix = "> " if kind == "quotation" else ""
            parts.append(_indented(draw(_paragraph()), prefix, prefix))
    definitions = "[ref]: https://x.org/ref 'The title, really'"
    others.append(definitions)
    text = "\n\n".join([*parts, definitions]) + draw(st.sampled_from(["", "\n", "\n\n"]))
    if draw(st.booleans()):
        return Document(text.replace("\n", "\r\n"), [o.replace("\n", "\r\n") for o in others])
    return Document(text, others)


class Dropping:
    """A compressor that drops a share of the words, whatever they are, and nothing it must not."""

    def __init__(self, seed: int, share: float) -> None:
        self.random = random.Random(seed)
        self.share = share

    def compress_each(
        self, texts: Iterable[Prose], request: Request | None = None
    ) -> Iterator[Compression]:
        for prose in texts:
            found = prose.bind(split_kinds(prose.text))
            parts = [self._shortened(each, prose.is_fixed(each)) for each, _ in found]
            yield put_together(prose.text, parts)

    def _chosen(self, sentence: BoundSentence) -> set[int]:
        kept = {n for n in range(len(sentence.tokens)) if self.random.random() > self.share}
        for start, end in sentence.runs:
            run = set(range(start, end))
            kept = kept | run if run & sentence.held or self.random.random() > 0.5 else kept - run
        return kept

    def _shortened(self, sentence: BoundSentence, fixed: bool) -> Shortened:
        kept = self._chosen(sentence) | sentence.held
        if fixed or (sentence.needed and not any(sentence.words[n].isalnum() for n in kept)):
            kept = set(range(len(sentence.tokens)))
        text, spans = cut(sentence, kept, held=sentence.held | sentence.marks(sorted(kept)))
        dropped = not text
        return Shortened(
            text, spans, tuple(sorted(kept)), None, 0.0, None, sentence=sentence, dropped=dropped
        )


class Without(Dropping):
    """A compressor that drops some words, except from what is kept whole."""

    def __init__(self, words: Collection[str]) -> None:
        super().__init__(0, 0.0)
        self.words = words

    def _chosen(self, sentence: BoundSentence) -> set[int]:
        runs = {place for run in sentence.runs for place in range(*run)}
        words = enumerate(sentence.words)
        return {n for n, word in words if word not in self.words or n in runs}
