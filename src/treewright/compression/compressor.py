"""`Compressor`: text in, shorter text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from treewright.compression.candidates import (
    Candidates,
    Prunings,
    Unchanged,
    has_words,
)
from treewright.compression.explaining import explain
from treewright.compression.fitting import fit
from treewright.compression.limits import UNLIMITED, Limit, Tokenizer
from treewright.compression.models import (
    AnyForest,
    AnyModel,
    Engine,
    engine_of,
    has_probabilities,
    load_model,
    ready,
)
from treewright.compression.result import Compression
from treewright.compression.shipped import model_path
from treewright.corpora import MAX_WORDS
from treewright.errors import DataError, UsageError
from treewright.parsing import Parser, open_parser, parse_each
from treewright.parsing.embedded.blas import one_blas_thread
from treewright.pruning.guards import JOINED, LOOSE, STRICT, Keep
from treewright.text import Sentence, Token, split_sentences
from treewright.trees import Tree, TreeTable

BATCH = 64
"""Texts that are parsed together, whoever asks: so they always come out the same."""

Text = str | Sequence[str]
"""Running text, or the tokens of one sentence."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of every text: a limit, what must stay, and what to tell about it.

    That is how many other versions, and whether to explain every deletion.
    """

    limit: Limit = UNLIMITED
    keep: tuple[Keep, ...] = ()
    alternatives: int = 0
    explain: bool = False

    def __post_init__(self) -> None:
        if self.alternatives < 0:
            raise UsageError(f"alternatives must not be negative, found {self.alternatives}")


@dataclass(frozen=True)
class _Reading:
    """A sentence's tree and what makes its forest, once for all levels of grammar."""

    tree: TreeTable
    engine: Engine

    @cached_property
    def forest(self) -> AnyForest:
        """All versions of the sentence, whichever guards they break."""
        return self.engine.forest(self.tree)


