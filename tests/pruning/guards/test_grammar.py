"""What a phrase cannot do without."""

import numpy as np
import pytest

from treewright.pruning import Gaps
from treewright.pruning.guards.clinging import clinging_gaps
from treewright.pruning.guards.coordination import parting_gaps
from treewright.pruning.guards.grammar import essential, head_ties
from treewright.trees import TreeTable, parse_tree


def held(brackets: str) -> set[str]:
    """Return what is held, as text."""
    tree = parse_tree(brackets)
    nodes = list(tree.nodes())
    return {" ".join(nodes[number].words()) for number in essential(TreeTable(tree))}


ALL_OF_THE_SHOPS = {"All", "of the shops", "of", "the shops", "the", "shops"}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(NP (DT the) (JJ old) (NN dog))", {"the", "dog"}),
        (
            "(S (NP (NN tea)) (PRN (, ,) (S (VP (VBD said))) (, ,)) (VP (VBZ helps)))",
            {"helps", "said"},
        ),
        (
            "(S (S (VP (VB go))) (PRN (, ,) (S (VP (VBD said))) (, ,)) (S (VP (VB go))))",
            {"go"},
        ),
        (
            "(NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD came)))))",
            {"the man", "the", "man", "who", "came"},
        ),
        ("(NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome))))", {"the", "city", "Rome"}),
        (
            "(NP (NP (DT a) (NN number)) (PP (IN of) (NP (NNS people))))",
            {"a number", "a", "number", "of people", "of", "people"},
        ),
        ("(VP (VBD ran) (PP (IN to) (NP (NNP Rome))) (ADVP (RB soon)))", {"ran", "to", "Rome"}),
        ("(VP (VBZ has) (ADVP (RB soon)) (VP (VBN gone)))", {"has", "gone"}),
        (
            "(VP (VBD said) (NP (NNP Tuesday)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD fell)))))",
            {"that it fell", "it fell", "fell"},
        ),
        (
            "(VP (VBD met) (NP (DT the) (NN king)) (NP (NNP Tuesday)))",
            {"met", "the king", "the", "king"},
        ),
        ("(VP (VBD met) (NP (NNP Tuesday)))", {"met"}),
        ("(S (NP (PRP it)) (VP (VBD rained)))", {"rained"}),
        (
            "(S (S (NP (PRP it)) (VP (VBD rained))) (, ,) (NP (PRP he)) (VP (VBD said)))",
            {"it rained", "rained"},
        ),
        (
            "(S (S (NP (PRP it)) (VP (VBD fell))) (SBAR (IN as) (S (NP (PRP he)) (VP (VBD saw)))))",
            {"it fell", "fell", "as", "he saw", "saw"},
        ),
        (
            "(SINV (ADVP (RB Here)) (VP (VBP are)) (NP (DT the) (NNS facts)))",
            {"are", "the facts", "facts"},
        ),
        ("(NP (DT the) (NNP Mill) (NNP Road))", {"the", "Mill", "Road"}),
        ("(NP (CD 40) (JJ new) (NNS euros))", {"40", "euros"}),
        (
            "(VP (VB say) (SBAR (WHADVP (WRB when)) (S (NP (PRP it)) (VP (VBD fell)))))",
            {"when it fell", "when", "it fell", "fell"},
        ),
        ("(QP (IN about) (JJR more) (IN than) (CD ten))", {"more", "than", "ten"}),
        ("(NP (NN bread) (CC and) (NN wine))", set()),
        ("(S (NP (DT some)) (CC but) (RB not) (NP (DT all)) (VP (VBD left)))", {"left"}),
        ("(S (S (VP (VB go))) (CC and) (S (VP (VB come))))", set()),
        ("(NP (NP (NN card)) (CC or) (PP (IN in) (NP (NN cash))))", {"card", "in", "cash"}),
        # A predicate below an adverb, and the subject of two predicates.
        ("(VP (ADVP (RB reportedly)) (VP (VBD left)))", {"left"}),
        (
            "(S (NP (PRP he)) (VP (VP (VBD came)) (CC and) (VP (VBD left))))",
            {"he", "came and left"},
        ),
        # What follows a form of `be`, whatever it is.
        ("(VP (VBZ is) (PP (IN in) (NP (NNP Rome))))", {"is", "in Rome", "in", "Rome"}),
        (
            "(VP (VBP are) (JJ open) (PP (IN on) (NP (NNP Sunday))))",
            {"are", "open", "on", "Sunday"},
        ),
        ("(VP (VBD was) (RB here) (NP (NNP Monday)))", {"was", "Monday"}),
        ("(VP (VBD sang) (PP (IN in) (NP (NNP Rome))))", {"sang", "in", "Rome"}),
        # Verbs that say nothing without their preposition.
        ("(VP (VBZ belongs) (PP (TO to) (NP (PRP her))))", {"belongs", "to her", "to", "her"}),
        ("(VP (VBZ belongs) (PP (IN in) (NP (NNP Rome))))", {"belongs", "in", "Rome"}),
        # A part of all of them.
        ("(NP (NP (DT All)) (PP (IN of) (NP (DT the) (NNS shops))))", ALL_OF_THE_SHOPS),
        (
            "(NP (NP (NNS owners)) (PP (IN of) (NP (DT the) (NNS shops))))",
            {"the shops", "shops"},
        ),
        # What an edge is the edge of, and how far is far.
        (
            "(NP (NP (DT the) (NN edge)) (PP (IN of) (NP (NN town))))",
            {"the edge", "the", "edge", "of town", "of", "town"},
        ),
        (
            "(NP (NP (CD 200) (NNS metres)) (PP (IN of) (NP (NN shore))))",
            {"200 metres", "200", "metres", "of shore", "of", "shore"},
        ),
        ("(NP (DT the) (CD 100) (NNS metres))", {"the", "100", "metres"}),
        # Numbers that name things, unlike those that count them.
        ("(NP (NN item) (CD 4))", {"item", "4"}),
        ("(NP (CD 4) (NNS items))", {"items"}),
        # A noun that was taken for an adjective.
        ("(NP (PRP$ her) (JJ personal) (JJS best))", {"her"}),
        # An object after an aside.
        (
            "(VP (VB bear) (, ,) (PP (IN in) (NP (NN ink))) (, ,) (NP (NNP Ann) (POS 's)))",
            {"bear", "ink", "in", "Ann 's", "Ann", "'s"},
        ),
        ("(VP (VB sing) (PP (IN in) (NP (NN tune))) (NP (NN yesterday)))", {"sing", "in", "tune"}),
        # `that` where a clause could be taken for the sentence.
        (
            "(VP (VBD said) (SBAR (IN that) (, ,) (S (PP (IN in) (NP (NN fact))) "
            "(NP (PRP it)) (VP (VBD rained)))))",
            {"that , in fact it rained", "that", "in fact it rained", "rained", "in", "fact"},
        ),
        (
            "(NP (NP (NN fact)) (SBAR (IN that) (S (NP (PRP it)) (VP (VBD rained)))))",
            {"fact", "that it rained", "that", "it rained", "rained"},
        ),
        (
            "(VP (VBD said) (NP (NNP Monday)) (SBAR (IN that) (S (NP (PRP it)) "
            "(VP (VBD rained)))))",
            {"that it rained", "it rained", "rained"},
        ),
        # `which` after its preposition.
        ("(WHPP (IN on) (WHNP (WDT which)))", {"on", "which"}),
        # A remark on a sentence, and one on a name.
        (
            "(S (S (NP (PRP he)) (VP (VBD left))) (, ,) (NP (NP (DT a) (NN step)) "
            "(SBAR (S (NP (PRP we)) (VP (VBD saw))))))",
            {"he left", "left", "a step", "a", "step", "we saw", "saw"},
        ),
        (
            "(NP (NP (NNP Ann)) (, ,) (NP (NP (DT a) (NN nurse)) "
            "(SBAR (WHNP (WP who)) (S (VP (VBD came))))))",
            {"a nurse", "a", "nurse", "who", "came"},
        ),
    ],
)
def test_heads_objects_and_predicates_are_held(tree: str, expected: set[str]) -> None:
    assert held(tree) == expected


