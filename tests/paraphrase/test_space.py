from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.paraphrase.toys import LINES, write_text
from tests.profiles import examples
from treewright.engine import open_engine
from treewright.errors import DataError, Problems
from treewright.paraphrase import SignatureIndex, configuration, harvest
from treewright.paraphrase._kernels import (
    add_columns,
    add_shared_bands,
    differing_bits,
    project,
    row_products,
)
from treewright.paraphrase.contexts import Contexts, Sentence
from treewright.paraphrase.reading import Read
from treewright.paraphrase.signatures import signature
from treewright.paraphrase.space import SpaceBuilder


def built(settings, path, **options):
    with open_engine("embedded", 1) as engine:
        return harvest([path], settings, engine, **options)


def plain_weights(counts: Counter[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """The twin: positive PMI of contexts that two rows share, by dictionaries."""
    shared = Counter(context for _, context in counts)
    kept = {pair: n for pair, n in counts.items() if shared[pair[1]] > 1}
    total = sum(kept.values())
    rows, contexts = Counter(), Counter()
    for (row, context), n in kept.items():
        rows[row] += n
        contexts[context] += n
    found: dict[str, dict[str, float]] = {}
    for (row, context), n in kept.items():
        weight = max(0.0, math.log(n * total / (rows[row] * contexts[context])))
        found.setdefault(row, {})[context] = weight
    return found


def plain_cosine(one: dict[str, float], other: dict[str, float]) -> float:
    product = sum(weight * other.get(context, 0.0) for context, weight in one.items())
    lengths = [math.sqrt(sum(w * w for w in vector.values())) for vector in (one, other)]
    return product / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def counted(triples):
    """A space of such counts, as the engine gives them."""
    settings = configuration("pd", "paper", min_phrase=1)
    builder = SpaceBuilder(settings)
    rows = sorted({row for row, _ in triples})
    entries = [("", f"{row}\tVB\t", 1) for row in rows]
    entries += sorted((context, row, n) for (row, context), n in triples.items())
    for start in range(0, len(entries), 3):
        contexts, names, counts = zip(*entries[start : start + 3], strict=True)
        builder.add(np.array(contexts, object), np.array(names, object), np.array(counts))
    return builder.build()


@examples(60)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from("abcd"), st.sampled_from(["u _", "v _", "w _", "x _"])),
        st.integers(1, 9),
        min_size=1,
    )
)
def test_weights_and_cosines_are_those_of_the_twin(triples):
    space = counted(triples)
    weights = plain_weights(Counter(triples))
    for row, number in space.row_numbers.items():
        found = space.similarities(number)
        for other, place in space.row_numbers.items():
            expected = plain_cosine(weights.get(row, {}), weights.get(other, {}))
            assert found[place] == pytest.approx(expected, abs=1e-5)


def test_counts_are_the_same_whatever_the_partitions_and_rows(tmp_path):
    settings = configuration("pd", "best", min_count=1, min_phrase=1)
    once = built(settings, write_text(tmp_path, 1))
    twice = built(settings, write_text(tmp_path, 2))
    assert once.contexts == twice.contexts
    assert np.array_equal(2 * once.counts.value, twice.counts.value)
    assert np.array_equal(once.counts.row, twice.counts.row)


def test_contexts_are_n_grams_nouns_and_places():
    words, tags = zip(*(token.rsplit("_", 1) for token in LINES[0].split()), strict=True)
    sentence = Sentence.of(Read(words, tags, None))
    paper = Contexts(configuration("pd", "paper")).of(sentence, 2, 4, 2)
    assert paper[0] == "the price _ ten dollars"
    assert paper[3] == "<s> the price _ ten dollars ."
    best = Contexts(configuration("pd", "best")).of(sentence, 2, 4, 2)
    assert {"price <", "> dollars", "to > dollars", "+2 ten", "-1 price"} <= set(best)
    chunks = Contexts(configuration("br")).of(sentence, 2, 4, 2)
    assert chunks == ["price <<", ">> ten dollars", "price <", "> dollars", "price < > dollars"]


def test_text_without_tags_is_tagged_and_trees_give_types(tmp_path):
    plain = tmp_path / "plain.txt"
    plain.write_text("The price rose to a record .\nThe price fell to a record .\n" * 2)
    settings = configuration("pd", "best", min_count=1)
    assert "rise" in built(settings, plain).rows
    trees = tmp_path / "trees.txt"
    trees.write_text(
        "(ROOT (S (NP (PRP It)) (VP (VBD fell) (PP (TO to) (NP (CD ten)))) (. .)))\n" * 2
    )
    (known,) = built(settings, trees).phrases
    assert (known.phrase.text, known.type, known.count) == ("fell to", "VP/NP", 2)


