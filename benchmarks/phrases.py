"""Phrase tables: time, memory, entries, and how they grow with the text.

    python benchmarks/phrases.py > docs/benchmarks/phrases.md

Texts are lower-cased and aligned by `treewright align` first, which is not counted, unless
`--links` names a folder that has `en-de.align` and `zh-en.align`. Each table is built in a process
of its own, whose kernels are compiled already; times are CPU seconds from
text in memory to the table.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from run import ROOT, header, table

from treewright.corpora import Links, Sentences, Vocabulary, parse_pharaoh, read_tokens
from treewright.translation import PhraseSettings, PhraseTable, build_phrases

TEXTS = {
    "en-de": ("multi30k/train.en", "multi30k/train.de", "multi30k/dev.en"),
    "zh-en": ("zh-en/train.zh", "zh-en/train.en", "zh-en/dev.news.zh"),
}
PEERS = {"en-de": "56", "zh-en": "106"}
SIZES = (10_000, 20_000, 40_000, 60_000)
MEMORIES = (1024, 128, 32)
VARIANTS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "unsmoothed": {"smoothing": "none"},
    "absolute discounting": {"smoothing": "absolute"},
    "orientation to phrases": {"orientation": "phrase"},
    "all options": {"limit": 0},
    "no singletons": {"min_count": 2},
    "significance α − ε": {"significance": "alpha-epsilon"},
    "significance α + ε": {"significance": "alpha+epsilon"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--links", type=Path)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    data = chosen.data / "translation"
    if chosen.job is not None:
        print(json.dumps(measure(data, **json.loads(chosen.job))))
        return
    if not data.is_dir():
        parser.error(f"no real data at {data}; give its folder with --data")
    header("Phrase tables", "benchmarks/phrases.py > docs/benchmarks/phrases.md")
    if chosen.links is not None:
        print("Links were given (`--links`).\n")
    with tempfile.TemporaryDirectory() as name:
        report(chosen.data, chosen.links or align(data, Path(name)))


def align(data: Path, folder: Path) -> Path:
    """Align both texts; return the folder of their links."""
    for name, (source, target, _) in TEXTS.items():
        arguments = ["align", data / source, data / target, "-o", folder / f"{name}.align"]
        subprocess.run([sys.executable, "-m", "treewright", *arguments], check=True)
    return folder


def report(data: Path, links: Path) -> None:
    def run(name: str, pairs: int = 10**9, **settings: Any) -> dict[str, Any]:
        job = {"name": name, "links": str(links), "pairs": pairs, "settings": settings}
        command = [sys.executable, __file__, "--data", data, "--job", json.dumps(job)]
        found = subprocess.run(command, check=True, capture_output=True, text=True)
        return dict(json.loads(found.stdout))

    # The first build compiles what is not kept compiled.
    run("en-de", 1000)
    whole = {name: run(name) for name in TEXTS}
    print("## Both texts\n")
    print("The peer is the toolkit that both papers used, on the same kind of machine.\n")
    rows = [
        (
            name,
            f"{found['pairs']:,}",
            f"{found['occurrences']:,}",
            f"{found['entries']:,}",
            f"{found['seconds']:.1f}",
            PEERS[name],
            f"{found['text']:.0f}",
            f"{found['peak']:.0f}",
            f"{found['file']:.0f}",
            f"{found['load']:.2f}",
            f"{found['matched']:,.0f}",
        )
        for name, found in whole.items()
    ]
    table(
        (
            "text",
            "pairs",
            "occurrences",
            "entries",
            "CPU s",
            "peer's CPU s",
            "MB with the text",
            "peak MB",
            "file, MB",
            "loading, s",
            "sentences matched a second",
        ),
        rows,
    )
    print("## Growth with the text (zh-en)\n")
    grown = [run("zh-en", size) for size in SIZES]
    table(
        ("pairs", "source words", "entries", "CPU s", "ms a pair", "peak MB"),
        [
            (
                f"{found['pairs']:,}",
                f"{found['words']:,}",
                f"{found['entries']:,}",
                f"{found['seconds']:.1f}",
                f"{1000 * found['seconds'] / found['pairs']:.2f}",
                f"{found['peak']:.0f}",
            )
            for found in grown
        ],
    )
    print("The first pairs are long news sentences, those after 10,000 short ones.\n")
    print("## In memory and on disk (zh-en)\n")
    table(
        ("`memory`, MB", "CPU s", "peak MB, the text and the table included"),
        [
            (memory, f"{found['seconds']:.1f}", f"{found['peak']:.0f}")
            for memory in MEMORIES
            for found in [run("zh-en", memory=memory)]
        ],
    )
    print(
        "Here the finished table sets the peak; files count as memory while they are mapped. The "
        "limit matters for texts whose occurrences outgrow their table.\n"
    )
    print("## Settings (zh-en)\n")
    table(
        ("settings", "entries", "CPU s"),
        [
            (title, f"{found['entries']:,}", f"{found['seconds']:.1f}")
            for title, settings in VARIANTS.items()
            for found in [run("zh-en", **settings)]
        ],
    )


def measure(
    data: Path, name: str, links: str, pairs: int, settings: dict[str, Any]
) -> dict[str, Any]:
    """Build a table in this process, which does nothing else."""
    from treewright.compiling import expect_work

    expect_work()
    source_path, target_path, dev = TEXTS[name]
    vocabularies = Vocabulary(), Vocabulary()
    source, target = (
        encode(data / path, pairs, vocabulary)
        for path, vocabulary in zip((source_path, target_path), vocabularies, strict=True)
    )
    with (Path(links) / f"{name}.align").open() as lines:
        linked = Links.of(parse_pharaoh(line) for line, _ in zip(lines, range(pairs), strict=False))
    text = peak()
    start = time.process_time()
    built = build_phrases(
        source, target, linked, *vocabularies, settings=PhraseSettings(**settings)
    )
    seconds = time.process_time() - start
    found = {
        "pairs": len(source),
        "words": source.words.size,
        "occurrences": int(built.metadata["occurrences"]),
        "entries": len(built),
        "seconds": seconds,
        "text": text,
        "peak": peak(),
    }
    return found | stored(built, data / dev)


def encode(path: Path, pairs: int, vocabulary: Vocabulary) -> Sentences:
    lines = (line for line, _ in zip(read_tokens(path), range(pairs), strict=False))
    return Sentences.encode(([word.lower() for word in line] for line in lines), vocabulary)


def stored(built: PhraseTable, dev: Path) -> dict[str, float]:
    """Save the table and load it; look sentences up in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "phrases"
        built.save(path)
        size = path.stat().st_size / 1e6
        start = time.process_time()
        loaded = PhraseTable.load(path)
        load = time.process_time() - start
        sentences = [loaded.source.numbers(map(str.lower, words)) for words in read_tokens(dev)]
        loaded.spans(sentences[0])
        start = time.process_time()
        for sentence in sentences:
            loaded.spans(sentence)
        matched = len(sentences) / (time.process_time() - start)
    return {"file": size, "load": load, "matched": matched}


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
