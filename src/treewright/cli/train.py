"""`treewright train`: learn a model from tree pairs."""

from __future__ import annotations

from treewright.cli.groups import lazy_group

app = lazy_group(
    "Learn a model from tree pairs.",
    {
        "em": "treewright.cli.iterative",
        "vb": "treewright.cli.iterative",
        "gibbs": "treewright.cli.gibbs",
        "crf": "treewright.cli.linear",
        "svm": "treewright.cli.linear",
        "perceptron": "treewright.cli.linear",
        "deletion": "treewright.cli.deletion",
    },
)
