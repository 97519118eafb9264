"""`treewright relations`: the grammatical relations of trees."""

from __future__ import annotations

from treewright.cli import console, options
from treewright.errors import DataError


def relations(
    trees: options.Trees, strip: options.Strip = False, strict: options.Strict = False
) -> None:
    """Print the grammatical relations of each tree, one JSON object a line.

    Relations are [label, head, dependent] with token positions from 1, after --strip if that is
    given; the root's is left out. With a tree that cannot be read, the exit status is 1.
    """
    from treewright.trees.relations import relations as extract

    problems = console.collect(strict)
    for tree in console.source_trees(trees, strip=strip):
        if isinstance(tree, DataError):
            problems.add(tree)
            console.put_json({"relations": [], "error": str(tree)})
        else:
            console.put_json({"relations": [list(relation) for relation in extract(tree)]})
    console.finish(problems, "trees")
