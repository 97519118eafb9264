"""Forms of English verbs, so that a table can name a verb once."""

from __future__ import annotations

_IRREGULAR = {
    "think": "thinks thinking thought",
    "say": "says saying said",
    "tell": "tells telling told",
    "write": "writes writing wrote written",
    "withdraw": "withdraws withdrawing withdrew withdrawn",
    "forbid": "forbids forbidding forbade forbad forbidden",
    "forget": "forgets forgetting forgot forgotten",
    "mean": "means meaning meant",
    "seek": "seeks seeking sought",
    "swear": "swears swearing swore sworn",
    "fall": "falls falling fell fallen",
    "lose": "loses losing lost",
    "quit": "quits quitting quit",
    "bid": "bids bidding bid",
    "hold": "holds holding held",
    "feel": "feels feeling felt",
    "find": "finds finding found",
    "understand": "understands understanding understood",
    "rule": "rules ruling ruled",
    "forecast": "forecasts forecasting forecast",
    "admit": "admits admitting admitted",
    "omit": "omits omitting omitted",
    "drop": "drops dropping dropped",
    "stop": "stops stopping stopped",
    "plan": "plans planning planned",
    "ban": "bans banning banned",
    "bar": "bars barring barred",
    "scrap": "scraps scrapping scrapped",
    "cancel": "cancels canceling canceled cancelling cancelled",
    "refer": "refers referring referred",
    "put": "puts putting",
    "spend": "spends spending spent",
    "keep": "keeps keeping kept",
    "get": "gets getting got gotten",
    "know": "knows knowing knew known",
    "deal": "deals dealing dealt",
    "fit": "fits fitting fitted",
    "rid": "rids ridding",
    "rob": "robs robbing robbed",
    "confer": "confers conferring conferred",
    "lie": "lies lying lay lain",
    "lead": "leads leading led",
    "bring": "brings bringing brought",
    "set": "sets setting",
    "differ": "differs differing differed",
    "acquit": "acquits acquitting acquitted",
    "make": "makes making made",
    "come": "comes coming came",
    "go": "goes going went gone",
    "sit": "sits sitting sat",
    "lay": "lays laying laid",
    "mistake": "mistakes mistaking mistook mistaken",
    "send": "sends sending sent",
    "prefer": "prefers preferring preferred",
}


def verb_forms(stems: str) -> tuple[str, ...]:
    """Return all forms of some verbs."""
    return tuple([form for stem in stems.split() for form in _forms(stem)])


def _forms(stem: str) -> list[str]:
    if stem in _IRREGULAR:
        return [stem, *_IRREGULAR[stem].split()]
    if stem.endswith("e"):
        return [stem, f"{stem}s", f"{stem}d", f"{stem[:-1]}ing"]
    if stem.endswith("y") and stem[-2] not in "aeiou":
        return [stem, f"{stem[:-1]}ies", f"{stem[:-1]}ied", f"{stem}ing"]
    plural = "es" if stem.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return [stem, f"{stem}{plural}", f"{stem}ed", f"{stem}ing"]
