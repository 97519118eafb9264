from __future__ import annotations

import math

import pytest

from treewright.propositions.slots import GROUPS, SlotModel, group_of

NAME, TEAM = GROUPS


@pytest.fixture
def model() -> SlotModel:
    made = SlotModel()
    made.add("NVN", (NAME, "throw", "pass"), 8)
    made.add("NVN", (NAME, "catch", "pass"), 4)
    made.add("NVN", (TEAM, "win", "game"), 4)
    made.add("NVNPN", (NAME, "throw", "pass", "to", NAME), 6)
    return made


def test_what_was_seen_is_more_probable_than_its_reverse(model: SlotModel) -> None:
    for subject, verb, target in ((NAME, "throw", "pass"), (TEAM, "win", "game")):
        there = model.log_probability((subject, verb, target))
        assert there > model.log_probability((target, verb, subject))


def test_an_unseen_verb_still_has_a_probability(model: SlotModel) -> None:
    found = model.log_probability((NAME, "juggle", "pass", "to", NAME))
    assert math.isfinite(found)
    assert found > model.log_probability(("pass", "juggle", NAME, "to", NAME))


def test_probabilities_of_a_slot_sum_to_at_most_one(model: SlotModel) -> None:
    base = model.log_probability((NAME, "throw", "pass"))
    words = ("pass", "game", NAME, TEAM)
    total = sum(math.exp(model.log_probability((NAME, "throw", word)) - base) for word in words)
    rest = total * math.exp(model._argument("object", "pass", [("throw",)]))
    assert 0.8 < rest <= 1.0


def test_sense_is_the_probability_beside_that_of_words_put_together(model: SlotModel) -> None:
    tuples = [(NAME, "throw", "pass"), ("pass", "throw", NAME), ("game", "throw", "pass")]
    # Uses as arguments: 12 and 0.3 × 6 as subjects, 2 × 6 after a preposition.
    uses = {NAME: 25.8, TEAM: 4, "pass": 12, "game": 4}
    alone = {word: (number + 5) / (45.8 + 5 * 4) for word, number in uses.items()}
    verb = (8 + 1e-5) / 17
    for one in tuples:
        said = math.exp(model.log_probability(one))
        chance = alone[one[0]] * verb * alone[one[2]]
        assert model.log_sense(one) == pytest.approx(math.log(said / (said + chance)))
    best = max(tuples, key=model.log_sense)
    assert best == tuples[0]


def test_groups() -> None:
    assert group_of("Rams", {"Rams": 0.9}) == TEAM
    assert group_of("Young", {}) == NAME