def test_a_sentence_may_be_a_clause() -> None:
    assert held("(SBAR (WP who) (VP (VBD saw) (NP it)))") == {"saw it", "saw", "it", "who"}
    assert held("(NP (NN man) (SBAR (WP who) (VP it)) (NP him))") >= {"man"}


def test_clauses_without_a_tree_are_words() -> None:
    assert held("(VP (VBD said) (NP (NN hello)) (SBAR so))") == {"said", "hello"}


CAME = "(S (NP (PRP it)) (VP (VBD came)))"


@pytest.mark.parametrize(
    ("tree", "phrase", "other"),
    [
        # What all verbs that are joined have for an object.
        ("(VP (VB copy) (CC or) (VB share) (NP (NN text)))", "text", ""),
        ("(VP (VB eat) (CC or) (VB sleep) (PP (IN in) (NP (NN bed))))", "", "in bed"),
        # A particle is not all that its verb needs.
        ("(VP (VBD handed) (PRT (RP over)) (NP (DT the) (NN key)))", "the key", ""),
        (
            "(VP (VBD turned) (PRT (RP out)) (S (VP (TO to) (VP (VB leak)))))",
            "to leak",
            "",
        ),
        # The subject and the verb of a question.
        ("(SQ (VBZ Is) (NP (EX there)) (NP (DT any) (NN room)))", "there", ""),
        ("(SINV (VBD did) (NP (NNP Ann)) (VP (VB see)))", "did", ""),
        # What is said of an object.
        ("(VP (VB keep) (S (NP (NN tea)) (ADJP (JJ warm))))", "warm", ""),
        ("(VP (VB keep) (S (NP (NN tea)) (ADJP (JJ warm))))", "tea", ""),
        # How many, and how long ago.
        ("(WHNP (WHADJP (WRB how) (JJ many)) (NNS cats))", "many", ""),
        ("(ADVP (NP (CD ten) (NNS years)) (RB ago))", "ten years", ""),
        ("(ADVP (RB very) (RB much))", "very", ""),
        ("(ADVP (RB very) (RB well))", "", "very"),
        ("(ADJP (JJ hard) (S (VP (TO to) (VP (VB say)))))", "to say", ""),
        # Whom a sentence picks out, and what for.
        (
            f"(S (NP (PRP it)) (VP (VBD was) (NP (NNP Ann)) (SBAR (WHNP (WP who)) {CAME})))",
            "who it came",
            "",
        ),
        (
            f"(S (NP (PRP it)) (VP (VBD was) (NP (NP (NNP Ann)) (SBAR (WHNP (WP who)) {CAME}))))",
            "who it came",
            "",
        ),
        (
            f"(S (NP (PRP she)) (VP (VBD met) (NP (NP (NNP Ann)) (SBAR (WHNP (WP who)) {CAME}))))",
            "",
            "who it came",
        ),
        # When and what are asked; whom is not.
        (f"(NP (NP (NN day)) (SBAR (WHADVP (WRB when)) {CAME}))", "when", ""),
        (f"(NP (NP (NN man)) (SBAR (WHNP (WP whom)) {CAME}))", "", "whom"),
        (f"(S (SBAR (WHNP (WP what)) {CAME}) (VP (VBD broke)))", "what", ""),
    ],
)
def test_what_questions_objects_and_clefts_need_is_held(tree: str, phrase: str, other: str) -> None:
    found = held(tree)
    assert not phrase or phrase in found
    assert not other or other not in found


