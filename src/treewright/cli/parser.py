"""`treewright parser`: train parsers, label text with a teacher, evaluate."""

from __future__ import annotations

from treewright.cli.groups import lazy_group

app = lazy_group(
    "Train and evaluate parsers.",
    {
        "train": "treewright.cli.parser_train",
        "label": "treewright.cli.parser_train",
        "average": "treewright.cli.parser_train",
        "evaluate": "treewright.cli.parser_evaluate",
    },
)
