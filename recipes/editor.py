"""editor.txt as corpora of flat trees, one for each share of the words that a version may have.

    python recipes/editor.py FOLDER

Each block of editor.txt has a sentence (`=`) and what an editor leaves of it without a limit (`1`),
within 70 % of its words (`2`), within half of them (`3`) and within ten words (`4`): `=` is the
sentence itself, `-` nothing. Learners parse the sources again, so flat trees do.
"""

from __future__ import annotations

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


def main(folder: Path) -> None:
    """Write the corpora."""
    found: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
    lost = 0
    text = Path(__file__).with_name("editor.txt").read_text(encoding="utf-8")
    for number, (sentence, versions) in enumerate(blocks(text), start=1):
        words = [token.text for token in tokenize(sentence)]
        if len(list(split_sentences(sentence))) > 1:
            lost += 1
            continue
        leaves = [Tree("X", word=escape_token(word)) for word in words]
        for line, version in enumerate(versions):
            if version == NONE:
                continue
            short = words if version == UNCHANGED else [t.text for t in tokenize(version)]
            kept = embed(words, short)
            if kept is None:
                raise SystemExit(f"not made by deleting words: {version}")
            source, target = (str(Tree("ROOT", p)) for p in (leaves, [leaves[k] for k in kept]))
            share = share_of(line, count_words(words))
            record = {"id": f"{number}.{line + 1}", "source": source, "targets": [target]}
            found[share].append(record)
    for share in SHARES:
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in found[share]]
        (folder / f"editor-{share}.train.jsonl").write_text("".join(lines), encoding="utf-8")
        print(f"editor-{share}: {len(lines)} versions", file=sys.stderr)
    print(f"{lost} sentences left out, which are split into several", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