def gapped(brackets: str) -> tuple[TreeTable, Gaps]:
    source = TreeTable(parse_tree(brackets))
    return source, Gaps.of(np.array(source.end, dtype=np.int32))


def ends(tree: tuple[TreeTable, Gaps], chosen: np.ndarray) -> set[tuple[str, str, str]]:
    """Return the chosen gaps: the left end, what is dropped first and last, the right end."""

    source, gaps = tree

    def text(node: int) -> str:
        return " ".join(source.nodes[node].words()) if node >= 0 else ""

    return {
        (text(gaps.left[g]), f"{text(gaps.first[g])}…{text(gaps.last[g])}", text(gaps.right[g]))
        for g in np.flatnonzero(chosen).tolist()
    }


def test_a_conjunction_stays_between_what_it_joins() -> None:
    tree = gapped("(NP (NN bread) (CC and) (NN wine))")
    assert ends(tree, parting_gaps(*tree)) == {
        ("bread", "and…and", "wine"),
        ("", "bread…bread", "and"),
        ("and", "wine…wine", ""),
    }


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(NP (DT a) (NN way) (TO to) (VP (VB go)))", {("to", "go…go", "")}),
        ("(S (NP (NN ice)) (MD may) (VP (VB melt)))", {("may", "melt…melt", "")}),
        ("(PP (TO to) (NP (NNP Rome)))", set()),
        (
            "(NP (NP (NNS rooms)) (VBG facing) (NP (DT the) (NN street)))",
            {("facing", "the street…the street", "")},
        ),
        ("(NP (NP (NNS rooms)) (VBG facing) (PP (TO to) (NP (NN east))))", set()),
        (
            "(S (VP (VB Look)) (, ,) (NP (PRP they)) (VP (VBD ran)))",
            {("they", "ran…ran", "")},
        ),
        ("(S (VP (VB Look)) (, ,) (NP (NNS men)) (VP (VBD ran)))", set()),
        ("(NP (NP (RBR less)) (NP (PRP it)) (VP (VBD cost)))", {("it", "cost…cost", "")}),
        ("(VP (VBD saw) (NP (PRP it)) (VP (VBG fall)))", set()),
        (
            "(S (S (NP (NNP Ann)) (VP (VBD left))) (, ,) (RB so) (S (NP (NN Bo)) (VP (VBD ran))))",
            {("so", "Bo ran…Bo ran", "")},
        ),
        ("(S (S (NP (NNP Ann)) (VP (VBD left))) (, ,) (RB soon) (S (VP (VBD ran))))", set()),
        (
            "(S (S (VP (VB go))) (CC and) (ADVP (RB then)) (S (VP (VB come))))",
            {("then", "come…come", "")},
        ),
        ("(S (ADVP (RB then)) (S (VP (VB come))))", set()),
        (
            "(VP (VBD fell) (NP (NNS hours)) (SBAR (IN after) (S (VP (VBG rising)))))",
            {("hours", "after rising…after rising", "")},
        ),
        ("(VP (VBD sold) (NP (NNS shares)) (SBAR (IN after) (S (VP (VBG rising)))))", set()),
        ("(VP (VBD fell) (NP (NNS hours)) (SBAR (IN as) (S (VP (VBG rising)))))", set()),
        (
            "(VP (VBD fell) (RB shortly) (SBAR (IN after) (S (VP (VBG rising)))))",
            {("shortly", "after rising…after rising", "")},
        ),
        (
            "(VP (VBD fell) (PP (IN in) (NN May)) (RB soon) (SBAR (IN after) (VP (VBG rising))))",
            {("soon", "after rising…after rising", "")},
        ),
        (
            "(VP (VBD told) (NP (PRP him)) (SBAR (WHNP (WDT which) (NN bus)) (S (VP (VBD left)))))",
            {("which bus", "left…left", "")},
        ),
        (
            "(NP (NN dog) (WHNP (WP$ whose) (NN owner)) (S (VP (VBD left))))",
            {("whose owner", "left…left", "")},
        ),
        ("(NP (NN dog) (NP (PRP$ its) (NN owner)) (S (VP (VBD left))))", set()),
        (
            "(VP (VB open) (PP (IN at) (NP (CD 5))) (SBAR (WDT which) (VP (VBZ works))))",
            {
                ("open", "at 5…at 5", "which works"),
                ("", "open…at 5", "which works"),
                ("which", "works…works", ""),
            },
        ),
        (
            "(NP (NN box) (PP (IN of) (NP (NN tea))) (SBAR (WDT which) (VP (VBD fell))))",
            {("which", "fell…fell", "")},
        ),
        (
            "(VP (VB ask) (NP (PRP him)) (SBAR (WHNP (WP who)) (S (VP (VBD won)))))",
            {("who", "won…won", "")},
        ),
        (
            "(VP (VBD ran) (NP (CD 5)) (PP (IN on) (NP (NN May))) (, ,) (NP (DT a) (NN record)))",
            {
                ("ran", "5…on May", ","),
                ("ran", "5…,", "a record"),
                ("", "ran…on May", ","),
                ("", "ran…,", "a record"),
            },
        ),
        ("(VP (VBD sold) (NP (NN tea)) (, ,) (NP (NN rum)) (CC and) (NP (NN ale)))", set()),
        ("(VP (VBD sold) (NP (NN tea)) (, ,) (NP (NN rum)) (, ,) (NP (NN ale)))", set()),
        ("(S (PP (IN On) (NP (NN May))) (, ,) (NP (NN rain)) (VP (VBD fell)))", set()),
    ],
)
def test_what_stays_only_with_its_neighbour(tree: str, expected: set[tuple[str, str, str]]) -> None:
    source = gapped(tree)
    assert ends(source, clinging_gaps(*source)) == expected


