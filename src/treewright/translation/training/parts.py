"""Parts that models of phrases and of rules both need: word links, language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treewright.alignment import SYMMETRIZATIONS, align_words
from treewright.corpora import Links, Words, read_links
from treewright.errors import choose
from treewright.files import atomic_write
from treewright.lm import check_order, train_lm
from treewright.progress import Progress
from treewright.text import LANGUAGES
from treewright.translation.casing import CASINGS
from treewright.translation.training.text import Bitext
from treewright.translation.training.tuning import TuningSettings
from treewright.translation.training.workshop import Workshop


@dataclass(frozen=True, kw_only=True)
class TextLearner:
    """The settings of every learner from parallel text: links, words, language model, tuning."""

    languages: tuple[str, str] = ("whitespace", "whitespace")
    symmetrize: str = "posterior"
    casing: str = "lower"
    order: int = 5
    tuning: TuningSettings = field(default_factory=TuningSettings)
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        choose(self.symmetrize, SYMMETRIZATIONS, "symmetrization")
        choose(self.casing, CASINGS, "casing")
        check_order(self.order)
        for language in self.languages:
            choose(language, LANGUAGES, "language of a tokeniser")

    def about(self, text: Bitext) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        return {
            "pairs": sum(bool(words) for words in text.sources),
            "symmetrize": self.symmetrize,
            "languages": list(self.languages),
            "casing": self.casing,
            "order": self.order,
            "seed": self.seed,
        }


def make_links(
    shop: Workshop,
    text: Bitext,
    origin: Mapping[str, Any],
    *,
    symmetrize: str,
    seed: int,
    jobs: int,
    progress: Progress,
) -> Links:
    """Align the words of a text; `origin` says what the text is."""

    def make(path: Path) -> None:
        progress.say("aligning words")
        links = align_words(
            text.sources,
            text.targets,
            symmetrize=symmetrize,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
        with atomic_write(path) as handle:
            handle.writelines(f"{line}\n" for line in links.lines())

    made = {**origin, "symmetrize": symmetrize, "seed": seed}
    return read_links(shop.part("links.align", made, make), text.sizes)


def make_lm(
    shop: Workshop, name: str, sentences: Sequence[Words], origin: Mapping[str, Any], order: int
) -> Path:
    """Estimate a language model; `origin` says from what."""
    made = {**origin, "order": order}
    return shop.part(name, made, lambda path: train_lm(sentences, order).save(path))
