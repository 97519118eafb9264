"""What a teacher thinks of versions that nobody has read.

    python opinions.py DATA MODEL ENCODER > opinions.jsonl

The verdicts of three texts in four teach layers over a pretrained transformer (ENCODER, a folder as
`transformers` saves it: all-mpnet-base-v2) and MODEL's network; those of every fourth text are not
used, and say how good the teacher is. Sentences of the data folder, of recipes/editor and of the
verdicts are then shortened by MODEL to many lengths, and the teacher's opinions of these versions
are printed for `treewright train acceptance --opinions`. Needs torch and transformers.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from treewright.compression import Compressor, Limit, Request, described_versions
from treewright.compression.candidates import Prunings
from treewright.errors import DataError, Problems
from treewright.learning.acceptance import Example, Verdict, read_verdicts
from treewright.learning.neural import ReaderTeacher, without_layers
from treewright.pruning import Model
from treewright.pruning.encoded import EncodedPruning
from treewright.text import join_words, split_sentences

HERE = Path(__file__).parent
LONGEST = 60
SHORTEST_LEAD, LONGEST_LEAD = 14, 45
LEADS, ARTICLES = 3_500, 1_500
"""Sentences of news and of Wikipedia."""
KINDS = ((0.72, False, 3), (0.45, False, 3), (0.55, True, 2))
"""Rates, whether versions fill the room whatever readers think of them, and how many are drawn."""
DOUBTFUL = (0.04, 0.99)
"""Of what readers surely mind or surely do not, there is nothing to learn."""
TOGETHER = 1_000


def is_held_out(text: str) -> bool:
    """Whether the teacher is not shown what readers said of a text."""
    return int(hashlib.md5(text.encode()).hexdigest(), 16) % 4 == 0


def texts(data: Path, verdicts: Sequence[Verdict], drawn: random.Random) -> list[str]:
    """Return sentences of many kinds, always the same ones."""
    found = [text for text in dict.fromkeys(v.text for v in verdicts) if not is_held_out(text)]
    for path in sorted((HERE / "editor").glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        found += [line[2:].strip() for line in lines if line.startswith("= ")]
    with gzip.open(data / "compression" / "google-large.train.jsonl.gz", "rt") as handle:
        leads = [line for line in handle if "##" not in line]
    words = [json.loads(line)["tokens"].split() for line in drawn.sample(leads, LEADS)]
    found += [join_words(each) for each in words]
    articles: list[str] = []
    with gzip.open(data / "paraphrase" / "corpus" / "wikipedia.txt.gz", "rt") as handle:
        for line in islice(handle, 40_000):
            for sentence in split_sentences(line.strip()):
                if SHORTEST_LEAD <= len(sentence.words) <= LONGEST_LEAD:
                    articles.append(sentence.detokenize())
    found += drawn.sample(articles, ARTICLES)
    drawn.shuffle(found)
    return found


def versions(compressor: Compressor, text: str, drawn: random.Random) -> Iterator[Verdict]:
    """Yield versions of a sentence, of several lengths, without a verdict."""
    sentences = list(split_sentences(text))
    if len(sentences) != 1 or len(sentences[0].words) > LONGEST:
        return
    found: set[tuple[int, ...]] = set()
    for rate, fill, most in KINDS:
        request = Request(limit=Limit(rate=rate), fill=fill)
        try:
            [candidates] = compressor.candidates(text, request)
        except DataError:
            return
        if not isinstance(candidates, Prunings):
            return
        costs = np.flatnonzero(np.isfinite(candidates.scores)).tolist()
        drawn.shuffle(costs)
        for cost in costs:
            version = candidates.version(cost)
            chance = version.acceptable
            doubtful = chance is not None and (fill or DOUBTFUL[0] < chance < DOUBTFUL[1])
            if (
                doubtful
                and version.kept not in found
                and len(version.kept) < len(sentences[0].words)
            ):
                found.add(version.kept)
                most -= 1
            if not most:
                break
    for kept in sorted(found):
        yield Verdict(text, kept, 0.5)


def area(accepted: Sequence[float], chances: Sequence[float]) -> float:
    """Return the area under the ROC curve."""
    ranks, good = rankdata(chances), np.array(accepted) > 0.5
    number = int(good.sum())
    return float((ranks[good].sum() - number * (number + 1) / 2) / (number * (len(good) - number)))


def main() -> None:
    """Teach the teacher, see how good it is, and print its opinions."""
    data, model, encoder = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    reader = Compressor.load(model)
    stored = reader.model
    assert isinstance(stored, Model)
    assert isinstance(stored.pruning, EncodedPruning)
    assert stored.acceptance is not None
    neighbours = stored.acceptance.neighbours

    def described(verdicts: Sequence[Verdict]) -> list[Example]:
        found = list(described_versions(reader, verdicts, neighbours, Problems()))
        assert len(found) == len(verdicts)
        return found

    read = [v for v in read_verdicts(HERE / "verdicts.jsonl") if isinstance(v, Verdict)]
    taught = [v for v in read if not is_held_out(v.text)]
    pruning = without_layers(stored.pruning)
    teacher = ReaderTeacher().fit(encoder, pruning, described(taught))
    held_out = [each for each in described([v for v in read if is_held_out(v.text)]) if each.losses]
    chances = [each.accepted for each in teacher.opinions(held_out)]
    auc = area([each.accepted for each in held_out], chances)
    print(f"{len(taught)} verdicts; of {len(held_out)} others: AUC {auc:.4f}", file=sys.stderr)
    drawn = random.Random(5)
    rest = iter(texts(data, read, drawn))
    while part := list(islice(rest, TOGETHER)):
        asked = [version for text in part for version in versions(reader, text, drawn)]
        opinions = teacher.opinions(described(asked))
        assert len(opinions) == len(asked)
        by_text: dict[str, list[dict[str, object]]] = {}
        for version, each in zip(asked, opinions, strict=True):
            entry = {"kept": version.kept, "verdict": round(each.accepted, 3)}
            by_text.setdefault(version.text, []).append(entry)
        for text, entries in by_text.items():
            print(json.dumps({"text": text, "versions": entries}, ensure_ascii=False))


if __name__ == "__main__":
    main()
