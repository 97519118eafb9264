"""`Compressor`: text in, shorter text out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from treewright.compression.candidates import (
    Candidates,
    Gone,
    Prunings,
    Unchanged,
)
from treewright.compression.explaining import explain
from treewright.compression.finding import find_prunings, needs_of_next
from treewright.compression.fitting import fit, shares
from treewright.compression.limits import FREE, Limit, Tokenizer
from treewright.compression.memory import Memory
from treewright.compression.models import (
    AnyForest,
    AnyModel,
    Engine,
    load_model,
)
from treewright.compression.preparing import Prepared, prepare
from treewright.compression.prose import Prose, bound_forest
from treewright.compression.request import Request, Text, read_demands
from treewright.compression.result import Compression, Shortened
from treewright.compression.shipped import model_path
from treewright.compression.staging import Stages, in_step
from treewright.corpora import MAX_WORDS, is_word
from treewright.errors import DataError, UsageError, check_type
from treewright.parsing import Parser, open_parser, parse_each
from treewright.parsing.embedded import one_blas_thread
from treewright.pruning import CompressionForest, Need
from treewright.pruning.guards import (
    JOINED,
    LOOSE,
    STRICT,
    WEIGHED,
    Drop,
    Dropped,
    Keep,
    dropped_material,
    unmatched,
)
from treewright.text import Kind, Sentence, split_sentences
from treewright.trees import Tree, TreeTable

BATCH = 64
"""How many texts are parsed together, always the same number, so results do not depend on the
caller.
"""


@dataclass(frozen=True)
class _Reading:
    """A sentence's tree and what builds its forest, shared by all levels of grammar."""

    tree: TreeTable
    engine: Engine
    _forests: dict[float, AnyForest] = field(default_factory=dict)

    def forest(self, share: float) -> AnyForest:
        """Return all versions of the sentence, including those that break guards, weighed for a
        text of which this share may stay.
        """
        found = self._forests.get(share)
        if found is None:
            self._forests.clear()
            found = self._forests[share] = self.engine.at(share).forest(self.tree)
        return found


_Readings = Sequence["_Reading | DataError | Kind | None"]
"""What is known about each sentence of a text, or why it is left unchanged."""


