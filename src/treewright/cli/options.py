"""Options that several commands share, so they look and work the same everywhere.

Settings of the library default to `None` here, which leaves them to the library; `show_default`
repeats the library's values in the help text.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer


def optional(metavar: str, about: str, default: str | bool = True) -> Any:
    """Return an option that is `None` if left out; `default` says what the library takes then."""
    return typer.Option(metavar=metavar, help=about, show_default=default)


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
    typer.Option(
        "--all-targets", help="Learn from every target; --target then applies only to --dev."
    ),
]
Also = Annotated[list[str] | None, optional("PAIRS.jsonl", "Learn from these too. Repeat.")]
Strip = Annotated[
    bool, typer.Option("--strip", help="Strip traces and function tags, and root trees in ROOT.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first bad item.")]
Engine = Annotated[
    str | None,
    optional(
        "NAME",
        "Where to run, by partitions: embedded or embedded=MEMORY (as in 500MB), on this "
        "machine; spark or spark=URL, on a cluster.",
    ),
]
Output = Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="- is stdout.")]
PairsOutput = Annotated[
    str, typer.Option("--output", "-o", metavar="PAIRS.jsonl", help="- is stdout.")
]
Tokenized = Annotated[
    bool, typer.Option("--tokenized", help="One sentence a line, tokens split at spaces.")
]
FormatJson = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="Seed for all random choices.")
]

Threads = Annotated[int, typer.Option(min=1, help="Threads.")]
KeepCase = Annotated[bool, typer.Option("--keep-case", help="Tell upper and lower case apart.")]
SourceText = Annotated[str, typer.Argument(metavar="SRC", help="Source text, tokenised.")]
TargetText = Annotated[str, typer.Argument(metavar="TGT", help="Target text, tokenised.")]
WordLinks = Annotated[str, typer.Argument(metavar="LINKS", help="Word links, as of `align`.")]
MaxLength = Annotated[int | None, optional("N", "Words of a phrase.", "7")]
PhraseSmoothing = Annotated[
    str | None,
    typer.Option(
        help="Of phrase probabilities: none, absolute, kneser-ney.", show_default="kneser-ney"
    ),
]
RuleParts = Annotated[int | None, optional("N", "Minimal rules in a composed one.", "3")]
Memory = Annotated[int | None, optional("MB", "For sorting; more goes to disk.", "1024")]
Test = Annotated[
    str, typer.Option(help="Significance test with --against: bootstrap or randomisation.")
]
Samples = Annotated[int, typer.Option(min=1, help="Number of samples in the test.")]

Config = Annotated[str | None, optional("FILE.toml", "Settings; flags given here win.")]
Out = Annotated[
    str, typer.Option("--model", metavar="OUT", help="Where to write the model; - is stdout.")
]
Dev = Annotated[str | None, optional("PAIRS.jsonl", "Score the model on these pairs.")]
_DECODE = "viterbi: best derivation; mbr: likeliest pairs of words"
Decode = Annotated[str, typer.Option(help=f"{_DECODE}; mpt: best tree.")]
CurveDecode = Annotated[str, typer.Option(help=f"{_DECODE}.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes for a grid search or for chains.")]
Grid = Annotated[
    list[str] | None, optional("NAME=V,V,…", "Search these values, scored on --dev. Repeat.")
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
    "parts": "Maximum number of general rules conjoined into one.",
    "variables": "Maximum number of variables in a conjoined rule.",
    "depth": "Maximum depth of a conjoined rule.",
    "min_count": "Drop conjoined rules seen less often.",
}
"""Help for settings that several learners share."""
BASE = {
    "beta": "Probability that P0 expands a node.",
    "beta_at_root": "Let P0 pay for expanding the root of a rule too.",
}
KAPPA = {"kappa": "Prior counts per root pair, smoothing 'plain'."}
PRUNING = {"pruning": "Let any children of a node be dropped, at a learned price."}

Parts = Annotated[int | None, typer.Option(help=EXTRACTION["parts"], show_default="2")]
Variables = Annotated[int | None, typer.Option(help=EXTRACTION["variables"], show_default="3")]
Depth = Annotated[int | None, typer.Option(help=EXTRACTION["depth"], show_default="4")]
MinCount = Annotated[int | None, typer.Option(help=EXTRACTION["min_count"], show_default="2")]
ParserSpec = Annotated[
    str,
    typer.Option(
        metavar="SPEC",
        help="embedded[=MODELFILE], benepar[=MODELNAME], stanza[=LANGUAGE], corenlp=URL, "
        "or file=TREES to look up trees.",
    ),
]
