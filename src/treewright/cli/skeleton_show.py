"""`treewright skeleton show`: a file of skeletons, as people read it."""

from __future__ import annotations

import sys

from treewright.cli import console, options
from treewright.cli.diff import is_styled
from treewright.cli.skeleton import SkeletonFile, Text, written


def show(text: Text, skeletons: SkeletonFile, output: options.Output = "-") -> None:
    """Check skeletons against their text, and print each sentence with the rest as [-this-]."""
    from treewright.corpora import read_tokens
    from treewright.files import atomic_write
    from treewright.translation import read_skeleton_lists

    console.check_stdin(text, skeletons)
    console.check_outputs([text, skeletons], [output])
    sentences = list(read_tokens(text))
    lists = read_skeleton_lists(skeletons, sentences)
    grouped = any(len(several) > 1 for several in lists)
    with atomic_write(output) as handle:
        styled = output == "-" and is_styled(sys.stdout)
        for words, several in zip(sentences, lists, strict=True):
            handle.write(written(words, several, "text", styled=styled, grouped=grouped))
