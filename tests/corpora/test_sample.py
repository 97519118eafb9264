"""The parallel sample: its halves fit, and its new sentences are made of what it teaches."""

from __future__ import annotations

import pytest

from treewright.corpora import read_bitext
from treewright.data import LANGUAGES, PARALLEL, parallel_path
from treewright.errors import UsageError


def pairs(name: str) -> list[tuple[str, str]]:
    both = read_bitext(parallel_path(name, "en"), parallel_path(name, "de"))
    return [(" ".join(source), " ".join(target)) for source, target in both]


def test_sentences_are_tokenised_and_end() -> None:
    for name in PARALLEL:
        for language in LANGUAGES:
            lines = parallel_path(name, language).read_text(encoding="utf-8").splitlines()
            assert all(line == " ".join(line.split()) for line in lines)
            assert all(line.endswith((" .", " ?")) for line in lines)
            assert all(line[0].isupper() for line in lines)
    assert all(source[-1] == target[-1] for name in PARALLEL for source, target in pairs(name))


def test_new_sentences_are_new_but_of_known_words() -> None:
    train, dev = pairs("train"), pairs("dev")
    assert len(train) == 350
    assert len({source for source, _ in train}) == len(train)
    assert not {source for source, _ in dev} & {source for source, _ in train}
    assert not {target for _, target in dev} & {target for _, target in train}
    for side in range(2):
        known = {word for pair in train for word in pair[side].split()}
        assert {word for pair in dev for word in pair[side].split()} <= known


def test_parts_are_chosen_by_name() -> None:
    with pytest.raises(UsageError, match="choose one of: dev, train"):
        parallel_path("test", "en")
    with pytest.raises(UsageError, match="choose one of: de, en"):
        parallel_path("dev", "fr")
