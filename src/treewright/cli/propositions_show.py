"""`treewright propositions show`."""

from __future__ import annotations

from typing import Annotated

import typer

from treewright.cli import console, options


def show(
    model: options.ModelFile,
    verb: Annotated[str | None, typer.Option(metavar="V", help="Only with this verb.")] = None,
    noun: Annotated[
        str | None, typer.Option("--class", metavar="C", help="Only with this class.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, metavar="N", help="How many.")] = 20,
    json: options.Json = False,
) -> None:
    """Print the most frequent propositions, with how often they occur and an example."""
    from treewright.propositions import load_model

    shown = 0
    for classes, found in load_model(model).counted():
        best = found[0]
        verbs = [one for one, kind in zip(classes, best.kinds, strict=True) if kind == "verb"]
        if (verb is not None and verb not in verbs) or (noun is not None and noun not in classes):
            continue
        count = sum(one.count for one in found)
        if json:
            row = {"count": count, "classes": classes, "instances": len(found)}
            console.put_json(row | {"shape": best.shape, "example": best.words})
        else:
            console.put(f"{count:8,}  {' '.join(classes):50} e.g. {' '.join(best.words)}")
        shown += 1
        if shown == top:
            break
    if not shown:
        console.say("no such proposition")
