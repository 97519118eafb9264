"""What editors left of sentences (editor/) as corpora, one for each share of words that may stay.

    python recipes/editor.py FOLDER

Each block has a sentence (`=`) and what an editor leaves of it without a limit (`1`),
within 70 % of its words (`2`), within half of them (`3`) and within ten words (`4`): `=` is the
sentence itself, `-` nothing. A twelfth of the sentences is for scoring (`dev`). Those in
verdicts.jsonl are left out: the estimate has to see how sure a model is of sentences that are new
to it. Learners parse the sources again, so flat trees do.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from treewright.corpora import count_words
from treewright.text import split_sentences, tokenize
from treewright.trees import Tree, escape_token

SHARES = (100, 70, 50, 30)
TEN = 10
DEV = 12
"""One sentence in so many is for scoring."""
UNCHANGED, NONE = "=", "-"


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield every sentence with its four versions."""
    for block in text.strip().split("\n\n"):
        source, *versions = block.splitlines()
        if source[:2] != "= " or [line[:2] for line in versions] != ["1 ", "2 ", "3 ", "4 "]:
            raise SystemExit(f"a block must have the lines = 1 2 3 4, found: {block[:60]}")
        yield source[2:], [line[2:].strip() for line in versions]


def embed(source: Sequence[str], target: Sequence[str]) -> list[int] | None:
    """Return where the words of a version stand in the sentence, with the fewest cuts.

    The first of them may have got a capital letter.
    """
    best: dict[int, tuple[int, list[int]]] = {-1: (0, [])}
    for number, word in enumerate(target):
        found: dict[int, tuple[int, list[int]]] = {}
        for place, other in enumerate(source):
            if word == other or (not number and word == other[:1].upper() + other[1:]):
                ways = [
                    (cuts + (before != place - 1), [*path, place])
                    for before, (cuts, path) in best.items()
                    if before < place
                ]
                if ways:
                    found[place] = min(ways)
        best = found
    return min(best.values())[1] if best else None


def share_of(line: int, words: int) -> int:
    """Return the share of its words that a sentence may have in a line: of those known, the
    nearest.
    """
    asked = (100, 70, 50, 100 * TEN / words)[line]
    return min(SHARES, key=lambda share: abs(share - asked))


def part_of(sentence: str) -> str:
    """Return which part of the corpus a sentence belongs to."""
    digest = hashlib.sha256(sentence.encode()).hexdigest()
    return "train" if int(digest, 16) % DEV else "dev"


def records(name: str, sentence: str, versions: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the share and the line of each version of a sentence."""
    words = [token.text for token in tokenize(sentence)]
    leaves = [Tree("X", word=escape_token(word)) for word in words]
    for line, version in enumerate(versions):
        if version == NONE:
            continue
        short = words if version == UNCHANGED else [token.text for token in tokenize(version)]
        kept = embed(words, short)
        if kept is None:
            raise SystemExit(f"not made by deleting words: {version}")
        source, target = (str(Tree("ROOT", p)) for p in (leaves, [leaves[k] for k in kept]))
        record = {"id": f"{name}.{line + 1}", "source": source, "targets": [target]}
        yield share_of(line, count_words(words)), json.dumps(record, ensure_ascii=False) + "\n"


def main(folder: Path) -> None:
    """Write the corpora."""
    here = Path(__file__).parent
    with (here / "verdicts.jsonl").open(encoding="utf-8") as lines:
        read = {json.loads(line)["text"] for line in lines}
    found: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for path in sorted((here / "editor").glob("*.txt")):
        for number, (sentence, versions) in enumerate(blocks(path.read_text("utf-8")), start=1):
            if sentence in read or len(list(split_sentences(sentence))) > 1:
                continue
            for share, line in records(f"{path.stem}.{number}", sentence, versions):
                found[share, part_of(sentence)].append(line)
    for (share, part), lines in sorted(found.items()):
        (folder / f"editor-{share}.{part}.jsonl").write_text("".join(lines), encoding="utf-8")
        print(f"editor-{share}.{part}: {len(lines)} versions", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
