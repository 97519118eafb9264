"""The syntactic type of a sequence of words in a tree: a label, or what a label lacks.

`VP/NP` is a verb phrase without the noun phrase that should follow, `S\\NP` a sentence without the
one that should precede (Callison-Burch 2008, after categorial grammar).
"""

from __future__ import annotations

from treewright.trees import TreeTable


def syntactic_type(table: TreeTable, start: int, end: int) -> str:
    """Return the type of the words from `start` up to `end`; empty if they have none."""
    spans = _spans(table)
    plain = spans.get((start, end))
    if plain is not None:
        return plain
    size = table.right[0]
    for right in range(end + 1, size + 1):
        if (start, right) in spans and (end, right) in spans:
            return f"{spans[start, right]}/{spans[end, right]}"
    for left in range(start - 1, -1, -1):
        if (left, end) in spans and (left, start) in spans:
            return f"{spans[left, end]}\\{spans[left, start]}"
    return ""


def _spans(table: TreeTable) -> dict[tuple[int, int], str]:
    """The label of each span; of several nodes, that of the highest below the root."""
    found: dict[tuple[int, int], str] = {}
    for node in range(len(table) - 1, 0, -1):
        found[table.left[node], table.right[node]] = table.labels[node]
    return found


def base_chunks(table: TreeTable) -> list[tuple[int, int]]:
    """Return the spans of the lowest noun phrases, from left to right."""
    inner = set()
    for node in range(len(table) - 1, -1, -1):
        if table.labels[node] == "NP":
            above = table.parent[node]
            while above >= 0 and above not in inner:
                inner.add(above)
                above = table.parent[above]
    return sorted(
        (table.left[node], table.right[node])
        for node in range(len(table))
        if table.labels[node] == "NP" and node not in inner
    )
