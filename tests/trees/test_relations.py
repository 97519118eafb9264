"""Grammatical relations: one small tree per behaviour, then properties and the reference data."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.trees import Tree, parse_tree
from treewright.trees.heads import word_set
from treewright.trees.relations import Relation, is_punctuation, relations

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "relations" / "dev.jsonl"


def found(text: str) -> set[str]:
    """Return the relations of a tree as `label(head, dependent)`."""
    tree = parse_tree(text)
    words = ("", *tree.words())
    return {f"{label}({words[head]}, {words[dep]})" for label, head, dep in relations(tree)}


IT_RAINS = "(S (NP (PRP it)) (VP (VBZ rains)))"
SUBJECTS = {
    "before a verb": (IT_RAINS, "nsubj(rains, it)"),
    "of a passive": (
        "(S (NP (NNS cows)) (VP (VBP are) (VP (VBN sold))))",
        "nsubjpass(sold, cows)",
    ),
    "of a coordinated passive": (
        "(S (NP (NNS cows)) (VP (VP (VBP graze)) (CC and) (VP (VBP are) (VP (VBN sold)))))",
        "nsubjpass(graze, cows)",
    ),
    "of a predicate noun": (
        "(S (NP (NNP Ann)) (VP (VBZ is) (NP (DT a) (NN judge))))",
        "nsubj(judge, Ann)",
    ),
    "in a yes-no question": (
        "(SQ (VBD did) (NP (PRP it)) (VP (VB rain)))",
        "nsubj(rain, it)",
    ),
    "after a negated question verb": (
        "(SQ (VBZ is) (RB n't) (NP (PRP he)) (ADJP (JJ ill)))",
        "nsubj(ill, he)",
    ),
    "that is asked for": (
        "(SBARQ (WHNP (WP who)) (SQ (VP (VBD left))))",
        "nsubj(left, who)",
    ),
    "after an inverted verb": (
        "(SINV (ADVP (RB here)) (VP (VBZ comes)) (NP (DT the) (NN bus)))",
        "nsubj(comes, bus)",
    ),
    "that is a relative pronoun": (
        "(NP (NP (NNS cows)) (SBAR (WHNP (WDT that)) (S (VP (VBP graze)))))",
        "nsubj(graze, that)",
    ),
    "of a small clause": (
        "(VP (VBP call) (S (NP (PRP him)) (NP (DT a) (NN fool))))",
        "nsubj(fool, him)",
    ),
    "of existential there": (
        "(S (NP (EX there)) (VP (VBZ is) (NP (DT a) (NN ghost))))",
        "nsubj(is, ghost)",
    ),
    "clausal": (
        f"(S (SBAR (IN that) {IT_RAINS}) (VP (VBZ annoys) (NP (PRP me))))",
        "csubj(annoys, rains)",
    ),
    "clausal of a passive": (
        f"(S (SBAR (IN That) {IT_RAINS}) (VP (VBD was) (VP (VBN seen))))",
        "csubjpass(seen, rains)",
    ),
}
COMPLEMENTS = {
    "direct object": ("(VP (VBP milk) (NP (NNS cows)))", "dobj(milk, cows)"),
    "direct object after a dative": (
        "(VP (VBD gave) (NP (PRP him)) (NP (NN milk)))",
        "dobj(gave, milk)",
    ),
    "indirect object": (
        "(VP (VBD gave) (NP (PRP him)) (NP (NN milk)))",
        "iobj(gave, him)",
    ),
    "object that is a relative pronoun": (
        "(NP (NP (NN milk)) (SBAR (WHNP (WDT that)) (S (NP (PRP he)) (VP (VBD drank)))))",
        "dobj(drank, that)",
    ),
    "object that is asked for": (
        "(SBARQ (WHNP (WP what)) (SQ (VBD did) (NP (PRP he)) (VP (VB drink))))",
        "dobj(drink, what)",
    ),
    "object of a preposition": ("(PP (IN in) (NP (NN milk)))", "pobj(in, milk)"),
    "adverb as object of a preposition": ("(PP (IN from) (ADVP (RB here)))", "pobj(from, here)"),
    "clause after a preposition": (
        "(PP (IN by) (S (VP (VBG milking) (NP (NNS cows)))))",
        "pcomp(by, milking)",
    ),
    "attribute of a wh-question": (
        "(SBARQ (WHNP (WP what)) (SQ (VBZ is) (NP (DT that))))",
        "attr(is, what)",
    ),
    "adjective": ("(VP (VBZ looks) (ADJP (JJ ill)))", "acomp(looks, ill)"),
    "finite clause": (f"(VP (VBZ says) (SBAR (IN that) {IT_RAINS}))", "ccomp(says, rains)"),
    "finite clause without that": (f"(VP (VBZ says) (SBAR {IT_RAINS}))", "ccomp(says, rains)"),
    "quotation": (
        f"(S (`` ``) {IT_RAINS} (, ,) ('' '') (NP (NNP Ann)) (VP (VBD said)))",
        "ccomp(said, rains)",
    ),
    "finite clause of an adjective": (
        f"(ADJP (JJ sure) (SBAR (IN that) {IT_RAINS}))",
        "ccomp(sure, rains)",
    ),
    "infinitive": ("(VP (VBP want) (S (VP (TO to) (VP (VB go)))))", "xcomp(want, go)"),
    "infinitive of an adjective": (
        "(ADJP (JJ ready) (S (VP (TO to) (VP (VB go)))))",
        "xcomp(ready, go)",
    ),
    "gerund": ("(VP (VBP stop) (S (VP (VBG crying))))", "xcomp(stop, crying)"),
    "complementiser": (f"(VP (VBZ says) (SBAR (IN that) {IT_RAINS}))", "complm(rains, that)"),
    "subordinator": (f"(VP (VBD left) (SBAR (IN if) {IT_RAINS}))", "mark(rains, if)"),
    "relative phrase": (
        "(NP (NP (NN barn)) (SBAR (WHPP (IN in) (WHNP (WDT which))) "
        "(S (NP (PRP he)) (VP (VBZ sleeps)))))",
        "rel(sleeps, in)",
    ),
    "relative pronoun of a stranded preposition": (
        "(NP (NP (NN barn)) (SBAR (WHNP (WDT that)) "
        "(S (NP (PRP he)) (VP (VBZ sleeps) (PP (IN in))))))",
        "rel(sleeps, that)",
    ),
}
VERBAL = {
    "auxiliary": ("(VP (VBZ has) (VP (VBN rained)))", "aux(rained, has)"),
    "infinitive marker": ("(VP (TO to) (VP (VB rain)))", "aux(rain, to)"),
    "auxiliary of a question": ("(SQ (VBD did) (NP (PRP it)) (VP (VB rain)))", "aux(rain, did)"),
    "passive auxiliary": ("(VP (VBD was) (VP (VBN sold)))", "auxpass(sold, was)"),
    "copula before an adjective": ("(VP (VBZ seems) (ADJP (JJ ill)))", "cop(ill, seems)"),
    "copula before a noun": ("(VP (VBZ is) (NP (DT a) (NN judge)))", "cop(judge, is)"),
    "copula of a question": ("(SQ (VBZ is) (NP (PRP he)) (ADJP (JJ ill)))", "cop(ill, is)"),
    "particle": ("(VP (VBD gave) (PRT (RP up)))", "prt(gave, up)"),
    "expletive": (
        "(S (NP (EX there)) (VP (VBZ is) (NP (DT a) (NN ghost))))",
        "expl(is, there)",
    ),
    "negation": ("(VP (VBZ does) (RB n't) (VP (VB rain)))", "neg(rain, n't)"),
    "negation in a phrase": ("(VP (ADVP (RB never)) (VBZ rains))", "neg(rains, never)"),
    "adverb": ("(VP (ADVP (RB often)) (VBZ rains))", "advmod(rains, often)"),
    "wh-adverb": (
        "(SBARQ (WHADVP (WRB why)) (SQ (VBD did) (NP (PRP it)) (VP (VB rain))))",
        "advmod(rain, why)",
    ),
    "time": ("(VP (VBD rained) (NP (JJ last) (NN night)))", "tmod(rained, night)"),
    "time before the subject": (
        "(S (NP (NN yesterday)) (NP (PRP it)) (VP (VBD rained)))",
        "tmod(rained, yesterday)",
    ),
    "prepositional phrase": (
        "(VP (VBZ sleeps) (PP (IN in) (NP (NNS barns))))",
        "prep(sleeps, in)",
    ),
    "adverbial clause": (f"(VP (VBD left) (SBAR (IN if) {IT_RAINS}))", "advcl(left, rains)"),
    "adverbial clause in front": (
        f"(S (SBAR (IN if) {IT_RAINS}) (, ,) (NP (PRP he)) (VP (VBZ leaves)))",
        "advcl(leaves, rains)",
    ),
    "purpose clause": (
        "(VP (VBZ trains) (SBAR (IN in) (NN order) (S (VP (TO to) (VP (VB win))))))",
        "purpcl(trains, win)",
    ),
    "purpose clause of a passive": (
        "(VP (MD can) (VP (VB be) (VP (VBN used) (S (VP (TO to) (VP (VB win)))))))",
        "purpcl(used, win)",
    ),
    "parenthesis": (
        "(S (NP (PRP it)) (PRN (, ,) (S (NP (PRP he)) (VP (VBD said))) (, ,)) (VP (VBZ rains)))",
        "parataxis(rains, said)",
    ),
    "clause after a colon": (
        f"(S {IT_RAINS} (: ;) (S (NP (PRP he)) (VP (VBZ leaves))))",
        "parataxis(rains, leaves)",
    ),
}
NOMINALS = {
    "determiner": ("(NP (DT the) (NN cow))", "det(cow, the)"),
    "wh-determiner": ("(WHNP (WDT which) (NN cow))", "det(cow, which)"),
    "predeterminer": ("(NP (PDT all) (DT the) (NNS cows))", "predet(cows, all)"),
    "possessive pronoun": ("(NP (PRP$ his) (NN cow))", "poss(cow, his)"),
    "possessor": ("(NP (NP (NNP Ann) (POS 's)) (NN cow))", "poss(cow, Ann)"),
    "possessive mark": ("(NP (NP (NNP Ann) (POS 's)) (NN cow))", "possessive(Ann, 's)"),
    "adjective": ("(NP (JJ brown) (NN cow))", "amod(cow, brown)"),
    "number": ("(NP (CD three) (NNS cows))", "num(cows, three)"),
    "part of a number": ("(NP (QP (CD three) (CD million)) (NNS cows))", "number(million, three)"),
    "quantifier": ("(NP (QP (RB about) (CD ten)) (NNS cows))", "quantmod(ten, about)"),
    "quantifier of two words": (
        "(NP (QP (JJR more) (IN than) (CD ten)) (NNS cows))",
        "quantmod(ten, than)",
    ),
    "compound": ("(NP (NN cow) (NN bell))", "nn(bell, cow)"),
    "apposition": (
        "(NP (NP (NNP Ann)) (, ,) (NP (PRP$ my) (NN aunt)))",
        "appos(Ann, aunt)",
    ),
    "abbreviation": (
        "(NP (NP (DT the) (NN agency)) (PRN (-LRB- -LRB-) (NP (NNP NSA)) (-RRB- -RRB-)))",
        "abbrev(agency, NSA)",
    ),
    "measure": ("(ADJP (NP (CD ten) (NNS feet)) (JJ tall))", "measure(tall, feet)"),
    "relative clause": (
        "(NP (NP (NNS cows)) (SBAR (WHNP (WDT that)) (S (VP (VBP graze)))))",
        "rcmod(cows, graze)",
    ),
    "relative clause without a pronoun": (
        "(NP (NP (NNS cows)) (SBAR (S (NP (PRP I)) (VP (VBP own)))))",
        "rcmod(cows, own)",
    ),
    "participle": (
        "(NP (NP (NNS cows)) (VP (VBN sold) (PP (IN at) (NP (NNS fairs)))))",
        "partmod(cows, sold)",
    ),
    "participle after the subject": (
        "(S (NP (PRP he)) (, ,) (S (VP (VBG smiling))) (, ,) (VP (VBD left)))",
        "partmod(left, smiling)",
    ),
    "infinitive": (
        "(NP (NP (NNS cows)) (S (VP (TO to) (VP (VB sell)))))",
        "infmod(cows, sell)",
    ),
    "prepositional phrase": (
        "(NP (NP (NNS cows)) (PP (IN in) (NP (NNS barns))))",
        "prep(cows, in)",
    ),
}
COORDINATION = {
    "conjunct": ("(NP (NN tea) (CC and) (NN milk))", "conj(tea, milk)"),
    "conjunction": ("(NP (NN tea) (CC and) (NN milk))", "cc(tea, and)"),
    "conjunct of a series": ("(NP (NN tea) (, ,) (NN milk) (CC and) (NN rum))", "conj(tea, milk)"),
    "conjunct after an adverb": (
        "(VP (VP (VBD ate)) (CC and) (ADVP (RB then)) (VP (VBD slept)))",
        "conj(ate, slept)",
    ),
    "preconjunction": (
        "(NP (CC both) (NP (NN tea)) (CC and) (NP (NN milk)))",
        "preconj(tea, both)",
    ),
    "not only": (
        "(NP (CONJP (RB not) (RB only)) (NP (NN tea)) (CONJP (CC but) (RB also)) (NP (NN milk)))",
        "preconj(tea, only)",
    ),
    "two flat compounds": (
        "(NP (DT the) (NN phone) (NN book) (CC and) (NN tour) (NN guide))",
        "conj(book, guide)",
    ),
    "modifiers of one head": (
        "(NP (NN tea) (CC or) (NN milk) (NNS cups))",
        "conj(tea, milk)",
    ),
    "modifiers of one head hang on it": (
        "(NP (NN tea) (CC or) (NN milk) (NNS cups))",
        "nn(cups, tea)",
    ),
    "unlike phrases": (
        "(NP (UCP (JJ red) (CC and) (NN gold)) (NN paint))",
        "amod(paint, red)",
    ),
}
EXAMPLES = {
    f"{group}: {name}": example
    for group, examples in {
        "subject": SUBJECTS,
        "complement": COMPLEMENTS,
        "verbal": VERBAL,
        "nominal": NOMINALS,
        "coordination": COORDINATION,
    }.items()
    for name, example in examples.items()
}


@pytest.mark.parametrize(("text", "relation"), EXAMPLES.values(), ids=EXAMPLES.keys())
def test_relation_is_found(text: str, relation: str) -> None:
    assert relation in found(text)


def test_a_whole_sentence() -> None:
    text = (
        "(ROOT (S (NP (DT The) (JJ old) (NN clock)) (VP (VBZ has) (VP (VBN been) (VP (VBN mended)"
        " (PP (IN by) (NP (PRP$ my) (NN uncle)))))) (. .)))"
    )
    assert relations(parse_tree(text)) == (
        Relation("det", 3, 1),
        Relation("amod", 3, 2),
        Relation("nsubjpass", 6, 3),
        Relation("aux", 6, 4),
        Relation("auxpass", 6, 5),
        Relation("prep", 6, 7),
        Relation("poss", 9, 8),
        Relation("pobj", 7, 9),
    )


def test_punctuation_takes_no_part() -> None:
    assert found("(S (NP (NNS cows)) (, ,) (VP (VBP graze)) (. !))") == {"nsubj(graze, cows)"}


def test_function_tags_are_tolerated() -> None:
    assert found("(S (NP-SBJ-1 (NNS cows)) (VP (VBP graze)))") == {"nsubj(graze, cows)"}


def test_unknown_labels_give_plain_dependents() -> None:
    assert found("(FOO (BAR one) (BAZ two))") == {"dep(one, two)"}


@pytest.mark.parametrize(
    "tree", [Tree("NN", word="oak"), Tree("S"), Tree("S", [Tree("NP"), Tree("VP")])]
)
def test_no_relation_without_two_words(tree: Tree) -> None:
    assert relations(tree) == ()


def test_frontier_nodes_are_passed_over() -> None:
    tree = Tree("S", [Tree("NP"), Tree("NP", [Tree("NN", word="oak")]), Tree("VB", word="grew")])
    assert [relation[1:] for relation in relations(tree)] == [(1, 2)]


def test_any_depth_is_converted() -> None:
    tree = Tree("NP", [Tree("NN", word="oak")])
    for _ in range(3000):
        tree = Tree("NP", [Tree("NP", [Tree("NN", word="oak")]), Tree("PP", [Tree("IN"), tree])])
    assert len(relations(tree)) == 3000


LABELS = sorted(
    word_set(
        "S NP VP PP ADJP ADVP SBAR SBARQ SQ SINV QP UCP PRN CONJP WHNP WHADVP NX FRAG X"
        " NN NNS NNP CC , . : -LRB- DT JJ IN TO VB VBZ VBN RB CD POS PRP$ EX WRB"
    )
)
WORDS = sorted(word_set("is be that not both and , . 's there in order today oak"))
preterminals = st.builds(
    lambda label, word: Tree(label, word=word), st.sampled_from(LABELS), st.sampled_from(WORDS)
)
trees = st.recursive(
    preterminals,
    lambda below: st.builds(Tree, st.sampled_from(LABELS), st.lists(below, max_size=7)),
    max_leaves=30,
)
# Flat noun phrases with conjunctions are restructured before conversion.
flat_phrases = st.lists(preterminals, min_size=1, max_size=12).map(lambda kids: Tree("NP", kids))


@given(trees | flat_phrases)
def test_relations_form_a_dependency_tree(tree: Tree) -> None:
    words = tree.words()
    governors = {relation.dependent: relation.head for relation in relations(tree)}
    assert list(governors) == sorted(governors)
    assert len(governors) == len(relations(tree))
    real = {i for i, word in enumerate(words, start=1) if not is_punctuation(word)}
    assert governors.keys() <= real
    assert len(real - governors.keys()) <= 1
    for word in real:
        seen = set()
        while word in governors:
            assert word not in seen
            seen.add(word)
            word = governors[word]
        assert 1 <= word <= len(words)


@pytest.mark.skipif(not DATA.is_file(), reason=f"the reference relations are not at {DATA}")
def test_reference_relations_are_reproduced() -> None:
    labelled = unlabelled = ours = theirs = 0
    for line in DATA.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        expected = {Relation(*relation) for relation in record["relations"]}
        actual = set(relations(parse_tree(record["tree"])))
        labelled += len(expected & actual)
        unlabelled += len({r[1:] for r in expected} & {r[1:] for r in actual})
        ours += len(actual)
        theirs += len(expected)
    assert 2 * labelled / (ours + theirs) >= 0.999
    assert 2 * unlabelled / (ours + theirs) >= 0.999
