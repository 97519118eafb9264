"""A small phrase model over hand-made sentences, with links that are known."""

from __future__ import annotations

from treewright.corpora import Links, Sentences, Vocabulary, parse_pharaoh
from treewright.lm import train_lm
from treewright.translation import Casing, Features, PhraseModel, build_phrases

PAIRS = [
    ("the house is small", "das haus ist klein", "0-0 1-1 2-2 3-3"),
    ("the house is big", "das haus ist groß", "0-0 1-1 2-2 3-3"),
    ("the garden is big", "der garten ist groß", "0-0 1-1 2-2 3-3"),
    ("she sees the garden", "sie sieht den garten", "0-0 1-1 2-2 3-3"),
    ("she has seen the house", "sie hat das haus gesehen", "0-0 1-1 2-4 3-2 4-3"),
    ("he has seen the garden", "er hat den garten gesehen", "0-0 1-1 2-4 3-2 4-3"),
    ("he sees the small house", "er sieht das kleine haus", "0-0 1-1 2-2 3-3 4-4"),
]


def toy_model() -> PhraseModel:
    source, target = Vocabulary(), Vocabulary()
    sources = Sentences.encode([f.split() for f, _, _ in PAIRS], source)
    targets = Sentences.encode([e.split() for _, e, _ in PAIRS], target)
    links = Links.of([parse_pharaoh(text) for _, _, text in PAIRS])
    table = build_phrases(sources, targets, links, source, target)
    model = train_lm([e.split() for _, e, _ in PAIRS], order=3)
    weights = Features(table.feature_names, 1).start()
    casings = [Casing.learn(name, []) for name in ("lower", "cased")]
    return PhraseModel(table, (model,), weights, *casings)
