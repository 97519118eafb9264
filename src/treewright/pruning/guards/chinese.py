"""What a Chinese phrase cannot do without, in trees of the Sinica treebank's style.

There is no Chinese text that people shortened, so no grammar that a limit may override at learned
prices: all of this always holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from treewright.trees import TreeTable, word_set

_MARKS = word_set("PU DE Na Nb Nc Nh VA VC VE VH VJ VK SHI V_2")
"""Tags by which Chinese trees are told from English ones."""
_VERBS = word_set("SHI V_2 VA VAC VB VC VCL VD VE VF VG VH VHC VI VJ VK VL V")
_CLAUSES = word_set("S VP")
_WHOLE = word_set("PP GP N V DM")
"""Phrases of a word and what it needs: 在 桌子, 桌子 上, 我 的, 三 本."""
_COMPLEMENTS = word_set("NP S VP N V Na Nb Nc Nh Nv GP")
_BETWEEN = word_set("Di D DM T Dfa Dfb")
"""What may stand between a verb and its complement."""
_CARRYING = word_set(
    "不 没 没有 别 未 勿 莫 无 不会 不能 不要 不是 不可 不可能 不得 不必 不用 不再 不想 不到 不了"
    " 不曾 不许 不准 不该 不应 不应该 未能 未曾 从不 从未 绝不 决不 并不 并非 无法 毫无 没什么"
    " 从来不 才 只 只有 仅 除非 是否 被"
)
"""Words without which a clause would say something else: negations, restrictions, 被."""


def chinese_needs(source: TreeTable) -> frozenset[int]:
    """Return the nodes, in preorder, that stay as long as their parent does; none in English."""
    if _MARKS.isdisjoint(source.labels):
        return frozenset()
    held: set[int] = set()
    for node, label in enumerate(source.labels):
        children = source.children[node]
        if len(children) > 1 and "C" not in [source.labels[x] for x in children]:
            held.update(_needed(source, node, label))
    for place, word in enumerate(source.words):
        if word in _CARRYING:
            held.update(_carried(source, source.leaves[place]))
    return frozenset(held)


def _needed(source: TreeTable, node: int, label: str) -> Iterable[int]:
    children = [x for x in source.children[node] if source.labels[x] != "PU"]
    labels = [source.labels[x] for x in children]
    if label in _WHOLE or "DE" in labels[-1:]:
        return children
    head = source.syntactic_children[node]
    if label == "NP":
        return [head]
    if label not in _CLAUSES or source.labels[head] not in _VERBS:
        return []
    place = children.index(head)
    return [head, *_complement(source, children[place + 1 :]), *_subject(source, children[:place])]


def _complement(source: TreeTable, after: list[int]) -> list[int]:
    """Return what a verb governs, the first phrase after it."""
    rest = [x for x in after if source.labels[x] not in _BETWEEN]
    return [x for x in rest[:1] if source.labels[x] in _COMPLEMENTS]


def _subject(source: TreeTable, before: list[int]) -> list[int]:
    """Return the last noun phrase before a verb that does not say when."""
    phrases = [x for x in before if source.labels[x] in ("NP", "N", "Na", "Nb", "Nh")]
    tags = [source.labels[source.leaves[source.heads[x]]] for x in phrases]
    return [x for x, tag in zip(phrases, tags, strict=True) if tag != "Nd"][-1:]


def _carried(source: TreeTable, leaf: int) -> list[int]:
    """Return a word and its phrases up to the clause it changes, with that clause's verb."""
    held = []
    node = leaf
    while (above := source.parent[node]) >= 0:
        held.append(node)
        if source.labels[above] in _CLAUSES:
            return [*held, source.syntactic_children[above]]
        node = above
    return held
