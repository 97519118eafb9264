"""Measure compression from raw text, one page per part.

    python benchmarks/compress.py quality > docs/benchmarks/quality.md
    python benchmarks/compress.py speed > docs/benchmarks/speed.md

Quality: all systems on the dev parts, at the gold rate and at others, and what users get. Speed:
throughput, latency, cold start, memory, processes; wants a quiet machine.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from compress_quality import CORPORA, quality
from compress_speed import speed
from run import ROOT, header

from treewright.compression.shipped import NAMES, model_path
from treewright.errors import UsageError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["quality", "speed"])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--model", action="append", help="in place of the shipped ones; repeat")
    parser.add_argument("--corpus", action="append", choices=list(CORPORA), help="repeat")
    parser.add_argument("--first", type=int, metavar="N", help="use N sentences, to try it out")
    chosen = parser.parse_args()
    data = chosen.data / "compression"
    try:
        models = {Path(name).stem: model_path(name) for name in chosen.model or NAMES}
    except UsageError as error:
        parser.error(str(error))
    for path in (data, *models.values()):
        if not path.exists():
            parser.error(f"there is no {path}; see --data and --model")
    page = f"docs/benchmarks/{chosen.part}.md"
    header(f"Compression: {chosen.part}", f"benchmarks/compress.py {chosen.part} > {page}")
    if chosen.first:
        print(f"**Tried out on {chosen.first} sentences: these are not the real figures.**\n")
    if chosen.part == "quality":
        quality(data, models, chosen.corpus or list(CORPORA), chosen.first)
    else:
        speed(data, models, chosen.corpus or list(CORPORA), chosen.first)


if __name__ == "__main__":
    main()
