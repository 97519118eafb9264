from __future__ import annotations

from pathlib import Path

import pytest

from treewright.annotation import Form, load_form
from treewright.errors import DataError, UsageError

FORM = """
title = "T"
[[question]]
name = "q"
text = "Which?"
choices = [{value = "a", label = "A"}, {value = "b", label = "B"}]
"""


def test_the_forms_of_the_papers() -> None:
    paraphrases = load_form("paraphrases")
    assert (paraphrases.items, paraphrases.tests, paraphrases.repeat) == (10, 2, False)
    assert paraphrases.share == 0.25
    assert paraphrases.questions[0].scores() == {
        "lenient": {"0": 0, "1": 1, "2": 1},
        "strict": {"0": 0, "1": 0, "2": 1},
    }
    propositions = load_form("propositions").about("cooking")
    assert (propositions.items, propositions.tests, propositions.repeat) == (10, 1, True)
    assert propositions.questions[0].text == "Is this a sensible statement about cooking?"
    assert propositions.questions[1].scores() == {}
    scales = load_form("compressions").questions
    assert [each.name for each in scales] == ["grammar", "importance"]
    assert scales[0].scores() == {"grammar": {str(i): float(i) for i in range(1, 6)}}


@pytest.mark.parametrize("name", ["paraphrases", "propositions", "compressions"])
def test_a_form_reads_back(name: str) -> None:
    form = load_form(name)
    assert Form.read(form.as_dict()) == form


def test_answers_on_a_scale_may_lie_one_step_apart() -> None:
    scale, meaning = load_form("compressions").questions[0], load_form("paraphrases").questions[0]
    assert scale.near("4", "5")
    assert not scale.near("3", "5")
    assert meaning.near("1", "1")
    assert not meaning.near("1", "2")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "titel", "unknown settings: titel"),
        ('title = "T"', "", "'title' is missing"),
        ('name = "q"', 'name = "Q 1"', "'Q 1' cannot name a question"),
        ('name = "q"', 'name = "text1"', "'text1' cannot name a question"),
        ('value = "b"', 'value = "a"', "two or more different values"),
        ('value = "b"', 'value = " b"', "spaces around"),
        ('text = "W', 'level = "x"\ntext = "W', "'x' is not one of nominal"),
        ('text = "W', 'level = "interval"\ntext = "W', "could not convert"),
        ('text = "W', 'truism = "c"\ntext = "W', "c is no value of question 'q'"),
        ('text = "W', 'required = false\ntext = "W', "no question is required"),
        ('title = "T"', 'title = "T"\ninput = "x"', "input 'x' is not one of items"),
        ('title = "T"', 'title = "T"\npage = {items = 0}', "a page needs 1 item or more"),
        ('title = "T"', "title = ", "not a valid form: Invalid value"),
    ],
)
def test_a_bad_form_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "form.toml"
    path.write_text(FORM)
    assert load_form(str(path)).questions[0].values == ("a", "b")
    path.write_text(FORM.replace(old, new))
    with pytest.raises(DataError, match=message):
        load_form(str(path))


def test_an_unknown_form_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="choose one of compressions, paraphrases, propositions"):
        load_form("nothing")
