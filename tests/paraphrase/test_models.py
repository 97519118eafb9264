from __future__ import annotations

import numpy as np
import pytest

from tests.paraphrase.toys import write_text
from treewright.errors import ModelFileError, UsageError
from treewright.paraphrase import (
    CombinedModel,
    InContext,
    PhraseComparison,
    configuration,
    harvest_files,
    open_model,
    paraphrases,
    phrase_of,
)
from treewright.paraphrase.pivoting import counted, pivoted
from treewright.translation import PhraseTable

PRICE = "The price rose to ten dollars ."
GERMAN = [
    "Der Preis stieg auf zehn Dollar .",
    "Der Preis stieg auf zehn Dollar .",
    "Der Preis sank auf neun Dollar .",
    "Der Preis sank auf neun Dollar .",
    "Unser Absatz stieg stark im Mai .",
    "Unser Absatz stieg stark im Mai .",
    "Unser Absatz sank stark im Juni .",
    "Unser Absatz sank stark im Juni .",
    "Es ist auf einen Rekord gestiegen .",
    "Es ist auf einen Rekord gestiegen .",
    "Es wurde nicht von ihnen verkauft .",
    "Es wurde von ihnen gekauft .",
]
LINKS = [
    *["0-0 1-1 2-2 3-3 4-4 5-5 6-6"] * 4,
    *["0-0 1-1 2-2 3-3 4-4 5-5 6-6"] * 4,
    *["0-0 1-1 2-5 3-2 4-3 5-4 6-6"] * 2,
    "0-0 1-1 2-2 3-5 4-3 5-4 6-6",
    "0-0 1-1 2-4 3-2 4-3 5-5",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = write_text(tmp_path_factory.mktemp("text"))
    return harvest_files("pd", [path], changes={"min_count": 1})


@pytest.fixture(scope="module")
def pivots(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pivot")
    english = write_text(folder, 3)
    german, links = folder / "text.de", folder / "links"
    german.write_text("".join(f"{line}\n" for line in GERMAN * 3), encoding="utf-8")
    links.write_text("".join(f"{line}\n" for line in LINKS * 3))
    return harvest_files("pivot", [english, german], links=[links])


def texts(found):
    return [item.text for item in found]


def test_a_verb_is_replaced_in_the_frame_of_the_phrase(model):
    assert texts(paraphrases(model, "rose to", 1)) == ["climbed to"]
    assert texts(paraphrases(model, "Fell to", 1)) == ["dropped to"]
    assert texts(paraphrases(model, "has risen to", 1)) == ["has climbed to"]


def test_redundancy_is_a_choice(model):
    each = paraphrases(model, "rose to", 10, redundancy="each")
    assert len({item.phrase.lemma for item in each}) == len(each)
    assert all(item.phrase.lemma != "rise" for item in paraphrases(model, "rose to", 10))
    with pytest.raises(UsageError, match="choose one of: any, each, other"):
        paraphrases(model, "rose to", redundancy="none")


def test_voice_and_polarity_are_kept(model):
    found = paraphrases(model, "was not sold by", 10)
    assert all(item.phrase.is_passive and item.phrase.is_negative for item in found)


def test_a_phrase_never_seen_is_read_by_its_words_or_has_no_paraphrases(model):
    assert texts(paraphrases(model, "has fallen", 1)) == []
    assert paraphrases(model, "quarrelled over", 3) == []
    assert paraphrases(model, "", 3) == []
    assert model.read("not rose to") is not None


def test_pivots_share_translations(pivots):
    assert texts(paraphrases(pivots, "rose", 1)) == ["climbed"]
    assert paraphrases(pivots, "flew", 1) == []


def test_pivot_probabilities_are_sums_over_translations():
    joint = np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 3.0]])
    from scipy.sparse import csr_matrix

    of_source, of_target = joint.sum(axis=1), joint.sum(axis=0) + 1
    found = pivoted(csr_matrix(joint), of_source, of_target).toarray()
    for one in range(2):
        for other in range(2):
            expected = sum(
                joint[one, f] / of_source[one] * joint[other, f] / of_target[f] for f in range(3)
            )
            assert found[one, other] == pytest.approx(expected)


