"""Subtitles: cues are found as others find them, shortened to their limits, and timed as before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.compression import Compressor, Limit, Request
from treewright.documents import CueLimit, find_format, shorten_document
from treewright.documents.cues import wrap
from treewright.documents.subtitles import read_cues
from treewright.errors import DataError, UsageError

from ..pages import HAVE_MODELS
from ..profiles import examples
from .strategies import Dropping, Without

SRT = (
    "1\n00:00:01,000 --> 00:00:03,000\nThe old bridge, which has been closed\nsince winter, will "
    "not reopen until June.\n\n"
    "2\n00:00:03,200 --> 00:00:05,000\n<i>Fortunately, nobody was hurt when the crane</i>\n\n"
    "3\n00:00:05,100 --> 00:00:07,500\nfell onto two parked cars early on Sunday.\n\n"
    "4\n00:00:08,000 --> 00:00:09,500\n- Sadly, I do not know him.\n- Neither do I.\n\n"
    "5\n00:00:10,000 --> 00:00:12,000\n[DOOR SLAMS]\n\n"
    "6\n00:00:12,000 --> 00:00:16,000\n{\\an8}ANN: We meet tomorrow &amp; talk, I hope.\n"
)
VTT = (
    "WEBVTT - The old title, really\n\nNOTE the old note\n\nSTYLE\n::cue { color: red }\n\n"
    "intro\n00:01.000 --> 00:03.000 align:start\n<v Ann>The old <c.loud>bridge</c> fell, sadly.\n\n"
    "00:00:03.000 --> 00:00:04.000\nIt was <00:00:03.500>very old.\n"
)


def without(text: str, *words: str, cues: CueLimit | None = None) -> str:
    dropping: Any = Without(words)
    return shorten_document(text, dropping, cues=cues or CueLimit()).text


def test_formats_are_known_by_name_or_beginning() -> None:
    assert find_format(SRT) == "srt"
    assert find_format("\ufeff" + VTT) == "vtt"
    assert find_format("# Title", "a/README.MD") == "markdown"
    assert find_format("# Title") == find_format(SRT, format="plain") == "plain"
    with pytest.raises(UsageError, match="choose one of: auto, markdown, plain, srt, vtt"):
        find_format("", format="html")


def test_cues_are_those_that_another_reader_finds() -> None:
    pysubs2 = pytest.importorskip("pysubs2")
    for text, name in ((SRT, "srt"), (VTT, "vtt")):
        theirs = pysubs2.SSAFile.from_string(text, format_=name)
        ours = read_cues(text)
        assert [round(cue.seconds * 1000) for cue in ours] == [each.duration for each in theirs]
        assert " ".join(ours[0].written(text)).split() == theirs[0].plaintext.split()


@pytest.mark.parametrize("text", [SRT, VTT, SRT.replace("\n", "\r\n"), "\ufeff" + SRT])
def test_what_loses_nothing_stays_byte_for_byte(text: str) -> None:
    assert without(text, "unheard-of") == text


def test_tags_and_what_is_not_said_stay() -> None:
    short = without(SRT, "Fortunately", "nobody", "hurt", "Sadly", ",", "&", "DOOR", "ANN")
    assert "<i>Was when the crane</i>" in short
    assert "- I do not know him.\n- Neither do I." in short
    assert "[DOOR SLAMS]" in short and "{\\an8}ANN: We meet tomorrow talk I hope." in short
    short = without(VTT, "old", "bridge", "very", "sadly")
    assert "<v Ann>The fell.\n" in short and "It was <00:00:03.500>very old." in short
    assert short.startswith(VTT[: VTT.index("<v Ann>")])


FILES = st.sampled_from([SRT, VTT, SRT.replace("\n", "\r\n")])


@given(FILES, st.integers(0, 999), st.floats(0.1, 0.9))
@examples(60)
def test_whatever_is_dropped_times_and_order_stay(text: str, seed: int, share: float) -> None:
    dropping: Any = Dropping(seed, share)
    short = shorten_document(text, dropping).text
    before, after = read_cues(text), read_cues(short)
    assert [cue.seconds for cue in after] == [cue.seconds for cue in before]
    assert [line for line in short.splitlines() if "-->" in line] == [
        line for line in text.splitlines() if "-->" in line
    ]
    assert [len(cue.passages) for cue in after] == [len(cue.passages) for cue in before]
    assert short.count("<i>") == short.count("</i>") and short.count("\r") == (
        short.count("\n") if "\r" in text else 0
    )


@given(st.text("ab ", max_size=60).map(lambda text: " ".join(text.split())), st.integers(3, 20))
@examples(60)
def test_lines_are_as_few_and_even_as_possible(text: str, width: int) -> None:
    lines = wrap(text, width)
    assert " ".join(lines) == text
    longest = max(map(len, text.split()), default=0)
    if longest > width:
        return
    assert all(len(line) <= width for line in lines)
    # No narrower page holds the text on as many lines.
    narrower = max(map(len, lines)) - 1
    assert len(lines) == 1 or narrower < longest or len(wrap(text, narrower)) > len(lines)


@pytest.mark.skipif(not HAVE_MODELS, reason="the models are not in the package")
def test_cues_are_shortened_to_their_limits() -> None:
    news = Compressor.load("news")
    limit = CueLimit(line_chars=37, lines=2, second_chars=20)
    result = shorten_document(SRT, news, Request(grammar="loose"), cues=limit)
    assert result.met
    for cue in read_cues(result.text):
        assert not cue.passages or limit.fits(cue.written(result.text), cue.seconds)
    # What is within its limits stays as it is.
    assert "6\n00:00:12,000 --> 00:00:16,000\n{\\an8}ANN: We meet" in result.text
    tight = shorten_document(SRT, news, cues=CueLimit(second_chars=1))
    assert not tight.met
    assert all(cue.passages for n, cue in enumerate(read_cues(tight.text)) if n != 4)


def test_contradictions_are_named() -> None:
    dropping: Any = Without(())
    limit = CueLimit(second_chars=17)
    with pytest.raises(UsageError, match="contradict"):
        shorten_document(SRT, dropping, Request(limit=Limit(rate=0.5)), cues=limit)
    with pytest.raises(UsageError, match="by cue"):
        shorten_document(SRT, dropping, Request(limit=Limit(max_words=9)))
    with pytest.raises(UsageError, match="for subtitles"):
        shorten_document("A text.", dropping, cues=limit)
    with pytest.raises(UsageError, match="give line_chars"):
        CueLimit(lines=2)
    with pytest.raises(UsageError, match="above 0"):
        CueLimit(line_chars=0)
    with pytest.raises(DataError, match="no cue in it"):
        shorten_document("Not subtitles.", dropping, format="srt")
