"""What requests and answers look like: the arguments of `Compressor.compress`, and its results.

Fields, types and defaults of requests are read off the library, so that there is no second schema.
"""

from __future__ import annotations

from inspect import signature
from typing import Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from treewright.alignment import METHODS, SYMMETRIZATIONS, AlignmentSettings
from treewright.compression import Compressor, Drop, Keep, Limit, Request
from treewright.errors import UsageError

_OWN = ("self", "text", "tokenizer")
"""Arguments that a request has in its own way, or not at all."""
_LIMIT = ("rate", "max_words", "max_chars", "max_tokens", "per", "at_least")
_ABOUT = {
    "rate": "At most this share of the words, above 0 and at most 1.",
    "max_words": "At most so many words; punctuation is free.",
    "max_chars": "At most so many characters, spaces included.",
    "max_tokens": "At most so many tokens, words and punctuation.",
    "per": "What is limited: the text or each sentence.",
    "at_least": "Keep at least this share of the length, if a limit leaves room.",
    "drop_sentences": "Whether whole sentences may go where several share a limit.",
    "fill": "Whether to use all the room that a limit gives.",
    "keep": "What must stay: a word or phrase, /regex/, @start-end, or a class such as numbers.",
    "drop": "What must go, written like keep.",
    "alternatives": "How many other versions of each sentence to return.",
    "explain": "Whether to give the reason for each deletion.",
    "faithful": "normal, or strict: also keep what only qualifies a claim.",
    "grammar": "strict, or loose: it gives way to a limit that cannot be met otherwise.",
    "warn": "Whether to name what is gone that a careful reader may want.",
    "trees": "Whether to return trees even for text within the limit.",
    "language": "en leaves what is not English prose unchanged; any shortens everything.",
}
_CHOICES: dict[str, Any] = {
    "per": Literal["text", "sentence"],
    "faithful": Literal["normal", "strict"],
    "grammar": Literal["strict", "loose"],
    "language": Literal["en", "any"],
}
_RANGES: dict[str, dict[str, float]] = {
    "rate": {"gt": 0, "le": 1},
    "at_least": {"gt": 0, "le": 1},
    **{key: {"ge": 1, "le": 1000000000} for key in ("max_words", "max_chars", "max_tokens")},
    "alternatives": {"ge": 0, "le": 20},
}


def _options(name: str, *, strict: bool) -> Any:
    """Make the model of what `Compressor.compress` takes besides a text."""
    hints = get_type_hints(Compressor.compress)
    fields: dict[str, Any] = {}
    for argument, parameter in signature(Compressor.compress).parameters.items():
        if argument in _OWN:
            continue
        kind: Any = _CHOICES.get(argument, hints[argument])
        default = parameter.default
        bounds: dict[str, Any] = dict(_RANGES.get(argument, {}))
        if argument in ("keep", "drop"):
            kind, default = list[str], []
            bounds = {"max_length": 1000}
        fields[argument] = (kind, Field(default, description=_ABOUT[argument], **bounds))
    return create_model(name, __config__=ConfigDict(extra="forbid", strict=strict), **fields)


Options: Any = _options("Options", strict=True)
QueryOptions: Any = _options("QueryOptions", strict=False)


class CompressBody(Options):
    """One text, or several, and what to do with them."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {
                    "text": "Fortunately, nobody was hurt when the old crane fell onto two cars.",
                    "max_words": 8,
                    "keep": ["numbers"],
                }
            ]
        },
    )

    text: str | list[str] | None = Field(None, description="A text, or the tokens of a sentence.")
    texts: list[str | list[str]] | None = Field(
        None, max_length=1000, description="Several texts, instead of one."
    )
    model: str | None = Field(None, max_length=100, description="A name that /v1/models lists.")
    format: Literal["auto", "plain", "markdown", "srt", "vtt"] = Field(
        "auto", description="What the text is written in."
    )
    diff: bool = Field(False, description="Whether to add the text with deletions marked.")


class QueryBody(QueryOptions):
    """What to do with every line of a stream."""

    model: str | None = Field(None, max_length=100)
    diff: bool = False


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ParseBody(_Body):
    """A text to parse."""

    text: str = Field(description="Running text in English or Chinese.")


class PairBody(_Body):
    """A sentence and its translation, as tokens or with spaces between them."""

    source: str | list[str]
    target: str | list[str]


class AlignBody(_Body):
    """Pairs whose words are to be linked, learning from these pairs alone."""

    pairs: list[PairBody] = Field(min_length=1, max_length=10_000)
    method: Literal[METHODS] = AlignmentSettings.method  # type: ignore[valid-type]
    symmetrize: Literal[tuple(SYMMETRIZATIONS)] = AlignmentSettings.symmetrize  # type: ignore[valid-type]
    threshold: float = Field(AlignmentSettings.threshold, ge=0, lt=1)
    seed: int = Field(0, ge=0, lt=1 << 32)


class ModelAnswer(BaseModel):
    """A model that requests can name."""

    name: str
    default: bool


class ModelsAnswer(BaseModel):
    """All models, the default one first."""

    models: list[ModelAnswer]


class AlignAnswer(BaseModel):
    """Links of each pair, as `0-0 1-2`: positions in source and target, from 0."""

    alignments: list[str]


class Problem(BaseModel):
    """An error, as in RFC 9457."""

    type: str
    title: str
    status: int
    detail: str


def request_of(options: Any) -> Request:
    """Return the library's request for the options of a body or a query."""
    given = {name: getattr(options, name) for name in Options.model_fields}
    limit = {name: given.pop(name) for name in _LIMIT}
    keep, drop = given.pop("keep"), given.pop("drop")
    for demand in (*keep, *drop):
        if len(demand) > 1000:
            raise UsageError("a demand of more than 1000 characters; name less")
    return Request(
        limit=Limit(**limit),
        keep=tuple([Keep.parse(each) for each in keep]),
        drop=tuple([Drop.parse(each) for each in drop]),
        **given,
    )
