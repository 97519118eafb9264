"""Parts that models of phrases and of rules both need: word links, language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treewright.alignment import align_words
from treewright.corpora import Links, Words, read_links
from treewright.files import atomic_write
from treewright.lm import train_lm
from treewright.progress import Progress
from treewright.translation.training.text import Bitext
from treewright.translation.training.workshop import Workshop


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
