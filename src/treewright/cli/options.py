"""Options that several commands share, so that they look and work the same everywhere.

Settings of the library default to `None` here, which leaves them to the library; `show_default`
repeats its values for the help text.
"""

from __future__ import annotations

from typing import Annotated

import typer

Pairs = Annotated[str, typer.Argument(metavar="PAIRS.jsonl", help="Tree pairs; - is stdin.")]
Trees = Annotated[
    str, typer.Argument(metavar="TREES", help="Bracketed trees, or a .jsonl's sources; - is stdin.")
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file; - is stdin.")]
Target = Annotated[
    int, typer.Option("--target", min=0, metavar="K", help="Which of a pair's targets, from 0.")
]
AllTargets = Annotated[
    bool,
    typer.Option("--all-targets", help="Learn from each target; --target is for --dev alone."),
]
Also = Annotated[
    list[str] | None, typer.Option(metavar="PAIRS.jsonl", help="Learn from these too. Repeat.")
]
Strip = Annotated[
    bool, typer.Option("--strip", help="Strip traces and function tags, root trees in ROOT.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad item.")]
Output = Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="- is stdout.")]
PairsOutput = Annotated[
    str, typer.Option("--output", "-o", metavar="PAIRS.jsonl", help="- is stdout.")
]
Tokenized = Annotated[
    bool, typer.Option("--tokenized", help="One sentence a line, tokens split at spaces.")
]
FormatJson = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of all random choices.")]

Config = Annotated[
    str | None, typer.Option(metavar="FILE.toml", help="Settings; flags given here win.")
]
Out = Annotated[
    str, typer.Option("--model", metavar="OUT", help="Where to write the model; - is stdout.")
]
Dev = Annotated[
    str | None, typer.Option(metavar="PAIRS.jsonl", help="Score the model on these pairs.")
]
_DECODE = "viterbi: best derivation; mbr: likeliest pairs of words"
Decode = Annotated[str, typer.Option(help=f"{_DECODE}; mpt: best tree.")]
CurveDecode = Annotated[str, typer.Option(help=f"{_DECODE}.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes of a grid search, or of chains.")]
Grid = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=V,V,…", help="Search these values, scored on --dev. Repeat."),
]

CheckpointFile = Annotated[
    str | None, typer.Option("--checkpoint", metavar="FILE", help="Keep what --resume needs.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from --checkpoint.")]
TraceFile = Annotated[
    str | None,
    typer.Option("--trace", metavar="FILE.jsonl", help="Write reports for 'plot trace'."),
]

EXTRACTION = {
    "parts": "Most general rules conjoined into one.",
    "variables": "Most variables of a conjoined rule.",
    "depth": "Greatest depth of a conjoined rule.",
    "min_count": "Drop conjoined rules seen less often.",
}
"""Help of the settings that several learners have."""
BASE = {
    "beta": "Chance that P0 expands a node.",
    "beta_at_root": "Let P0 pay for expanding the root of a rule too.",
}
KAPPA = {"kappa": "Prior counts a root pair, smoothing 'plain'."}
PRUNING = {"pruning": "Let any children of a node go, at a learned price."}

Parts = Annotated[int | None, typer.Option(help=EXTRACTION["parts"], show_default="2")]
Variables = Annotated[int | None, typer.Option(help=EXTRACTION["variables"], show_default="3")]
Depth = Annotated[int | None, typer.Option(help=EXTRACTION["depth"], show_default="4")]
MinCount = Annotated[int | None, typer.Option(help=EXTRACTION["min_count"], show_default="2")]
ParserSpec = Annotated[
    str,
    typer.Option(
        metavar="SPEC",
        help="embedded[=MODELFILE], benepar[=MODELNAME], stanza[=LANGUAGE], corenlp=URL, "
        "or file=TREES to look them up.",
    ),
]