class Compressor:
    """Shortens text with a model, and never adds a word. Safe to call from several threads.

    It can `remember` a number of sentences, so that the same text with another limit or other
    demands costs less.
    """

    def __init__(self, model: AnyModel, *, parser: Parser | None = None, remember: int = 0) -> None:
        check_type(model, AnyModel, "a model", "a Model (Compressor.load reads one from a file)")
        if parser is not None and not hasattr(parser, "parse"):
            raise UsageError(f"a parser must have a method parse, found {parser!r}")
        self.model = model
        self.parser = parser or open_parser()
        self._engine = model.engine()
        self._agree = model.has_probabilities
        self._acceptance = model.acceptance
        self._grammar = WEIGHED if model.knows_needs else STRICT
        self._readings = Memory[_Reading](remember)
        self._versions = Memory[Candidates](remember)

    @classmethod
    def load(
        cls, model: str | Path = "news", *, parser: str = "embedded", remember: int = 0
    ) -> Compressor:
        """Load a shipped model by its name (`news`, `headline`), or any model file."""
        return cls(load_model(model_path(model)), parser=open_parser(parser), remember=remember)

    def forests(self, text: str, share: float = FREE) -> list[CompressionForest]:
        """Return the forests of all versions of a text's sentences, before guards restrict them,
        weighed for a text of which this share may stay.
        """
        forests = []
        for reading in self._read(list(split_sentences(text))):
            if isinstance(reading, DataError):
                raise reading
            forest = reading.forest(share)
            if not isinstance(forest, CompressionForest):
                raise UsageError("a model of strings has no forests of trees")
            forests.append(forest)
        return forests

    def candidates(self, text: str, request: Request) -> Sequence[Candidates]:
        """Return what a limit chooses from: the best version of every sentence for each cost."""
        prepared = prepare(text, request)
        if isinstance(prepared, DataError):
            raise prepared
        read = self._readings_of([prepared])
        [found] = self._all_candidates([prepared], read, request, self._grammar)
        if isinstance(found, DataError):
            raise found
        return found

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
        at_least: float | None = None,
        drop_sentences: bool = True,
        fill: bool = False,
        keep: str | Keep | Iterable[str | Keep] = (),
        drop: str | Drop | Iterable[str | Drop] = (),
        alternatives: int = 0,
        explain: bool = False,
        faithful: str = "normal",
        grammar: str = "strict",
        warn: bool = False,
        trees: bool = False,
        language: str = "en",
    ) -> Compression:
        """Shorten a text to a limit (see `Limit`), or as far as the model decides.

        `keep` names what must stay (see `Keep`); if that alone exceeds the limit, it is a
        `DataError`. `drop` names what must go; what is also to be kept is a `DataError`. If nothing
        admissible is within the limit, or nothing that readers would accept, the result is as short
        as it stays readable, and its `met` is false. `explain` adds what was deleted from every
        sentence and why (`Shortened.deletions`), which takes two or three times as long.
        `faithful="strict"` also keeps what only qualifies a claim, or drops its whole clause. With
        `grammar="loose"`, a limit that nothing in good grammar meets is met in bad grammar. `warn`
        adds what a careful reader may miss (`Shortened.warnings`). Text within the limit stays
        unchanged and is not even parsed, unless `trees` or other details are requested. Whatever is
        surely not English prose stays unchanged too (`Shortened.left` says why), unless `language`
        is `any`.
        """
        request = Request(
            limit=Limit(
                rate=rate,
                max_words=max_words,
                max_chars=max_chars,
                max_tokens=max_tokens,
                tokenizer=tokenizer,
                per=per,
                at_least=at_least,
            ),
            keep=read_demands(keep, Keep),
            drop=read_demands(drop, Drop),
            alternatives=alternatives,
            explain=explain,
            faithful=faithful,
            grammar=grammar,
            fill=fill,
            drop_sentences=drop_sentences,
            warn=warn,
            trees=trees,
            language=language,
        )
        check_type(text, str | Sequence | Prose, "a text", "a string, or the tokens of a sentence")
        [result] = self.compress_each([text], request)
        if isinstance(result, DataError):
            raise result
        return result

    def compress_each(
        self, texts: Iterable[Text], request: Request | None = None
    ) -> Iterator[Compression | DataError]:
        """Shorten texts as a stream, in order, with an error in place of each bad one."""
        check_type(request, Request | None, "a request", "a Request")
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise UsageError(f"texts must be several, found {texts!r}; use compress for one")
        return self._stream(iter(texts), request or Request())

    def _stream(self, rest: Iterator[Text], request: Request) -> Iterator[Compression | DataError]:
        while batch := list(islice(rest, BATCH)):
            with one_blas_thread():
                done = list(self._batch(batch, request))
            yield from done

    def _batch(self, texts: Sequence[Text], request: Request) -> Iterator[Compression | DataError]:
        prepared = [prepare(text, request) for text in texts]
        good = [each for each in prepared if isinstance(each, Prepared)]
        read = self._readings_of(good)
        strict = self._all_candidates(good, read, request, self._grammar)
        ready = iter(zip(good, read, strict, strict=True))
        for each in prepared:
            if isinstance(each, DataError):
                yield each
                continue
            text, found, candidates = next(ready)
            if isinstance(candidates, DataError):
                yield candidates
                continue
            try:
                yield self._fit(text, found, candidates, request)
            except DataError as error:
                yield error

    def _fit(
        self, text: Prepared, read: _Readings, strict: Sequence[Candidates], asked: Request
    ) -> Compression:
        """Shorten a text; if it may, grammar gives way to a limit that is met by that alone."""
        candidates = strict
        compression = self._fitted(text, strict, asked)
        may_break = asked.may_break and not text.strict
        for grammar in (JOINED, LOOSE) if may_break and not compression.met else ():
            [others] = self._all_candidates([text], [read], asked, grammar)
            if isinstance(others, DataError):
                raise others
            found = self._fitted(text, others, asked)
            if found.met:
                compression, candidates = found, others
                break
        if asked.keep or asked.drop:
            compression = replace(
                compression,
                unmatched=unmatched(asked.keep, text.sentences),
                unmatched_drops=unmatched(asked.drop, text.sentences),
            )
        return self._detailed(compression, candidates, asked)

    @staticmethod
    def _fitted(text: Prepared, candidates: Sequence[Candidates], asked: Request) -> Compression:
        return fit(
            text.source,
            candidates,
            asked.limit,
            drop_sentences=asked.drop_sentences and not asked.fill,
            exceeds=text.strict or not asked.may_break,
            measure=text.measure,
        )

    def _all_candidates(
        self, texts: Sequence[Prepared], read: Sequence[_Readings], asked: Request, grammar: int
    ) -> list[list[Candidates] | DataError]:
        """Return the versions of every sentence of each text, or why demands leave none."""
        works = [
            self._works(text, readings, asked, grammar)
            for text, readings in zip(texts, read, strict=True)
        ]
        possible = [work for each in works if not isinstance(each, DataError) for work in each]
        found = iter(in_step(possible))
        return [
            each
            if isinstance(each, DataError)
            else _of_text(text, list(islice(found, len(each))), asked)
            for text, each in zip(texts, works, strict=True)
        ]

    def _works(
        self, text: Prepared, read: _Readings, asked: Request, grammar: int
    ) -> list[Stages[Candidates]] | DataError:
        """Return the work to be done for each sentence of a text, or why it cannot be measured."""
        try:
            may_stay = shares(text.source, text.sentences, asked.limit, text.measure)
        except DataError as error:
            return error
        trees = [each.tree if isinstance(each, _Reading) else None for each in read]
        return [
            self._candidates(
                sentence, reading, share, asked, grammar, needs if grammar != LOOSE else ()
            )
            for sentence, reading, share, needs in zip(
                text.sentences, read, may_stay, needs_of_next(trees), strict=True
            )
        ]

    def _readings_of(self, texts: Sequence[Prepared]) -> list[_Readings]:
        """Read all sentences of some texts that are to be read; the others have their kind."""
        readings = iter(self._read([s for each in texts for s in each.to_read()]))
        return [
            [
                next(readings) if reads else left
                for reads, left in zip(each.reads, each.left, strict=True)
            ]
            for each in texts
        ]

    def _read(self, sentences: Sequence[Sentence]) -> list[_Reading | DataError]:
        """Parse all sentences that are not remembered, and let the model read them, at once."""
        known = [self._readings.get(sentence.words) for sentence in sentences]
        new = iter(self._read_anew([s for s, k in zip(sentences, known, strict=True) if not k]))
        found = [reading or next(new) for reading in known]
        for sentence, reading in zip(sentences, found, strict=True):
            if isinstance(reading, _Reading):
                self._readings.put(sentence.words, reading)
        return found

    def _read_anew(self, sentences: Sequence[Sentence]) -> list[_Reading | DataError]:
        short = [s.words for s in sentences if len(s.tokens) <= MAX_WORDS]
        parsed = iter(parse_each(self.parser, short) if short else ())
        found = [next(parsed) if len(s.tokens) <= MAX_WORDS else _too_long(s) for s in sentences]
        tables = [TreeTable(tree) for tree in found if isinstance(tree, Tree)]
        ready_ones = map(_Reading, tables, self._engine.ready(tables))
        return [next(ready_ones) if isinstance(tree, Tree) else tree for tree in found]

    def _candidates(
        self,
        sentence: Sentence,
        reading: _Reading | DataError | Kind | None,
        share: float,
        request: Request,
        grammar: int,
        needs: tuple[Need, ...],
    ) -> Stages[Candidates]:
        """Return the versions of a sentence; one that cannot be processed is left unchanged."""
        if not isinstance(reading, _Reading):
            return Unchanged.of(sentence, request.limit, reading)
        key = (sentence, share, grammar, needs, request.versions_key)
        found = self._versions.get(key)
        if found is None:
            found = yield from self._made(sentence, reading, share, request, grammar, needs)
            self._versions.put(key, found)
        return found

    def _made(
        self,
        sentence: Sentence,
        reading: _Reading,
        share: float,
        request: Request,
        grammar: int,
        needs: tuple[Need, ...],
    ) -> Stages[Candidates]:
        tree = reading.tree
        try:
            forest = bound_forest(reading.forest(share), sentence)
        except DataError as error:
            return Unchanged.of(sentence, request.limit, error)
        yield
        versions = yield from find_prunings(
            forest,
            sentence,
            tree.tree,
            keeps=request.keep,
            drops=request.drop,
            limit=request.limit,
            agree=self._agree,
            grammar=grammar,
            faithful=request.faithful,
            fill=request.fill,
            acceptance=self._acceptance,
            needs=needs,
        )
        if versions.is_possible:
            return versions
        if all(place in versions.barred for place in _word_places(sentence)):
            return Gone.of(sentence, tree.tree, versions.barred)
        if grammar != LOOSE:
            return (yield from self._candidates(sentence, reading, share, request, LOOSE, ()))
        wanted = ["keeps what must be kept"] if versions.demanded or not versions.barred else []
        wanted += ["drops what must be dropped"] if versions.barred else []
        why = DataError(f"the model has no version of it that {' and '.join(wanted)}")
        return Unchanged.of(sentence, request.limit, why)

    @staticmethod
    def _dropped(versions: Prunings, part: Shortened) -> tuple[Dropped, ...]:
        return dropped_material(TreeTable(versions.tree), part.kept, part.sentence)

    def _detailed(
        self, compression: Compression, candidates: Sequence[Candidates], request: Request
    ) -> Compression:
        """Add other versions, reasons and warnings to every sentence, if requested."""
        if not (request.alternatives or request.explain or request.warn):
            return compression
        sentences = []
        rooms = _rooms(compression, request.limit)
        for part, each, room in zip(compression.sentences, candidates, rooms, strict=True):
            if isinstance(each, Prunings):
                others = each.alternatives(part, request.alternatives, room)
                why = explain(each, part, room) if request.explain else ()
                gone = self._dropped(each, part) if request.warn else None
                part = replace(part, alternatives=others, deletions=why, warnings=gone)
            elif request.warn:
                part = replace(part, warnings=())
            sentences.append(part)
        return replace(compression, sentences=tuple(sentences))


def _word_places(sentence: Sentence) -> list[int]:
    return [place for place, word in enumerate(sentence.words) if is_word(word)]


def _too_long(sentence: Sentence) -> DataError:
    return DataError(
        f"a sentence of {len(sentence.tokens)} tokens, the limit is {MAX_WORDS}; it stays as it is"
    )


def _of_text(
    text: Prepared, found: Sequence[Candidates | DataError], asked: Request
) -> list[Candidates] | DataError:
    """Return the versions of the sentences of a text, or the first error among them."""
    candidates: list[Candidates] = []
    for sentence, stays, each in zip(text.sentences, text.stays, found, strict=True):
        if isinstance(each, DataError):
            return each
        try:
            # A grammar may have no version that keeps everything, but text within the limit stays.
            changes = stays and not each.barred and each.whole() is None
            candidates.append(Unchanged.of(sentence, asked.limit) if changes else each)
        except DataError as error:
            return error
    return candidates


def _rooms(compression: Compression, limit: Limit) -> list[int | None]:
    """Return how long each sentence may be: its own length plus what the text leaves free."""
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
