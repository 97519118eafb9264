"""`treewright align`: links of parallel text, their scores, and what bad input says."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ..alignment.statistical.toys import toy_pairs
from .runner import fail, run, succeed, succeed_in_part


@pytest.fixture(autouse=True)
def texts(inside: None) -> None:
    """Write toy text into the current folder."""
    for name, sentences in zip(("src", "tgt"), toy_pairs(40), strict=True):
        Path(name).write_text("".join(f"{' '.join(words)}\n" for words in sentences))


def gold() -> str:
    """Return the right links of the toy text, which is translated word by word."""
    from ..alignment.statistical.toys import LEXICON

    lines = []
    for source, target in zip(*toy_pairs(40), strict=True):
        words = [LEXICON[word] for word in source]
        lines.append(
            " ".join(
                f"{i}{'-' if words.count(word) == 1 else 'p'}{j}"
                for i, word in enumerate(words)
                for j, other in enumerate(target)
                if word == other
            )
        )
    return "".join(f"{line}\n" for line in lines)


def test_links_of_files_are_printed_and_scored() -> None:
    succeed("align", "src", "tgt", "-o", "out")
    assert succeed("align", "src", "tgt").out == Path("out").read_text()
    Path("gold").write_text(gold())
    scores = json.loads(succeed("align", "score", "out", "gold", "--json").out)
    assert scores["pairs"] == 40
    assert scores["aer"] < 0.1
    assert scores["f1"] > 0.9
    assert {"precision", "recall"} <= scores.keys()
    table = succeed("align", "score", "out", "gold", "--text", "src", "tgt").out
    assert f"{100 * scores['aer']:.1f}" in table


def test_more_text_is_learned_from_but_not_printed() -> None:
    Path("few.src").write_text("haus alt\n")
    Path("few.tgt").write_text("house old\n")
    found = succeed("align", "few.src", "few.tgt", "--also", "src", "tgt", "--seed", 1)
    assert found.out == "0-0 1-1\n"


def test_jobs_do_not_change_the_output() -> None:
    alone = succeed("align", "src", "tgt", "--symmetrize", "union").out
    assert succeed("align", "src", "tgt", "--symmetrize", "union", "--jobs", 2).out == alone


def test_bad_pairs_keep_their_places() -> None:
    long = " ".join(["haus"] * 501)
    Path("bad.src").write_bytes(b"haus alt\n\nbuch\n\xff\n" + long.encode() + b"\nbaum\n")
    Path("bad.tgt").write_text("house old\nman\nbook\nman\nman\ntree\n")
    result = succeed_in_part("align", "bad.src", "bad.tgt", "--also", "src", "tgt")
    assert [bool(line) for line in result.lines] == [True, False, True, False, False, True]
    assert "bad.src:2: an empty line, whose partner bad.tgt:2 has words" in result.err
    assert "bad.src:4:1: byte 0xff is not UTF-8" in result.err
    assert "bad.src:5: " in result.err
    assert "3 pairs skipped" in result.err
    assert "bad.src:2: " in fail(1, "align", "bad.src", "bad.tgt", "--strict")


def test_files_of_different_length_are_an_error() -> None:
    Path("short").write_text("house\n")
    message = fail(1, "align", "src", "short")
    assert (
        message == "short: it ends after 1 lines, but src goes on; each line must have its partner"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["src", "tgt", "--method", "best"], "unknown method 'best'; choose one of: "),
        (["src", "tgt", "--symmetrize", "grow"], "unknown symmetrization 'grow'; choose one of: "),
        (["src", "tgt", "--threshold", "1"], "threshold must be at least 0 and below 1"),
        (["src", "tgt", "--also", "src"], "--also src lacks its translations"),
        (["-", "-"], "only one of the inputs can be -"),
        (["src", "tgt", "-o", "src"], "src is also an input"),
    ],
)
def test_requests_that_cannot_be_met(arguments: list[str], message: str) -> None:
    assert message in fail(2, "align", *arguments)


def test_scores_of_bad_files_are_errors() -> None:
    Path("hyp").write_text("0-0\n0-9\n")
    Path("gold").write_text("0-0\n0-0 1x1\n")
    assert "gold:2: '1x1' is not a link" in fail(1, "align", "score", "hyp", "gold")
    Path("gold").write_text("0-0\n")
    assert "gold: it ends after 1 lines" in fail(1, "align", "score", "hyp", "gold")
    Path("gold").write_text("0-0\n0-0\n")
    for name in ("two.src", "two.tgt"):
        Path(name).write_text("a b\na b\n")
    message = fail(1, "align", "score", "hyp", "gold", "--text", "two.src", "two.tgt")
    assert message.startswith("hyp:2: link 0-9 leads to target word 9")
    Path("gold").write_text("0-499\n0p500\n")
    message = fail(1, "align", "score", "hyp", "gold")
    assert message.startswith("gold:2: link 0-500 leads beyond the 500 words")
    for name in ("hyp", "gold"):
        Path(name).write_text("")
    assert fail(1, "align", "score", "hyp", "gold").startswith("hyp: it is empty; one line")


def test_an_empty_text_has_no_links() -> None:
    Path("empty").write_text("")
    assert run("align", "empty", "empty").out == ""


@pytest.mark.parametrize("method", ["hmm", "ibm1"])
def test_other_methods_align_too(method: str) -> None:
    succeed("align", "src", "tgt", "--method", method, "-o", "out")
    Path("gold").write_text(gold())
    assert json.loads(succeed("align", "score", "out", "gold", "--json").out)["aer"] < 0.4
    assert "only the method bayes" in fail(
        2, "align", "src", "tgt", "--method", method, "--model", "m"
    )
    assert f"the method {method} takes no checkpoints" in fail(
        2, "align", "src", "tgt", "--method", method, "--checkpoint", "c"
    )


def test_a_saved_model_aligns_other_text() -> None:
    succeed("align", "src", "tgt", "--model", "m", "-o", "out")
    Path("new.src").write_text("Haus alt\nneu baum\n\nbuch\n")
    Path("new.tgt").write_text("old house\ntree new\n\nbook\n")
    found = succeed("align", "new.src", "new.tgt", "--using", "m")
    assert found.lines == ["0-1 1-0", "0-1 1-0", "", "0-0"]
    assert succeed("align", "new.src", "-", "--using", "m", "--jobs", 2,
                   stdin=Path("new.tgt").read_bytes()).out == found.out  # fmt: skip
    message = fail(2, "align", "new.src", "new.tgt", "--using", "m", "--also", "src", "tgt")
    assert message == "--also is for learning; --using m learns nothing"
    Path("bad").write_bytes(Path("m").read_bytes()[:900])
    assert "bad: " in fail(1, "align", "new.src", "new.tgt", "--using", "bad")


def test_a_stopped_run_goes_on_where_it_was() -> None:
    whole = succeed("align", "src", "tgt", "--checkpoint", "c").out
    sweeps = []
    from treewright.alignment.statistical.sampling.sampler import Sampler

    advance = Sampler.advance

    def stop(self: Sampler, level: int, renewed: bool = False) -> None:
        sweeps.append(level)
        if len(sweeps) == 313:
            raise KeyboardInterrupt
        advance(self, level, renewed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Sampler, "advance", stop)
        stopped = run("align", "src", "tgt", "--checkpoint", "c")
        assert stopped.status == 130
        assert stopped.err.endswith(
            "interrupted: the last checkpoint is kept in c; add --resume to continue\n"
        )
        done = len(sweeps)
        assert succeed("align", "src", "tgt", "--checkpoint", "c", "--resume", "--jobs", 2).out == (
            whole
        )
    assert len(sweeps) - done < 600 - 300
    assert "a checkpoint of a run with {'seed': 0}" in fail(
        2, "align", "src", "tgt", "--checkpoint", "c", "--resume", "--seed", 1
    )
    assert "c: a checkpoint of other text" in fail(
        1, "align", "tgt", "src", "--checkpoint", "c", "--resume"
    )
    assert "nothing to resume from" in fail(2, "align", "src", "tgt", "--resume")


def test_pairs_are_shown_as_matrices() -> None:
    Path("a").write_text("das Haus\n国家 <b>\n")
    Path("b").write_text("the old house\nnation &\n")
    Path("l").write_text("0-0 1-2\n0-0\n")
    assert succeed("align", "show", "a", "b", "l", "--line", 1).out == (
        "# 1\n     0 1 2\n das ■ · ·\nHaus · · ■\n0:the 1:old 2:house\n"
    )
    assert succeed("align", "show", "a", "b", "l").out.endswith(
        "# 2\n     0 1\n国家 ■ ·\n <b> · ·\n0:nation 1:&\n"
    )
    picture = succeed("align", "show", "a", "b", "l", "--format", "svg").out
    page = succeed("align", "show", "a", "b", "l", "--format", "html").out
    for drawn, mark in ((picture, 'fill="#333"'), (page, 'class="link"')):
        assert drawn.count(mark) == 3
        assert "&lt;b&gt;" in drawn
        assert "<b>" not in drawn
    ElementTree.fromstring(picture)
    assert "a: it has 2 lines, no line 3" in fail(1, "align", "show", "a", "b", "l", "--line", 3)
    assert "unknown format 'pdf'" in fail(2, "align", "show", "a", "b", "l", "--format", "pdf")
    Path("l").write_text("0-0 1-3\n0-0\n")
    assert "l:1: link 1-3 leads to target word 3" in fail(1, "align", "show", "a", "b", "l")
