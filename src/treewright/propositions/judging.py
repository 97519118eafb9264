"""Propositions as statements that people can judge: plural nouns, `can` before the verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from treewright.propositions.model import PropositionModel
from treewright.randomness import generator


def questions(
    model: PropositionModel, *, top: int = 100, drawn: int = 100, seed: int = 0
) -> Iterator[dict[str, Any]]:
    """Yield the most frequent propositions and a random sample of the others, a text each."""
    every = [(classes, found[0].shape, found) for classes, found in model.counted()]
    chosen = list(enumerate(every[:top]))
    rest = len(every) - top
    if rest > 0 and drawn:
        picks = generator(seed).choice(rest, size=min(drawn, rest), replace=False)
        chosen += [(top + int(place), every[top + int(place)]) for place in sorted(picks)]
    for rank, (classes, shape, found) in chosen:
        yield {
            "id": f"proposition-{rank + 1}",
            "text": as_statement(shape, classes),
            "sample": "frequent" if rank < top else "random",
            "weight": sum(one.count for one in found),
        }


def as_statement(shape: str, classes: tuple[str, ...]) -> str:
    """Return a proposition as the paper shows it to annotators: `Quarterbacks can throw passes`."""
    words = list(classes)
    if shape in ("NVN", "NVNPN", "NVPN", "copula"):
        nouns = {0, len(words) - 1, *([2] if shape in ("NVN", "NVNPN") else [])}
        parts = [plural(word) if place in nouns else word for place, word in enumerate(words)]
        parts.insert(1, "can")
    elif shape == "VNPN":
        parts = [plural(words[1]), "can be", participle(words[0]), words[2], plural(words[3])]
    elif shape == "possession":
        parts = [plural(words[0]), "can have", plural(words[2])]
    else:
        parts = ["There can be", plural(words[0]), words[1], plural(words[2])]
    text = " ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    *before, last = noun.split()
    return " ".join([*before, _inflected(last, "NNS")])


def participle(verb: str) -> str:
    """Return the past participle of a verb."""
    return _inflected(verb, "VBN")


def _inflected(word: str, tag: str) -> str:
    # Imported late: reading the lexicon takes a third of a second.
    from lemminflect import getInflection

    found = getInflection(word, tag=tag)
    return str(found[0]) if found else word
