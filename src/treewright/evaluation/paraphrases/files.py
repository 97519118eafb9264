"""The files that scores of paraphrases are computed from."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from treewright.corpora import read_lines, read_object
from treewright.errors import DataError, ParseError, Problems
from treewright.evaluation.paraphrases.expected import Judge, Judged
from treewright.evaluation.paraphrases.gold import GoldJudge, VerbForms
from treewright.files import open_text

_OUTPUT = 'expected {"phrase": "…", "paraphrases": [{"text": "…", "score": 0.5}, …]}'
_JUDGED = 'expected {"phrase": "…", "text": "…", "answers": [0, 1 or 2, …]}'


def _objects(path: str | Path, schema: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Stream where each object of a file is, and its fields; the first bad line is an error."""

    def read(line: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
        yield where, read_object(line, where, schema)

    return Problems(strict=True).good(read_lines(path, read))


def read_paraphrases(path: str | Path) -> dict[str, list[str]]:
    """Read ranked paraphrases by phrase in lower case, sorted by score; ties as they stand."""
    found = {}
    for where, fields in _objects(path, _OUTPUT):
        try:
            items = [(str(item["text"]), float(item["score"])) for item in fields["paraphrases"]]
            phrase = str(fields["phrase"])
        except (KeyError, TypeError, ValueError):
            raise ParseError(_OUTPUT, where=where) from None
        found[phrase.lower()] = [text for text, _ in sorted(items, key=lambda item: -item[1])]
    return found


def read_phrases(path: str | Path) -> list[str]:
    """Read the phrases to be covered: JSON Lines with `phrase`, or plain lines."""
    with open_text(path) as handle:
        lines = [line.strip() for line in handle if line.strip()]
    if not lines:
        raise DataError("no phrases in it", where=str(path))
    if not lines[0].startswith("{"):
        return lines
    schema = 'expected {"phrase": "…"}'
    return [str(fields["phrase"]) for _, fields in _objects(path, schema)]


def read_gold(gold: str | Path, forms: str | Path, without: Collection[str] = ()) -> GoldJudge:
    """Read what verbs may mean, leaving out what only the sources in `without` say."""
    with open_text(gold) as handle:
        try:
            table = json.load(handle)
            kept = {
                key: {other for other, sources in others.items() if set(sources) - set(without)}
                for key, others in table.items()
            }
        except (ValueError, AttributeError, TypeError):
            raise DataError(
                'expected {"verb": {"other verb": ["source", …], …}, …}', where=str(gold)
            ) from None
    return GoldJudge(_read_forms(forms), kept)


def _read_forms(path: str | Path) -> VerbForms:
    forms, phrasal = {}, set()
    with open_text(path) as handle:
        for number, line in enumerate(handle, start=1):
            columns = line.rstrip("\n").split("\t")
            if len(columns) != 3:
                raise ParseError("expected form, lemma and tags", where=f"{path}:{number}")
            form, lemma, tags = columns
            if tags == "phrasal":
                phrasal.add(form)
            else:
                counts = [item.split(":") for item in tags.split()]
                forms[form] = (lemma, {tag: int(count) for tag, count in counts})
    return VerbForms(forms, phrasal)


def read_judgements(path: str | Path) -> Judge:
    """Read what people judged: 0 another meaning, 1 the same but ungrammatical, 2 the same.

    A pair that nobody judged counts as wrong.
    """
    known: dict[tuple[str, str], Judged] = {}
    for where, fields in _objects(path, _JUDGED):
        answers = fields.get("answers")
        if not isinstance(answers, list) or not answers or set(answers) - {0, 1, 2}:
            raise ParseError(_JUDGED, where=where)
        pair = str(fields.get("phrase")).lower(), str(fields.get("text")).lower()
        known[pair] = Judged(
            sum(answer > 0 for answer in answers) / len(answers),
            sum(answer == 2 for answer in answers) / len(answers),
            bool(fields.get("redundant", False)),
        )
    nothing = Judged(0.0, 0.0)
    return lambda phrase, text: known.get((phrase.lower(), text.lower()), nothing)
