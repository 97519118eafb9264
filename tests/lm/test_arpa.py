"""ARPA files: what we write comes back, what others write is read, what is wrong has a line."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lm.test_estimation import TEXT
from treewright.errors import DataError
from treewright.lm import LanguageModel, train_lm
from treewright.lm._reading_kernels import read_number

GOOD = r"""made by hand

\data\
ngram 1=5
ngram 2=3
ngram 3=1

\1-grams:
-1.0	<UNK>
-99	<s>	-0.5
-0.7	</s>
-0.4	a	-0.2
-0.9	b	-0.1

\2-grams:
-0.3	<s> a	-0.6
-0.2	a b	-0.25
-0.5 b </s>

\3-grams:
-0.1	<s> a b

\end\
"""
LN10 = np.log(10)


def read(folder: Path, text: str | bytes) -> LanguageModel:
    path = folder / "model.arpa"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return LanguageModel.read_arpa(path)


def log10(model: LanguageModel, text: str) -> list[float]:
    return (model.score(text.split()) / LN10).tolist()


def test_a_file_by_hand_is_read_as_it_is_defined(tmp_path: Path) -> None:
    model = read(tmp_path, GOOD)
    assert model.order == 3
    assert model.vocabulary.words == ("<unk>", "<s>", "</s>", "a", "b")
    assert log10(model, "a b") == pytest.approx([-0.3, -0.1, -0.25 - 0.5])
    assert log10(model, "b a") == pytest.approx([-0.5 - 0.9, -0.1 - 0.4, -0.2 - 0.7])
    assert log10(model, "a zebra a") == pytest.approx([-0.3, -0.6 - 0.2 - 1, -0.4, -0.2 - 0.7])


def test_ngrams_that_a_pruned_model_lacks_are_implied(tmp_path: Path) -> None:
    """Without `a b`, its extension `a b a` and the suffix of `<s> a b` must still be found."""
    text = GOOD.replace("-0.2	a b	-0.25\n", "").replace("2=3", "2=2").replace("3=1", "3=2")
    model = read(tmp_path, text.replace("<s> a b\n", "<s> a b\n-0.15	a b a\n"))
    implied = -0.2 - 0.9
    assert log10(model, "a b </s>")[1] == pytest.approx(-0.1)
    assert log10(model, "b a b a") == pytest.approx(
        [-0.5 - 0.9, -0.1 - 0.4, implied, -0.15, -0.2 - 0.7]
    )


def test_an_order_without_ngrams_is_completed_too(tmp_path: Path) -> None:
    text = GOOD.replace("-0.3	<s> a	-0.6\n-0.2	a b	-0.25\n-0.5 b </s>\n", "")
    model = read(tmp_path, text.replace("2=3", "2=0"))
    assert log10(model, "a b") == pytest.approx([-0.5 - 0.4, -0.1, -0.1 - 0.7])
    empty = text.replace("-0.1	<s> a b\n", "").replace("2=3", "2=0").replace("3=1", "3=0")
    assert log10(read(tmp_path, empty), "a b")[1] == pytest.approx(-0.2 - 0.9)


def test_a_file_without_unknown_words_is_read(tmp_path: Path) -> None:
    text = GOOD.replace("-1.0	<UNK>\n", "").replace("1=5", "1=4")
    assert log10(read(tmp_path, text), "zebra")[0] == pytest.approx(-100.5)


@pytest.mark.parametrize("prune", [(0,), (0, 0, 1)])
def test_what_is_written_comes_back_exactly(tmp_path: Path, prune: tuple[int, ...]) -> None:
    model = train_lm(TEXT, 4, prune=prune)
    model.write_arpa(tmp_path / "m.arpa")
    again = LanguageModel.read_arpa(tmp_path / "m.arpa")
    assert again.order == 4
    assert again.vocabulary.words == model.vocabulary.words
    for name in ("first", "word", "suffix", "state", "back_off"):
        assert np.array_equal(again.arrays[name], model.arrays[name]), name
    found, expected = again.arrays["log_prob"], model.arrays["log_prob"].copy()
    expected[2] = np.float32(-99 * LN10)
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2=3", "2=2", "model.arpa:18: expected .3-grams:, found '-0.5 b </s>'"),
        ("2=3", "2=4", "model.arpa:20: 3 n-grams of order 2 end here, but .* promised 4"),
        ("1=5", "1=x", "model.arpa:4: expected 'ngram 1=COUNT', found 'ngram 1=x'"),
        ("ngram 1=5\n", "", "model.arpa:4: expected 'ngram 1=COUNT', found 'ngram 2=3'"),
        ("\\data\\", "data", "model.arpa:1: no line .*; this is not an ARPA file"),
        ("-0.2	a b", "-O.2	a b", "model.arpa:17: '-O.2' is not a number"),
        ("-0.2	a b", "nan	a b", "model.arpa:17: a log-probability is a number"),
        ("-0.2	a b", "0.2	a b", "model.arpa:17: a log-probability .* not greater than 0"),
        ("-0.6", "-inf", "model.arpa:16: a back-off weight is a finite number"),
        ("a	-0.2", "a	x", "model.arpa:12: 'x' is not a number"),
        ("<s>	-0.5", "<s>", "model.arpa:10: the n-gram has no back-off weight, but longer"),
        ("a b	-0.25", "a b c d", "model.arpa:17: expected a probability, 2 words"),
        ("a b	-0.25", "a c	-0.25", "model.arpa:17: 'c' has no unigram"),
        ("b </s>", "a b", "model.arpa:18: the n-gram is in the file twice"),
        ("-0.9	b", "-0.9	a", "model.arpa:13: 'a' has a unigram already, in line 12"),
        ("-0.7	</s>\n", "", "model.arpa:14: 4 n-grams of order 1"),
        ("-0.7	</s>", "-0.7	c", "model.arpa:15: no unigram of </s>"),
        ("\\3-grams:", "\\4-grams:", "model.arpa:20: expected .3-grams:, found"),
        ("\n\\end\\\n", "", "model.arpa:21: the file ends here, before .end.; it is not whole"),
        ("3=1", "3=1\n" + "\n".join(f"ngram {n}=0" for n in (4, 5, 6, 7)), "1: .* of order 7; up"),
    ],
)
def test_what_is_wrong_has_a_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(DataError, match=message):
        read(tmp_path, GOOD.replace(old, new))


@given(
    st.one_of(
        st.floats(-99, 99).map(lambda value: f"{value:.9g}"),
        st.text("-.0123456789", max_size=8),
        st.sampled_from(["-inf", "nan", "1e-5", "+1", "-0", "1234567890123456", ".5", "5."]),
    )
)
def test_the_kernel_reads_numbers_as_python_does_or_leaves_them(text: str) -> None:
    value, is_plain = read_number(np.frombuffer(text.encode(), np.uint8), 0, len(text))
    if is_plain:
        assert value == float(text)
    elif re.fullmatch(r"-?\d{1,9}(\.\d{1,6})?", text):
        pytest.fail(f"{text} was not read")


def test_rows_of_all_forms_are_read_alike(tmp_path: Path) -> None:
    plain = log10(read(tmp_path, GOOD), "a b a b b")
    for old, new in (("-0.2	", "-2e-1	"), ("-0.1	<s>", " -1.0E-1 <s>"), ("\n", "\r\n")):
        assert log10(read(tmp_path, GOOD.replace(old, new)), "a b a b b") == plain
    spread = GOOD.replace("-0.2	a b", "\n\n  -0.2   a	b").removesuffix("\n")
    assert log10(read(tmp_path, spread), "a b a b b") == plain


def test_words_in_another_encoding_have_a_line(tmp_path: Path) -> None:
    text = GOOD.replace("\tb\t", "\té\t").replace(" b", " é").encode("latin-1")
    with pytest.raises(DataError, match=r"model.arpa:13: '\\\\xe9' is not UTF-8"):
        read(tmp_path, text)


def test_compressed_files_are_read_and_written(tmp_path: Path) -> None:
    packed = gzip.compress(GOOD.encode())
    expected = log10(read(tmp_path, GOOD), "a b")
    assert log10(read(tmp_path, packed), "a b") == expected
    model = train_lm(TEXT, 3)
    for name in ("m.arpa", "m.arpa.gz"):
        model.write_arpa(tmp_path / name)
    written = (tmp_path / "m.arpa.gz").read_bytes()
    assert gzip.decompress(written) == (tmp_path / "m.arpa").read_bytes()
    assert len(LanguageModel.read_arpa(tmp_path / "m.arpa.gz")) == len(model)
    for damaged in (packed[:-20], packed[:40] + b"?" * 20 + packed[60:], packed[:-8] + b"12345678"):
        with pytest.raises(DataError, match=r"model\.arpa: cannot read it: ."):
            read(tmp_path, damaged)


def test_an_implied_ngram_is_at_most_certain(tmp_path: Path) -> None:
    text = (
        GOOD.replace("-0.2	a b	-0.25\n", "")
        .replace("2=3", "2=2")
        .replace("a	-0.2", "a	3")
    )
    model = read(tmp_path, text)
    assert log10(model, "a b")[1] == pytest.approx(-0.1)
    LanguageModel.from_parts(model.parts())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read it: No such file"):
        LanguageModel.read_arpa(tmp_path / "none.arpa")