def test_a_long_run_of_dropped_phrases_parts_a_clause_from_its_noun_as_well() -> None:
    """Such a run has several blocks, and the child before the last of them is dropped, too."""
    phrases = " ".join(f"(PP (IN of) (NN n{k}))" for k in range(14))
    tree = f"(VP (VB go) {phrases} (SBAR (WDT which) (VP (VBZ works))))"
    source = gapped(tree)
    gaps = source[1]
    closed = clinging_gaps(*source)
    last = gaps.right == gaps.right[gaps.parent == 0].max()
    resumed = last & (gaps.resumes > 0) & (gaps.first >= 0)
    assert resumed.any()
    assert closed[resumed].all()
    kept = last & (gaps.resumes == 0) & (gaps.left > 1)
    assert kept.any()
    assert not closed[kept].any()


def test_a_comma_is_not_enough_between_two_things() -> None:
    tree = gapped("(NP (NN bread) (, ,) (CC and) (NN wine))")
    assert (",", "and…and", "wine") in ends(tree, parting_gaps(*tree))


def test_a_list_that_loses_its_conjunction_keeps_its_first_member() -> None:
    tree = gapped("(NP (NN bread) (, ,) (NNS grapes) (CC and) (NN wine))")
    closed = ends(tree, parting_gaps(*tree))
    assert ("grapes", "and…wine", "") in closed
    assert ("bread", ",…wine", "") not in closed
    assert ("bread", ",…grapes", "and") not in closed


