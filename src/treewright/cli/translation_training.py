"""What `train phrase` and `train ghkm` share: options, and training with parts that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from treewright.cli import console
from treewright.cli.training import interruptible

if TYPE_CHECKING:
    from typing import Any, Protocol

    from treewright.translation import Workshop

    Files = TypeVar("Files", contravariant=True)
    Model = TypeVar("Model", covariant=True)

    class Learner(Protocol[Files, Model]):
        """A learner that makes its model part by part."""

        def fit(self, files: Files, shop: Workshop, *, problems: Any, progress: Any) -> Model:
            """Make a model."""
            ...


Source = Annotated[str, typer.Argument(metavar="SRC", help="Source text, tokenised.")]
Target = Annotated[str, typer.Argument(metavar="TGT", help="Its translation, line by line.")]
Dev = Annotated[
    tuple[str, str], typer.Option(metavar="SRC REF", help="Text to tune on, its translation.")
]
Stop = Annotated[
    tuple[str, str] | None,
    typer.Option(metavar="SRC REF", help="Second dev text, which ends tuning."),
]
Links = Annotated[str | None, typer.Option(metavar="FILE", help="Word links, instead of aligning.")]
Languages = Annotated[
    tuple[str, str] | None,
    typer.Option(metavar="SRC TGT", help="Tokenisers for translate --raw, such as en de."),
]
Casing = Annotated[
    str | None,
    typer.Option(help="lower, true (first words in usual case) or cased.", show_default="lower"),
]
Order = Annotated[
    int | None, typer.Option(metavar="N", help="Order of language models.", show_default="5")
]
Tuning = Annotated[str | None, typer.Option(help="mira, mert or pro.", show_default="mira")]
Iterations = Annotated[int | None, typer.Option(min=1, help="Rounds of tuning.", show_default="8")]
Work = Annotated[
    str | None,
    typer.Option(
        metavar="DIR", help="Keep finished parts here; otherwise in OUT.parts until the end."
    ),
]
Threads = Annotated[int, typer.Option(min=1, help="Threads.")]


def make_model(
    learner: Learner[Any, Any], files: Any, model: str, work: str | None, *, strict: bool
) -> Any:
    """Train and save a model; parts are kept in a folder of its own unless one is given."""
    from treewright.translation import Workshop

    problems = console.collect(strict)
    shop = Workshop(work or f"{model}.parts", console.say)
    with interruptible(lambda: f"what is finished is in {shop.folder}; run the command again"):
        made = learner.fit(files, shop, problems=problems, progress=console.progress())
        made.save(model)
    if work is None:
        shop.clear()
    console.conclude(problems, "pairs")
    return made
