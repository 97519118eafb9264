from __future__ import annotations

import math

import pytest

from treewright.lm import train_lm
from treewright.propositions import best_entropy, perplexity, spread


def test_hand_worked_generalisation_and_entropy() -> None:
    found = spread([("a",), ("a",), ("b",), ("c",)])
    assert found.generalization == pytest.approx(1 - 3 / 4)
    assert found.entropy == pytest.approx(1.5 * math.log(2) / math.log(3))
    # One proposition covers 2 of 4: already the most concentrated for three propositions.
    assert found.best_entropy == pytest.approx(found.entropy)


def test_extremes() -> None:
    assert spread([("a",)] * 5)[:2] == (0.8, 0.0)
    assert spread([("a",), ("b",)])[:2] == pytest.approx((0.0, 1.0))
    assert spread([])[:2] == (0.0, 0.0)


def test_best_entropy_of_the_paper() -> None:
    # 250,169 propositions and 25% generalisation: the paper says that 0.80 is the best possible.
    assert best_entropy(round(250_169 / 0.75), 250_169) == pytest.approx(0.80, abs=0.02)


def test_perplexity_prefers_what_the_model_knows() -> None:
    text = [["teams", "win", "games"]] * 20 + [["teams", "lose", "games"]] * 5
    model = train_lm(text, 2)
    known = perplexity([("teams", "win", "games")], model)
    assert known < perplexity([("games", "lose", "teams")], model)
