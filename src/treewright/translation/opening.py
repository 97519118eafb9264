"""Translators by the kind of their model file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from treewright.errors import ModelFileError, UsageError
from treewright.modelfile import read_kind
from treewright.parsing import open_parser
from treewright.translation.model import KIND as BY_PHRASES
from treewright.translation.model import PhraseModel
from treewright.translation.syntax.model import KIND as BY_RULES
from treewright.translation.syntax.model import RuleModel
from treewright.translation.syntax.translator import RuleTranslator
from treewright.translation.translator import Translator


def open_translator(
    path: str | Path, search: Mapping[str, Any] | None = None, *, parser: str | None = None
) -> Translator | RuleTranslator:
    """Load a model that translates; `search` changes some settings of its search.

    `parser` takes the place of the parser that a model of rules names.
    """
    search = search or {}
    kind = read_kind(path)
    if kind == BY_PHRASES:
        if parser is not None:
            raise UsageError(f"{path} translates phrases and needs no parser; leave it out")
        phrases = PhraseModel.load(path)
        return Translator(phrases, _changed(phrases.search, search, path))
    if kind == BY_RULES:
        rules = RuleModel.load(path)
        chosen = None if parser is None else open_parser(parser)
        return RuleTranslator(rules, _changed(rules.search, search, path), chosen)
    raise ModelFileError(
        f"a model of kind {kind}; expected one that translates, as train phrase and train ghkm "
        "write them",
        where=str(path),
    )


def _changed(settings: Any, search: Mapping[str, Any], path: str | Path) -> Any:
    known = [each.name for each in fields(settings)]
    strange = sorted(set(search) - set(known))
    if strange:
        raise UsageError(
            f"the search of {path} has no setting {', '.join(strange)}; it has {', '.join(known)}"
        )
    return replace(settings, **search)