class Compressor:
    """Shortens text with a model, and never adds a word. Safe to call from several threads."""

    def __init__(self, model: AnyModel, *, parser: Parser | None = None) -> None:
        self.model = model
        self.parser = parser or open_parser()
        self._engine = engine_of(model)
        self._agree = has_probabilities(model)

    @classmethod
    def load(cls, model: str | Path = "news", *, parser: str = "embedded") -> Compressor:
        """Load a shipped model by its name (`news`, `headline`), or any model file."""
        return cls(load_model(model_path(model)), parser=open_parser(parser))

    def compress(
        self,
        text: Text,
        *,
        rate: float | None = None,
        max_words: int | None = None,
        max_chars: int | None = None,
        max_tokens: int | None = None,
        tokenizer: Tokenizer | None = None,
        per: str = "text",
        keep: str | Keep | Iterable[str | Keep] = (),
        alternatives: int = 0,
        explain: bool = False,
    ) -> Compression:
        """Shorten a text to a limit (see `Limit`), or as far as the model thinks best.

        `keep` names what must stay (see `Keep`); if that alone is over the limit, it is a
        `DataError`. Where nothing admissible is within the limit, the result is the shortest there
        is, and its `met` is false. To `explain` is to say of every sentence what was deleted and
        why (`Shortened.deletions`), which takes two or three times as long.
        """
        request = Request(
            limit=Limit(
                rate=rate,
                max_words=max_words,
                max_chars=max_chars,
                max_tokens=max_tokens,
                tokenizer=tokenizer,
                per=per,
            ),
            keep=_demands(keep),
            alternatives=alternatives,
            explain=explain,
        )
        [result] = self.compress_each([text], request)
        if isinstance(result, DataError):
            raise result
        return result

    def compress_each(
        self, texts: Iterable[Text], request: Request | None = None
    ) -> Iterator[Compression | DataError]:
        """Shorten texts as a stream, in order; what is wrong with one comes in its place."""
        request = request or Request()
        rest = iter(texts)
        while batch := list(islice(rest, BATCH)):
            with one_blas_thread():
                done = list(self._batch(batch, request))
            yield from done

    def _batch(self, texts: Sequence[Text], request: Request) -> Iterator[Compression | DataError]:
        sources = [text if isinstance(text, str) else " ".join(text) for text in texts]
        sentences = [_sentences(text) for text in texts]
        wordy = [s for several in sentences if isinstance(several, tuple) for s in several]
        readings = iter(self._read([s for s in wordy if has_words(s)]))
        for source, several in zip(sources, sentences, strict=True):
            if isinstance(several, DataError):
                yield several
                continue
            read = [(s, next(readings) if has_words(s) else None) for s in several]
            try:
                yield self._fit(source, read, request)
            except DataError as error:
                yield error

    def _fit(
        self,
        text: str,
        read: Sequence[tuple[Sentence, _Reading | DataError | None]],
        asked: Request,
    ) -> Compression:
        """Shorten a text; grammar gives way where a limit cannot be met with it."""
        for grammar in (STRICT, JOINED, LOOSE):
            candidates = [self._candidates(s, reading, asked, grammar) for s, reading in read]
            compression = fit(text, candidates, asked.limit)
            if compression.met:
                break
        return self._detailed(compression, candidates, asked)

    def _read(self, sentences: Sequence[Sentence]) -> list[_Reading | DataError]:
        """Parse all sentences, and have the model read them, at once."""
        short = [s.words for s in sentences if len(s.tokens) <= MAX_WORDS]
        parsed = iter(parse_each(self.parser, short) if short else ())
        found = [next(parsed) if len(s.tokens) <= MAX_WORDS else _too_long(s) for s in sentences]
        tables = [TreeTable(tree) for tree in found if isinstance(tree, Tree)]
        ready_ones = map(_Reading, tables, ready(self._engine, tables))
        return [next(ready_ones) if isinstance(tree, Tree) else tree for tree in found]

    def _candidates(
        self,
        sentence: Sentence,
        reading: _Reading | DataError | None,
        request: Request,
        grammar: int,
    ) -> Candidates:
        """Return the versions of a sentence; one that cannot be worked on stays as it is."""
        if not isinstance(reading, _Reading):
            return Unchanged.of(sentence, request.limit, reading)
        tree = reading.tree
        try:
            forest = reading.forest
        except DataError as error:
            return Unchanged.of(sentence, request.limit, error)
        versions = Prunings(
            forest,
            sentence,
            tree.tree,
            keeps=request.keep,
            limit=request.limit,
            agree=self._agree,
            grammar=grammar,
        )
        if versions.is_possible:
            return versions
        if grammar != LOOSE:
            return self._candidates(sentence, reading, request, LOOSE)
        why = DataError("the model has no version of it that keeps what must be kept")
        return Unchanged.of(sentence, request.limit, why)

    def _detailed(
        self, compression: Compression, candidates: Sequence[Candidates], request: Request
    ) -> Compression:
        """Add to every sentence the next best versions and the reasons, where they are wanted."""
        if not request.alternatives and not request.explain:
            return compression
        sentences = []
        rooms = _rooms(compression, request.limit)
        for part, each, room in zip(compression.sentences, candidates, rooms, strict=True):
            if isinstance(each, Prunings):
                others = each.alternatives(part, request.alternatives, room)
                why = explain(each, part, room) if request.explain else ()
                part = replace(part, alternatives=others, deletions=why)
            sentences.append(part)
        return replace(compression, sentences=tuple(sentences))


def _demands(keep: str | Keep | Iterable[str | Keep]) -> tuple[Keep, ...]:
    """Read what must stay; a string is one demand, not one of each letter."""
    several = [keep] if isinstance(keep, str | Keep) else keep
    return tuple([Keep.parse(each) if isinstance(each, str) else each for each in several])


def _sentences(text: Text) -> tuple[Sentence, ...] | DataError:
    """Split a text into sentences; tokens make one, with a space between them."""
    if isinstance(text, str):
        return tuple(split_sentences(text))
    found: list[Token] = []
    start = 0
    for token in text:
        if not token or any(character.isspace() for character in token):
            return DataError(f"the token {token!r} is empty or holds white space")
        found.append(Token(token, start, start + len(token)))
        start += len(token) + 1
    return (Sentence(" ".join(text), tuple(found)),) if found else ()


def _too_long(sentence: Sentence) -> DataError:
    return DataError(
        f"a sentence of {len(sentence.tokens)} tokens, the limit is {MAX_WORDS}; it stays as it is"
    )


def _rooms(compression: Compression, limit: Limit) -> list[int | None]:
    """Return how long each sentence may be: its own place, and what the text leaves free."""
    parts = compression.sentences
    if not limit.is_given:
        return [None] * len(parts)
    if limit.unit == "words":
        taken = [int(limit.costs(part.sentence)[list(part.kept)].sum()) for part in parts]
        total = sum(taken)
    else:
        taken = [limit.measure(part.text) for part in parts]
        total = limit.measure(compression.text)
    if limit.per == "sentence":
        return [
            max(limit.room([part.sentence]), length)
            for part, length in zip(parts, taken, strict=True)
        ]
    free = max(0, limit.room([part.sentence for part in parts]) - total) if parts else 0
    return [length + free for length in taken]