def test_bad_lines_are_reported_and_the_others_counted(tmp_path):
    path = write_text(tmp_path)
    path.write_bytes(path.read_bytes() + b"bad_NN \xff_NN\nword_NN without\n")
    problems = Problems()
    space = built(configuration("pd", "best"), path, problems=problems)
    assert space.phrases
    assert [str(error).split(": ")[0].split(":")[1] for error in problems.errors] == ["25", "26"]


@pytest.mark.parametrize("text", ["", "\n\n", "word_NN\n"])
def test_a_corpus_without_phrases_is_an_error(tmp_path, text):
    path = tmp_path / "text.txt"
    path.write_text(text)
    with pytest.raises(DataError, match="no phrases"):
        built(configuration("pd", "best"), path)


def test_signatures_estimate_angles_within_their_error():
    rng = np.random.default_rng(7)
    contexts = np.arange(40, dtype=np.int32)
    bits = 4096
    for _ in range(20):
        one, other = rng.standard_normal((2, 40)).astype(np.float32)
        other += one * rng.uniform(0, 2)
        cosine = one @ other / np.sqrt((one @ one) * (other @ other))
        share = np.arccos(cosine) / np.pi
        changed = signature(contexts, one, bits) ^ signature(contexts, other, bits)
        estimate = np.unpackbits(changed.view(np.uint8)).mean()
        error = np.sqrt(share * (1 - share) / bits)
        assert abs(estimate - share) < 4 * error


def test_the_shortlist_of_signatures_has_the_nearest_rows(tmp_path):
    settings = configuration("br", min_count=1, bits=1024, shortlist=50)
    space = built(settings, write_text(tmp_path))
    index = SignatureIndex.of(space)
    for row in range(len(space.rows)):
        exact = space.similarities(row)
        assert index.similarities(row, 50) == pytest.approx(exact, abs=1e-5)
    narrow = index.similarities(0, 1)
    assert np.count_nonzero(narrow) <= 1


def test_kernels_equal_their_twins(tmp_path):
    space = built(replace(configuration("br"), min_count=1), write_text(tmp_path))
    start, row, value = space.weights
    dense = np.zeros((len(space.contexts), len(space.rows)), np.float32)
    for context in range(len(space.contexts)):
        dense[context, row[start[context] : start[context + 1]]] = value[
            start[context] : start[context + 1]
        ]
    which = np.array([0, 2], np.int32)
    weight = np.array([0.5, 2.0], np.float32)
    total = np.zeros(len(space.rows), np.float32)
    add_columns(space.weights, which, weight, total)
    assert total == pytest.approx(weight @ dense[which], abs=1e-6)
    query = np.linspace(0, 1, len(space.contexts), dtype=np.float32)
    rows = np.arange(len(space.rows))
    found = np.empty(len(rows), np.float32)
    row_products(space.by_row, rows, query, found)
    assert found == pytest.approx(query @ dense, abs=1e-5)


def test_differing_bits_are_counted():
    rng = np.random.default_rng(3)
    signatures = rng.integers(0, 1 << 63, (5, 2), dtype=np.uint64)
    found = np.empty(5, np.int64)
    differing_bits(signatures, signatures[0], np.arange(5), found)
    expected = [
        sum(int(a ^ b).bit_count() for a, b in zip(one, signatures[0], strict=True))
        for one in signatures
    ]
    assert found.tolist() == expected


def test_rows_are_found_in_the_buckets_near_the_query():
    rng = np.random.default_rng(4)
    bands = rng.integers(0, 256, (6, 40), dtype=np.uint8)
    order = np.argsort(bands, axis=1, kind="stable").astype(np.int32)
    starts = np.array([np.searchsorted(np.sort(band), np.arange(257)) for band in bands])
    own, probes, weights = bands[:, 0].copy(), np.array([0, 1], np.uint8), np.array([3, 1])
    total = np.zeros(40)
    add_shared_bands(order, starts, own, probes, weights, total)
    for row in range(40):
        same = sum(3 * (a == b) + (a == b ^ 1) for a, b in zip(bands[:, row], own, strict=True))
        assert total[row] == same


def test_projections_add_up():
    pool = np.random.default_rng(1).standard_normal(1 << 14).astype(np.float32)
    contexts = np.array([3, 9], np.int32)
    weights = np.array([1.0, -2.0], np.float32)
    both, first, second = np.zeros((3, 64), np.float32)
    project(contexts, weights, pool, 64, both)
    project(contexts[:1], weights[:1], pool, 64, first)
    project(contexts[1:], weights[1:], pool, 64, second)
    assert both == pytest.approx(first + second, abs=1e-5)
    assert np.std(first) > 0.5