def test_a_list_may_go_on_in_a_phrase_below() -> None:
    tree = gapped(
        "(VP (VP (VBZ reads)) (, ,) (VP (VP (VBZ drops) (NP (NNS rows))) (CC and) "
        "(VP (VBZ writes))))"
    )
    assert ("drops rows", "and…writes", "") in ends(tree, parting_gaps(*tree))


def test_a_verb_after_a_comma_is_one_of_a_list() -> None:
    """Even if the tree does not say so."""
    tree = gapped(
        "(VP (VP (VBD came)) (, ,) (VBD saw) (NP (PRP it)) (, ,) (CC and) (VP (VBD won)))"
    )
    closed = ends(tree, parting_gaps(*tree))
    assert ("it", ",…won", "") in closed
    assert ("came", ",…won", "") not in closed


def test_a_comma_at_the_end_does_not_stand_for_the_conjunction() -> None:
    """It would go when the text is tidied, and leave two verbs that nothing joins."""
    tree = gapped(
        "(S (VB read) (NP (NN it)) (, ,) (VP (VP (VB keep) (NNS dates)) (, ,) "
        "(CC and) (VP (VB go))))"
    )
    closed = ends(tree, parting_gaps(*tree))
    assert ("keep dates", ",…go", "") in closed
    assert (",", "and…go", "") in closed


