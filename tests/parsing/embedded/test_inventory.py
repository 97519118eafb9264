from __future__ import annotations

import pytest

from treewright.errors import UsageError
from treewright.parsing.embedded.inventory import ANY, SPECIAL, Inventory
from treewright.trees import parse_tree

from .toys import TREES, inventory


def with_labels(*labels: str) -> Inventory:
    return Inventory(words=SPECIAL, tags=("NN",), labels=("", *labels), treebanks=(ANY,))


@pytest.mark.parametrize(
    ("label", "nearest"),
    [
        ("S", "S"),
        ("S+VP", "S+VP"),
        ("S+VP+NP", "S+NP"),
        ("S+X+Y+VP", "S+VP"),
        ("NP+S", "NP"),
        ("X", ""),
        ("X+S", ""),
    ],
)
def test_a_rare_chain_loses_its_middle_then_its_end(label: str, nearest: str) -> None:
    known = with_labels("NP", "S", "S+NP", "S+VP", "VP")
    assert known.labels[known.label(label)] == nearest


def test_a_word_is_found_by_its_form_then_by_its_lower_case() -> None:
    known = Inventory((*SPECIAL, "rose", "Rose", "may"), ("NN",), ("",), (ANY,))
    assert [known.word(form) for form in ("rose", "Rose", "ROSE", "May", "June")] == [3, 4, 3, 5, 0]


def test_symbols_survive_the_file() -> None:
    known = inventory()
    again = Inventory.from_json(known.to_json())
    assert again == known
    assert again.counts == ()
    assert again.to_json() == known.to_json()


def test_strange_symbols_survive_the_file() -> None:
    known = Inventory((*SPECIAL, '"', "\\", "中国", "🙂", "\u2028"), ("``",), ("", "S+VP"), (ANY,))
    assert Inventory.from_json(known.to_json()) == known


def test_the_script_survives_the_file_and_the_alphabetic_one_is_not_written() -> None:
    tree = parse_tree("(ROOT (NP (Na 天气) (PU ，)))")
    known = Inventory.collect([tree], ["sinica"], min_word=1, script="chinese")
    again = Inventory.from_json(known.to_json())
    assert again == known
    assert again.script == "chinese"
    assert again.word(again.normal_form("，")) == again.word(",") > 0
    assert again.spelling("天气") != inventory().spelling("天气")
    assert b"script" not in inventory().to_json()
    with pytest.raises(ValueError, match="unknown script 'runes'; known are: alphabetic, chinese"):
        Inventory.from_json(known.to_json().replace(b'"chinese"', b'"runes"'))


def test_roots_with_several_children_are_noticed_and_survive_the_file() -> None:
    single, several = parse_tree("(ROOT (S (A a)))"), parse_tree("(ROOT (S (A a)) (PU .))")
    assert Inventory.collect([single, several], ["toy"]).whole
    known = Inventory.collect([single, several, several], ["toy"])
    assert not known.whole
    assert Inventory.from_json(known.to_json()) == known
    assert b"whole" not in inventory().to_json()


def test_words_are_numbered_by_frequency_then_by_spelling() -> None:
    known = Inventory.collect(TREES, ["news"], min_word=3)
    assert known.words[:3] == SPECIAL
    assert known.words[3:5] == ("the", ".")
    assert known.counts[:5] == (0, 0, 0, 6, 5)
    assert list(known.counts[3:]) == sorted(known.counts[3:], reverse=True)
    assert "garden" not in known.words


def test_rare_chains_go_and_single_labels_stay() -> None:
    known = Inventory.collect(TREES, ["news"], min_label=2)
    assert known.labels[0] == ""
    assert "S+VP" not in known.labels
    assert {"S", "VP", "NP", "PP"} <= set(known.labels)
    assert "S+VP" in Inventory.collect(TREES, ["news"], min_label=1).labels


def test_raw_sentences_count_for_words_alone() -> None:
    tree = parse_tree("(ROOT (NP (NN ant)))")
    known = Inventory.collect([tree], ["news"], raw=[("ant", "bee"), ("bee", "1995")])
    assert known.words == (*SPECIAL, "ant", "bee")
    assert known.tags == ("NN",)


def test_the_first_treebank_is_any() -> None:
    assert inventory().treebanks == (ANY, "news", "web")
    assert inventory().treebank("web") == 2
    with pytest.raises(UsageError, match="choose one of: any, news, web"):
        inventory().treebank("poems")
