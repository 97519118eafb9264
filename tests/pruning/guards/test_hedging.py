"""Words that take back what they stand by."""

import pytest

from treewright.pruning.guards.hedging import qualifying
from treewright.trees import TreeTable, parse_tree


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(VP (ADVP (RB almost)) (VBD fell))", {"almost"}),
        (
            "(VP (VBP have) (ADVP (RB yet)) (S (VP (TO to) (VP (VB come)))))",
            {"yet", "to"},
        ),
        ("(ADJP (RB far) (PP (IN from) (ADJP (JJ clear))))", {"far", "from", "from clear"}),
        ("(VP (VBD denied) (SBAR (S (NP (PRP it)) (VP (VBD fell)))))", {"denied"}),
        ("(VP (VBD said) (SBAR (S (NP (PRP it)) (VP (VBD fell)))))", set()),
    ],
)
def test_what_is_held(tree: str, expected: set[str]) -> None:
    parsed = parse_tree(tree)
    nodes = list(parsed.nodes())
    assert {" ".join(nodes[number].words()) for number in qualifying(TreeTable(parsed))} >= expected
    assert bool(qualifying(TreeTable(parsed))) == bool(expected)
