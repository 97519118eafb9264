from __future__ import annotations

import pytest

from treewright.paraphrase import harvest_files, open_model, paraphrases, phrase_of
from treewright.paraphrase.antonyms import COMMON, LESS, MORE, OR, Antonyms, evidence, learned

RISING = "Sales_NNS {}_VBD to_TO {}_CD mln_NN dlrs_NNS from_IN {}_CD mln_NN ._."


def said(line: str) -> list[tuple[str, str]]:
    pairs = [token.rpartition("_") for token in line.split()]
    return list(evidence([word for word, _, _ in pairs], [tag for _, _, tag in pairs]))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (RISING.format("moved", "1,200", "900.5"), [(MORE, "move")]),
        (RISING.format("moved", "3", "5"), [(LESS, "move")]),
        (RISING.format("moved", "5", "5"), []),
        ("It_PRP went_VBD to_TO 3_CD billion_CD from_IN 900_CD mln_NN ._.", []),
        ("From_IN here_RB they_PRP moved_VBD to_TO 3_CD ._.", []),
        ("They_PRP will_MD win_VB or_CC lose_VB ._.", [(OR, "lose win")]),
        ("It_PRP was_VBD won_VBN or_CC lost_VBD ._.", [(OR, "lose win")]),
        ("To_TO win_VB or_CC losing_VBG ._.", []),
        ("They_PRP play_VBP or_CC play_VBP ._.", []),
    ],
)
def test_sentences_say_which_way_numbers_go_and_what_is_an_alternative(line, expected):
    assert said(line) == expected


def test_verbs_are_antonyms_if_enough_evidence_says_so():
    counts = [
        (MORE, "flurb", 9),
        (LESS, "flurb", 1),
        (LESS, "glonk", 5),
        (LESS, "seldom", 4),
        (MORE, "mixed", 6),
        (LESS, "mixed", 6),
        (OR, "blip zorp", 3),
        (OR, "blip rare", 2),
    ]
    assert learned(counts).pairs == {("flurb", "glonk"), ("blip", "zorp")}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("rose_VBD to_TO", "plunged_VBD to_TO", True),
        ("rose_VBD to_TO", "climbed_VBD to_TO", False),
        ("agreed_VBD with_IN", "disagreed_VBD with_IN", True),
        ("unlock_VB", "lock_VB", True),
        ("stroyed_VBD", "destroyed_VBD", True),
        ("went_VBD up_RP", "went_VBD down_RP", True),
        ("went_VBD up_RP", "came_VBD down_RB", True),
        ("rose_VBD up_RP", "fell_VBD up_RP", False),
        ("invested_VBD in_IN", "carried_VBD out_RP", False),
    ],
)
def test_forms_of_words_and_a_table_tell_antonyms(one, other, expected):
    phrases = [
        phrase_of(*zip(*(token.split("_") for token in text.split()), strict=True))
        for text in (one, other)
    ]
    assert Antonyms().have(*phrases) is expected
    assert Antonyms().have(*phrases[::-1]) is expected


def test_no_verb_of_the_table_is_its_own_antonym():
    assert all(one < other for one, other in COMMON)


def test_what_a_text_says_is_kept_in_the_model_and_obeyed(tmp_path):
    lines = [RISING.format("flurbed", n + 1, n) for n in range(1, 7)]
    lines += [RISING.format("glonked", n, n + 1) for n in range(1, 7)]
    lines += [f"A_DT dog_NN {verb}_VBD a_DT cat_NN ._." for verb in ("chased", "saw")] * 2
    text, path = tmp_path / "text", tmp_path / "model"
    text.write_text("".join(f"{line}\n" for line in lines))
    harvest_files("pd", [text], changes={"min_count": 1}).save(path)
    model = open_model(path)
    assert model.antonyms.are("glonk", "flurb")
    assert paraphrases(model, "flurbed to") == []
    (kept,) = paraphrases(model, "flurbed to", keep_antonyms=True)
    assert kept.text == "glonked to"
