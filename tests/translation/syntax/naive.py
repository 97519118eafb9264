"""Translations of a tree by enumeration: every way to apply rules, glue and copying."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from treewright.grammar import Grammar, Rule, TargetString
from treewright.lm import LanguageModel
from treewright.translation.syntax.features import OWN
from treewright.trees import Tree

Item = tuple[tuple[str, ...], np.ndarray]
"""Words, and the features so far."""
ANY = "*"


def match(fragment: Tree, node: Tree) -> list[Tree] | None:
    """The nodes where a fragment stops when it matches at a node."""
    if fragment.label != node.label:
        return None
    if fragment.is_frontier:
        return [node]
    if fragment.word is not None or node.word is not None:
        return [] if fragment.word == node.word else None
    if len(fragment.children) != len(node.children):
        return None
    stops: list[Tree] = []
    for below, child in zip(fragment.children, node.children, strict=True):
        found = match(below, child)
        if found is None:
            return None
        stops += found
    return stops


def leaves(rule: Rule) -> list[tuple[str, str | None]]:
    """The target's leaves: (category, word or None)."""
    if isinstance(rule.target, TargetString):
        return [(ANY, word) for word in rule.target.items]
    return [(node.label, node.word) for node in rule.target.nodes() if not node.children]


class Enumeration:
    def __init__(self, grammar: Grammar, *, glue: bool = True) -> None:
        self.grammar = grammar
        self.glue = glue
        self.to_trees = not grammar.has_strings
        self.size = len(grammar.feature_names) + len(OWN)

    def own(self, name: str) -> np.ndarray:
        features = np.zeros(self.size)
        features[len(self.grammar.feature_names) + OWN.index(name)] = 1
        if name == "copied":
            features[self.grammar.feature_names.index("word")] = 1
        return features

    def by_rules(self, node: Tree) -> dict[str, list[Item]]:
        """The translations that rules give, by category."""
        found: dict[str, list[Item]] = {}
        for rule, features in zip(self.grammar.rules, self.grammar.features, strict=True):
            stops = match(rule.source, node)
            if stops is None:
                continue
            start = np.zeros(self.size)
            start[: features.size] = features
            category = rule.target.label if self.to_trees else ANY
            found.setdefault(category, []).extend(self.fill(rule, stops, start))
        return found

    def fill(self, rule: Rule, stops: list[Tree], features: np.ndarray) -> Iterator[Item]:
        spelled = leaves(rule)
        wanted = [label for label, word in spelled if word is None]
        source = [rule.links.index(variable) for variable in range(len(wanted))]
        choices: list[list[Item]] = []
        for label, place in zip(wanted, source, strict=True):
            exact = self.by_rules(stops[place]).get(label, [])
            if not exact and self.to_trees:
                off = self.own("mismatched")
                choices.append([(w, f + off) for w, f in self.anything(stops[place])])
            else:
                choices.append(exact if self.to_trees else self.anything(stops[place]))
        for chosen in product(*choices):
            parts, total, words = iter(chosen), features.copy(), []
            for _, word in spelled:
                if word is not None:
                    words.append(word)
                    continue
                more, add = next(parts)
                words += more
                total += add
            yield tuple(words), total

    def anything(self, node: Tree) -> list[Item]:
        """All translations of a node."""
        found = [item for items in self.by_rules(node).values() for item in items]
        if not self.glue:
            return found
        if node.word is None:
            for chosen in product(*(self.anything(child) for child in node.children)):
                words = tuple(word for words, _ in chosen for word in words)
                found.append((words, sum((f for _, f in chosen), self.own("glue"))))
        elif not found:
            found = [((node.word,), self.own("copied"))]
            if node.word in self.grammar.packed.words:
                found.append(((), self.own("dropped")))
        return found


def scored(
    items: list[Item], model: LanguageModel, weights: np.ndarray
) -> list[tuple[float, tuple[str, ...]]]:
    """All translations with their scores, best first."""
    found = [
        (float(features @ weights[:-1] + weights[-1] * model.score(words).sum()), words)
        for words, features in items
    ]
    return sorted(found, reverse=True)