def test_counts_of_translations_are_those_of_the_table(tmp_path):
    moses = tmp_path / "table"
    lines = [
        "rose ||| stieg ||| 1 1 1 1 ||| 0-0 ||| 3 4 3",
        "rose ||| auf ||| 1 1 1 1 ||| 0-0 ||| 5 4 1",
    ]
    moses.write_text("".join(f"{line}\n" for line in lines))
    joint, of_source, of_target = counted(PhraseTable.read_moses(moses), {"rose": 0, "fell": 1})
    assert sorted(joint.toarray()[0].tolist()) == pytest.approx([0.1, 2.1])
    assert of_source.tolist() == [4.0, 1.0]
    assert sorted(of_target.tolist()) == [3.0, 5.0]


def test_models_are_read_as_they_were_written(model, pivots, tmp_path):
    combined = CombinedModel.of([model, pivots])
    for made in (model, pivots, combined):
        made.save(tmp_path / "m")
        again = open_model(tmp_path / "m")
        for phrase in ("rose to", "rose", "was bought by"):
            assert paraphrases(again, phrase) == paraphrases(made, phrase)
    first = (tmp_path / "m").read_bytes()
    combined.save(tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == first


def test_a_damaged_model_says_so(model, tmp_path):
    from treewright.modelfile import read_model, write_model

    model.save(tmp_path / "m")
    parts, _ = read_model(tmp_path / "m", kind="paraphrases")
    for name, content in (
        ("settings.json", b"{}"),
        ("contexts.txt", b"x"),
        ("phrases.tsv", b"a\n"),
    ):
        write_model(
            tmp_path / "bad", kind="paraphrases", parts=parts | {name: content}, metadata={}
        )
        with pytest.raises(ModelFileError, match="harvest again"):
            open_model(tmp_path / "bad")


def test_a_combination_ranks_what_all_models_say_first(model, pivots):
    combined = CombinedModel.of([model, pivots], [1, 1])
    assert texts(paraphrases(combined, "rose to", 1)) == ["climbed to"]
    ranked = CombinedModel.of([model, pivots], [1, 0.5], by="ranks")
    by_rank = {item.text: item.score for item in paraphrases(ranked, "rose to", 1)}
    assert by_rank == {"climbed to": pytest.approx((1 + 0.5) / 1.5)}
    with pytest.raises(UsageError, match="choose one of: ranks, scores"):
        CombinedModel.of([model, pivots], by="votes")
    with pytest.raises(UsageError, match="two models or more"):
        CombinedModel.of([model], [1])


def test_phrases_are_found_and_replaced_in_a_sentence(model):
    ranker = InContext(model)
    words = PRICE.split()
    (place,) = ranker.phrases(words)
    assert (place.text, place.start, place.end) == ("rose to", 2, 4)
    best = ranker.paraphrases(words, place, 1)[0]
    assert best.sentence == "The price climbed to ten dollars ."


def test_a_language_model_ranks_what_fits_first(model):
    from treewright.lm import train_lm

    lines = ["The price dropped to ten dollars ."] * 20 + ["The price climbed up a hill ."]
    lm = train_lm([line.split() for line in lines], order=3)
    words = PRICE.split()
    plain, ranked = InContext(model), InContext(model, lm, weight=20.0, keep_antonyms=True)
    place = next(plain.phrases(words))
    assert plain.paraphrases(words, place, 1)[0].text == "climbed to"
    assert ranked.paraphrases(words, place, 1)[0].text == "dropped to"


def test_entailment_minds_polarity_and_places_of_arguments(model):
    compare = PhraseComparison(model)
    rose, climbed = (phrase_of([verb, "to"], ["VBD", "TO"]) for verb in ("rose", "climbed"))
    not_climbed = phrase_of(["not", "climbed", "to"], ["RB", "VBD", "TO"])
    assert compare.entailment(rose, climbed) > compare.entailment(rose, climbed, swapped=True) > 0
    assert compare.entailment(rose, not_climbed) == 0
    assert compare.entailment(rose, rose) >= compare.entailment(rose, climbed)


def test_configurations_are_named():
    assert configuration("pd", "paper").ngrams == ((2, 2), (2, 3), (3, 2), (3, 3))
    with pytest.raises(UsageError, match="choose one of: best, dirt, paper"):
        configuration("pd", "worst")


@pytest.mark.parametrize("corpus", [["one"], ["one", "two", "three"]])
def test_pivot_needs_pairs_of_texts(corpus):
    with pytest.raises(UsageError, match="its translation"):
        harvest_files("pivot", corpus)
