from __future__ import annotations

import pytest

from treewright.errors import DataError
from treewright.paraphrase import configuration, harvest_files, paraphrases
from treewright.paraphrase.contexts import Contexts, Sentence
from treewright.paraphrase.reading import Read
from treewright.trees import TreeTable, parse_tree

SENTENCE = (
    "(S (NP (DT The) (NN firm)) (VP (VBZ wants) (S (VP (TO to) (VP (VB sell) (NP (NP (NNS shares))"
    " (PP (IN of) (NP (NN gold)))) (PP (TO to) (NP (CD 20) (NNS banks))))))) (. .))"
)
SAID = "(S (NP (DT The) (NN {})) (VP (VBD {}) (NP (DT the) (NN {}))) (. .))"


def contexts(tree: str, main: int) -> list[str]:
    table = TreeTable(parse_tree(tree))
    leaves = [table.nodes[leaf] for leaf in table.leaves]
    read = Read([leaf.word for leaf in leaves], [leaf.label for leaf in leaves], table)
    described = Contexts(configuration("pd", "dirt"))
    return described.of(Sentence.of(read), main, main + 1, main)


def test_paths_lead_from_a_verb_to_the_nearest_nouns_and_not_through_them():
    of_sell = {">dobj share", ">prep to >pobj bank", "<xcomp >nsubj firm"}
    assert set(contexts(SENTENCE, 4)) == of_sell
    of_want = {">nsubj firm", ">xcomp >dobj share", ">xcomp >prep to >pobj bank"}
    assert set(contexts(SENTENCE, 2)) == of_want


def test_verbs_with_the_same_slots_are_paraphrases(tmp_path):
    text = tmp_path / "trees"
    said = [("firm", "bought", "bank"), ("firm", "acquired", "bank"), ("dog", "chased", "cat")]
    said += [("dog", "saw", "cat"), ("rival", "bought", "shop"), ("rival", "acquired", "shop")]
    text.write_text("".join(f"{SAID.format(*words)}\n" for words in said * 2))
    model = harvest_files("pd", [text], named="dirt", changes={"min_count": 1})
    assert [item.text for item in paraphrases(model, "bought")] == ["acquired"]
    assert (">dobj bank", pytest.approx(0.25)) in model.reasons(
        *(model.read(verb) for verb in ("bought", "acquired"))
    )


def test_tags_alone_are_not_enough_for_paths(tmp_path):
    text = tmp_path / "tagged"
    text.write_text("The_DT firm_NN bought_VBD it_PRP ._.\n")
    with pytest.raises(DataError, match="need trees: give tokens alone"):
        harvest_files("pd", [text], named="dirt")
