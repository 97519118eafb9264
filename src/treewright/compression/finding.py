"""Finding: from the forest of a sentence to the versions that break no guard."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import zip_longest

from treewright.arrays import Bools
from treewright.compression.candidates import Prunings
from treewright.compression.limits import Limit
from treewright.compression.models import AnyForest
from treewright.compression.prose import BoundSentence
from treewright.compression.searching import Objective
from treewright.compression.staging import Stages
from treewright.errors import DataError
from treewright.pruning import CompressionForest, Need, bar_tokens, bind_tokens, hold_tokens
from treewright.pruning.acceptance import Acceptance, join_neighbours
from treewright.pruning.deletion import DeletionForest
from treewright.pruning.guards import (
    LOOSE,
    NORMAL,
    STRICT,
    WEIGHED,
    Drop,
    Keep,
    bound_words,
    claim_of,
    demanded,
    essential,
    guard,
    impossible_neighbours,
    negation_words,
    parts_of,
    references_from,
)
from treewright.text import Sentence
from treewright.trees import Tree, TreeTable

_SHOWN = 5
"""How many words of a conflict are shown."""


def find_prunings(
    forest: AnyForest,
    sentence: Sentence,
    tree: Tree,
    *,
    keeps: Collection[Keep],
    drops: Collection[Drop] = (),
    limit: Limit,
    agree: bool,
    grammar: int = STRICT,
    faithful: str = NORMAL,
    fill: bool = False,
    acceptance: Acceptance | None = None,
    needs: Sequence[Need] = (),
) -> Stages[Prunings]:
    """Find the versions of a sentence that break no guard, stage by stage.

    With `agree`, the best version is the one of minimum Bayes risk, otherwise that of the best
    derivation. `grammar` says how far prunings obey grammar: completely, as far as it is not
    weighed, in what belongs together, or not at all. They always obey the guards on what is
    demanded, on negation, and on whatever else carries the claim, as far as they are to be
    `faithful`. `needs` are what the next sentence needs of this one.
    """
    stays = demanded(keeps, sentence, tree) if keeps else frozenset()
    if isinstance(sentence, BoundSentence):
        stays |= sentence.held
    barred = demanded(drops, sentence, tree) if drops else frozenset()
    _check_conflict(stays & barred, sentence)
    table = TreeTable(tree) if isinstance(forest, DeletionForest) else forest.source
    pairs = agree and isinstance(forest, CompressionForest) and not len(forest.grammar)
    needed = {} if acceptance is None or not pairs or grammar == STRICT else essential(table)
    yield
    impossible = impossible_neighbours(table) if pairs and grammar != LOOSE else None
    yield
    judged = None
    dispensable: frozenset[int] = frozenset()
    released = None
    if acceptance is not None and pairs and isinstance(forest, CompressionForest):
        judged = acceptance.judge(forest, needed, priced=grammar < WEIGHED)
        if faithful == NORMAL:
            dispensable = judged.dispensable(claim_of(table, faithful).weighed)
            released = judged.bearable(forest.gaps, parts_of(forest, faithful))
    yield
    left = _guarded(
        forest, tree, stays, barred, grammar, faithful, dispensable, released, needs, pairs=pairs
    )
    yield
    if isinstance(left, CompressionForest):
        # Everyone who reads the forest sees what the model says of neighbours.
        left = join_neighbours(left, impossible)
    yield
    objective = Objective(sentence, table, limit, agree, fill, judged)
    return Prunings(left, tree, objective, demanded=stays, barred=barred)


def needs_of_next(trees: Sequence[TreeTable | None]) -> list[tuple[Need, ...]]:
    """Return what the next sentence needs of each sentence, where both are parsed."""
    pairs = zip_longest(trees, trees[1:])
    return [references_from(one, after) if one and after else () for one, after in pairs]


def _guarded(
    forest: AnyForest,
    tree: Tree,
    tokens: frozenset[int],
    barred: frozenset[int],
    grammar: int,
    faithful: str,
    dispensable: frozenset[int],
    released: Bools | None,
    needs: Sequence[Need],
    *,
    pairs: bool,
) -> AnyForest:
    """Leave out what drops a demanded token or a negation, keeps a barred one, or violates
    faithfulness or grammar as far as they apply.

    A model of strings knows nothing about phrases: it keeps all negations, and binds what else
    carries the claim to its neighbours.
    """
    if isinstance(forest, CompressionForest):
        return guard(
            forest,
            tokens,
            barred,
            grammar=grammar,
            faithful=faithful,
            dispensable=dispensable,
            released=released,
            needs=needs,
            pairs=pairs,
        )
    bound = bind_tokens(bar_tokens(forest, barred), bound_words(TreeTable(tree), faithful))
    return hold_tokens(bound, tokens | negation_words(tree.words()))


def _check_conflict(both: frozenset[int], sentence: Sentence) -> None:
    """Raise an error if some tokens are demanded and barred."""
    if both:
        shown = " ".join([sentence.words[place] for place in sorted(both)][:_SHOWN])
        raise DataError(
            f"{shown!r} is both to be kept and to be dropped; keep less or drop less",
        )
