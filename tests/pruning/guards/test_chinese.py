"""What Chinese phrases need, on trees of the Chinese parser's style."""

from __future__ import annotations

import pytest

from treewright.pruning.guards.chinese import chinese_needs
from treewright.trees import TreeTable, parse_tree


def held(text: str) -> list[str]:
    """Return the held nodes of a tree by their words."""
    table = TreeTable(parse_tree(text))
    return [" ".join(table.words[i] for i in table.span(x)) for x in sorted(chinese_needs(table))]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        # Subject, verb and object stay together; when it happened may go.
        (
            "(S (NP (Nh 我)) (Nd 今天) (VC 看) (Di 了) (NP (DM 一本) (Na 书)))",
            ["我", "看", "一本 书", "书"],
        ),
        ("(S (NP (Nd 昨天)) (VA 下雨) (T 了))", ["下雨"]),
        # The negation, and the verb that it negates.
        ("(VP (D 不) (PP (P 在) (NP (Nc 家))) (VA 睡))", ["不", "在", "家", "睡"]),
        ("(S (NP (Nh 他)) (PP (P 被)) (VC 拖走))", ["他", "被", "被", "拖走"]),
        ("(NP (N (Nh 我) (DE 的)) (A 大) (Na 书))", ["我", "的", "书"]),
        ("(GP (NP (Na 桌子)) (Ng 上))", ["桌子", "上"]),
        # What is coordinated may be taken apart.
        ("(NP (Na 茶) (C 和) (Na 奶))", []),
        # Nothing is held in English by Chinese rules.
        ("(S (NP (PRP he)) (VP (VBD did) (RB n't) (VP (VB come))))", []),
    ],
)
def test_what_a_chinese_phrase_needs(tree: str, expected: list[str]) -> None:
    assert held(tree) == expected
