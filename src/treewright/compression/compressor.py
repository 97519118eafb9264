"""`Compressor`: text in, shorter text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from treewright.compression.candidates import Candidates, Prunings, Unchanged, has_words
from treewright.compression.fitting import fit
from treewright.compression.guards import Keep
from treewright.compression.limits import UNLIMITED, Limit, Tokenizer
from treewright.compression.models import AnyModel, engine_of, has_probabilities, load_model
from treewright.compression.result import Compression
from treewright.compression.shipped import model_path
from treewright.corpora import MAX_WORDS
from treewright.errors import DataError, UsageError
from treewright.parsing import Parser, open_parser, parse_each
from treewright.text import Sentence, Token, split_sentences
from treewright.trees import Tree

BATCH = 64
"""Texts that are parsed together, whoever asks: so they always come out the same."""

Text = str | Sequence[str]
"""Running text, or the tokens of one sentence."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of every text: a limit, what must stay, and how many other versions to show."""

    limit: Limit = UNLIMITED
    keep: tuple[Keep, ...] = ()
    alternatives: int = 0

    def __post_init__(self) -> None:
        if self.alternatives < 0:
            raise UsageError(f"alternatives must not be negative, found {self.alternatives}")


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
        keep: Iterable[str | Keep] = (),
        alternatives: int = 0,
    ) -> Compression:
        """Shorten a text to a limit (see `Limit`), or as far as the model thinks best.

        `keep` names what must stay (see `Keep`); if that alone is over the limit, it is a
        `DataError`. Where nothing admissible is within the limit, the result is the shortest there
        is, and its `met` is false.
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
            keep=tuple([Keep.parse(k) if isinstance(k, str) else k for k in keep]),
            alternatives=alternatives,
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
            yield from self._batch(batch, request)

    def _batch(self, texts: Sequence[Text], request: Request) -> Iterator[Compression | DataError]:
        sources = [text if isinstance(text, str) else " ".join(text) for text in texts]
        sentences = [
            tuple(split_sentences(text)) if isinstance(text, str) else _tokenised(text)
            for text in texts
        ]
        trees = iter(self._parse([s for several in sentences for s in several if has_words(s)]))
        for source, several in zip(sources, sentences, strict=True):
            candidates = [
                self._candidates(s, next(trees) if has_words(s) else None, request) for s in several
            ]
            try:
                compression = fit(source, candidates, request.limit)
            except DataError as error:
                yield error
                continue
            yield _with_alternatives(compression, candidates, request)

    def _parse(self, sentences: Sequence[Sentence]) -> list[Tree | DataError]:
        short = [s.words for s in sentences if len(s.tokens) <= MAX_WORDS]
        trees = iter(parse_each(self.parser, short) if short else ())
        return [next(trees) if len(s.tokens) <= MAX_WORDS else _too_long(s) for s in sentences]

    def _candidates(
        self, sentence: Sentence, tree: Tree | DataError | None, request: Request
    ) -> Candidates:
        """Return the versions of a sentence; one that cannot be worked on stays as it is."""
        if tree is None or isinstance(tree, DataError):
            return Unchanged.of(sentence, request.limit, tree)
        try:
            forest = self._engine.forest(tree)
        except DataError as error:
            return Unchanged.of(sentence, request.limit, error)
        versions = Prunings(
            forest, sentence, tree, keeps=request.keep, limit=request.limit, agree=self._agree
        )
        if versions.is_possible:
            return versions
        why = DataError("the model has no version of it that keeps what must be kept")
        return Unchanged.of(sentence, request.limit, why)


def _tokenised(tokens: Sequence[str]) -> tuple[Sentence, ...]:
    """Make a sentence of tokens, with a space between them."""
    found: list[Token] = []
    start = 0
    for token in tokens:
        if not token or any(character.isspace() for character in token):
            raise UsageError(f"the token {token!r} is empty or holds white space")
        found.append(Token(token, start, start + len(token)))
        start += len(token) + 1
    return (Sentence(" ".join(tokens), tuple(found)),) if found else ()


def _too_long(sentence: Sentence) -> DataError:
    return DataError(
        f"a sentence of {len(sentence.tokens)} tokens, the limit is {MAX_WORDS}; it stays as it is"
    )


def _with_alternatives(
    compression: Compression, candidates: Sequence[Candidates], request: Request
) -> Compression:
    """Add the model's next best versions to every sentence, as far as they fit into its place."""
    if not request.alternatives:
        return compression
    sentences = []
    for part, each in zip(compression.sentences, candidates, strict=True):
        others = []
        if isinstance(each, Prunings):
            room = request.limit.measure(part.text) if request.limit.is_given else None
            found = each.alternatives(request.alternatives + 1, room)
            others = [version for version in found if version.kept != part.kept]
        sentences.append(replace(part, alternatives=tuple(others[: request.alternatives])))
    return replace(compression, sentences=tuple(sentences))
