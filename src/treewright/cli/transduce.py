"""`treewright transduce`: rewrite trees with a model."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treewright.cli import console, options
from treewright.cli.options import optional
from treewright.errors import UsageError, choose

if TYPE_CHECKING:
    from treewright.compression import AnyTarget, Limit, Rewriting

_FORMATS = ("trees", "text", "json")


def transduce(
    model: options.ModelFile,
    trees: options.Trees,
    rate: Annotated[float | None, optional("R", "At most R × words in each sentence.")] = None,
    corpus_rate: Annotated[
        float | None, optional("R", "R × all words, shared by the whole input.")
    ] = None,
    max_words: Annotated[int | None, optional("N", "At most N words in each sentence.")] = None,
    nbest: Annotated[
        int,
        typer.Option(
            min=1, metavar="K", help="Up to K outputs, with a blank line after each group."
        ),
    ] = 1,
    decode: options.Decode = "viterbi",
    output: Annotated[str, typer.Option("--format", help="trees, text or json.")] = "trees",
    json: options.FormatJson = False,
    strip: options.Strip = False,
    strict: options.Strict = False,
) -> None:
    """Rewrite each tree; one output a line in input order, an empty line where there is none.

    A word is a token with a letter or a digit; punctuation is free. A tree that cannot be read or
    rewritten is reported and gives an empty line, and the exit status is 1.
    """
    from treewright.compression import Rewriter, load_model

    console.check_stdin(model, trees)
    form = "json" if json else choose(output, _FORMATS, "format")
    limit = _limit(rate, corpus_rate, max_words)
    loaded = load_model(model)
    rewriter = Rewriter(model=loaded, limit=limit, nbest=nbest, decode=decode)
    if decode != "viterbi" and not loaded.has_probabilities:
        console.say(
            f"decode {decode} takes the scores of this {loaded.metadata['learner']} model as "
            "log-weights, which it was not trained to give"
        )
    # The grammar is many small objects that live to the end: exempt them from garbage collection.
    gc.freeze()
    problems = console.collect(strict)
    explained = loaded.explains_by_rules
    total = unmet = copied = 0
    progress = console.progress(streaming=True)
    sources = console.source_trees(trees, strip=strip)
    for rewriting in rewriter(sources, problems=problems, progress=progress):
        total += 1
        unmet += not rewriting.met
        copied += explained and rewriting.best is not None and rewriting.best.unseen > 0
        _put(rewriting, form, nbest)
    if copied:
        console.say(f"{copied} of {total} trees needed copy or deletion rules the grammar lacks")
    if unmet and corpus_rate is not None:
        console.say("the outputs together exceed the limit: nothing shorter can be derived")
    elif unmet:
        console.say(f"{unmet} of {total} outputs exceed the limit: nothing shorter can be derived")
    console.finish(problems, "trees")


def _limit(rate: float | None, corpus_rate: float | None, max_words: int | None) -> Limit:
    from treewright.compression import Limit

    if corpus_rate is None:
        return Limit(rate=rate, max_words=max_words, per="sentence")
    if rate is not None or max_words is not None:
        raise UsageError("--corpus-rate contradicts --rate and --max-words; give one of them")
    return Limit(rate=corpus_rate)


def _put(rewriting: Rewriting, form: str, nbest: int) -> None:
    if form == "json":
        console.put_json(_as_dict(rewriting, nbest))
        return
    for target in rewriting.targets or (None,):
        if target is None:
            console.put("")
        else:
            console.put(str(target.tree) if form == "trees" else " ".join(target.tree.words()))
    if nbest > 1:
        console.put("")


def _as_dict(rewriting: Rewriting, nbest: int) -> dict[str, Any]:
    described = [_target(target) for target in rewriting.targets]
    best = described[0] if described else {"tree": None, "words": [], "kept": [], "score": None}
    result = {**best, "met": rewriting.met}
    if nbest > 1:
        result["nbest"] = described
    return result


def _target(target: AnyTarget) -> dict[str, Any]:
    """Describe a rewriting and the reasons for it: its rules, or what is dropped."""

    described = {
        "tree": str(target.tree),
        "words": list(target.tree.words()),
        "kept": list(target.positions),
        "score": target.score,
    }
    if target.derivation is None:
        return {**described, "dropped": list(target.dropped)}
    rules = [str(rule) for rule in target.rules]
    return {**described, "rules": rules, "unseen": target.unseen}