def test_two_clauses_that_the_tree_puts_together_need_the_conjunction() -> None:
    one, two, three = (f"(S (NP (NN {x})) (VP (VBZ falls)))" for x in ("rain", "snow", "hail"))
    tree = gapped(f"(S (S {one} (, ,) {two}) (, ,) (CC and) {three} (. .))")
    closed = ends(tree, parting_gaps(*tree))
    assert ("rain falls , snow falls", ",…hail falls", ".") in closed
    joined = gapped(f"(S (S {one} (CC and) {two}) (, ,) (CC but) {three} (. .))")
    assert ("rain falls and snow falls", ",…hail falls", ".") not in ends(
        joined, parting_gaps(*joined)
    )
    named = gapped(
        "(S (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN nurse))) (CC and) (NP (NNP Bo)) (. .))"
    )
    assert ("Ann , a nurse", "and…Bo", ".") not in ends(named, parting_gaps(*named))


def test_a_full_stop_does_not_end_the_list_either() -> None:
    tree = gapped(
        "(S (VP (VB read)) (, ,) (VP (VB keep) (NNS dates)) (, ,) (CC and) (VP (VB go)) (. .))"
    )
    closed = ends(tree, parting_gaps(*tree))
    assert ("keep dates", ",…go", ".") in closed
    assert (",", "and…go", ".") in closed
    assert ("read", ",…go", ".") not in closed


def test_a_comma_after_something_else_makes_no_list() -> None:
    tree = gapped(
        "(S (PP (IN in) (NP (NNP June))) (, ,) (NP (PRP he)) (VP (VBD left)) (, ,) (CC but) "
        "(S (NP (PRP she)) (VP (VBD stayed))))"
    )
    assert ("left", ",…she stayed", "") not in ends(tree, parting_gaps(*tree))


def test_a_clause_is_joined_to_a_clause() -> None:
    tree = gapped(
        "(NP (NP (NN method)) (SBAR (WDT that) (VP (VBZ works))) (CC and) "
        "(SBAR (WDT that) (VP (VBZ lasts))))"
    )
    assert ("method", "that works…that works", "and") in ends(tree, parting_gaps(*tree))
    listed = gapped("(NP (NN bread) (NNS grapes) (CC and) (NN wine))")
    assert ("bread", "grapes…grapes", "and") not in ends(listed, parting_gaps(*listed))


def test_a_conjunction_may_begin_a_sentence_as_before() -> None:
    tree = gapped("(S (CC But) (NP (PRP it)) (VP (VBD rained)))")
    assert ends(tree, parting_gaps(*tree)) == {("But", "it…rained", "")}


def tied(brackets: str) -> set[tuple[str, str, bool]]:
    """What is tied to what, as text, and whether only by its head."""
    source = TreeTable(parse_tree(brackets))
    texts = [" ".join(node.words()) for node in source.nodes]
    return {(texts[tie.parent], texts[tie.child], tie.by_head) for tie in head_ties(source)}


def test_subjects_and_verbs_are_tied_to_the_head_of_their_clause() -> None:
    assert tied("(S (NP (PRP he)) (ADVP (RB also)) (VP (VBD said) (S (VP (VB go)))))") == {
        ("he also said go", "he", False),
        ("said go", "said", False),
        ("go", "go", False),
    }


def test_nothing_is_tied_where_clauses_or_verbs_are_coordinated() -> None:
    assert tied("(S (NP (PRP he)) (CC and) (VP (VBD came) (CC and) (VBD saw)))") == set()


def test_of_goes_with_the_noun_before_it() -> None:
    phrase = "(NP (NP (DT the) (NN city)) (PP (IN of) (NP (NNP Rome))))"
    assert tied(phrase) == {("the city of Rome", "of Rome", True)}


def test_two_commas_around_an_aside_stay_or_go_together() -> None:
    tree = gapped("(NP (NP (NN king)) (, ,) (NP (NN John)) (, ,))")
    parted = ends(tree, parting_gaps(*tree))
    assert parted == {("king", ",…,", "John"), ("", "king…,", "John"), ("John", ",…,", "")}
