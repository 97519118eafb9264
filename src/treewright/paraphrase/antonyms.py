"""Verbs that mean the opposite of each other, which text alone gives the same contexts.

They are known from three sources: a small table of common verbs, the form of words (`agree` and
`disagree`, `go up` and `go down`), and what a text says of its verbs, counted with its phrases.
There, numbers tell directions: what `rose to 5 pct from 3 pct` went up. Verbs with `or` between
them are alternatives, mostly of opposite meaning: `confirm or deny`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from treewright.paraphrase.phrases import VERBS, Phrase
from treewright.text import lemma

Pair = tuple[str, str]
"""Two lemmas in alphabetic order."""
_PREFIXES = ("dis", "un", "de", "mis")
_SHORTEST = 3
"""Letters of a verb that a prefix may precede."""
_PARTICLES = {
    one: other
    for pair in (("up", "down"), ("in", "out"), ("on", "off"), ("over", "under"))
    for one, other in (pair, pair[::-1])
}
_PARTICLE_TAGS = frozenset(("RP", "RB"))
_TABLE = """
rise increase climb grow gain jump soar surge advance raise boost lift expand accelerate widen
    strengthen improve double / fall decrease decline drop plunge tumble slump sink slip dip
    shrink lower reduce cut slash contract slow narrow weaken worsen deteriorate halve ease
    plummet slide;
buy purchase acquire / sell divest;
win / lose;
accept approve allow permit authorize authorise welcome / reject refuse forbid ban prohibit deny
    decline oppose block veto;
admit confirm / deny;
affirm assert / deny;
start begin open launch commence initiate resume / end stop finish close cease halt conclude
    suspend terminate;
create build construct establish found erect / destroy demolish dissolve abolish dismantle;
come arrive enter / go leave depart exit;
appear emerge / vanish disappear;
remember recall / forget;
love like admire / hate dislike loathe despise;
live survive / die perish;
send give lend pay offer supply provide / receive get take borrow obtain;
ask inquire / answer reply respond;
add attach append include insert / remove delete subtract exclude detach omit;
push / pull;
attack / defend;
praise commend / criticise criticize condemn blame denounce;
succeed / fail;
agree / disagree differ;
support back endorse favour favor / oppose resist;
join unite combine merge / leave separate split divide;
hire employ appoint recruit / fire dismiss sack;
follow / precede lead;
lengthen extend prolong / shorten curtail;
lock fasten close shut / unlock unfasten open;
hide conceal cover / show reveal disclose uncover expose;
encourage / discourage deter;
win gain acquire obtain / lose forfeit;
keep retain maintain hold / lose abandon relinquish discard;
import / export;
heat warm / cool chill;
freeze / melt thaw;
teach / learn;
speak talk / listen;
pass / fail;
sink / float;
wake / sleep;
free release liberate / capture arrest imprison detain;
save rescue / kill;
stand / sit;
inflate / deflate;
sharpen / blunt dull;
tighten / loosen relax;
assemble / disassemble;
ascend / descend;
load / unload;
marry / divorce;
borrow / lend;
stay remain / leave depart go;
ignore neglect / notice heed;
exceed surpass / trail lag;
overestimate / underestimate;
"""
MARK = "\x02"
MORE, LESS, OR = f"{MARK}more", f"{MARK}less", f"{MARK}or"
"""Under these, counting by context holds verbs that went up or down, and pairs of alternatives."""
_IS_AMOUNT = re.compile(r"\d[\d,]*(\.\d+)?")
_REACH = 8
"""How many words a verb, `to` and `from` may be apart."""
_LEAST = 5
_SURE = 0.9
"""How often, and with which share of one direction, numbers must go with a verb."""
_OFTEN = 3
"""How often verbs must be alternatives."""
_INFLECTED = {"VBP": "VB", "VBN": "VBD"}


def pair(one: str, other: str) -> Pair:
    """Return two lemmas as a pair."""
    return (one, other) if one < other else (other, one)


def against(ones: Iterable[str], others: Iterable[str]) -> Iterator[Pair]:
    """Pair each verb of one side with each of the other."""
    return (pair(one, other) for one, other in product(ones, others) if one != other)


COMMON = frozenset(
    found
    for entry in _TABLE.split(";")[:-1]
    for found in against(*(side.split() for side in entry.split("/")))
)
"""Antonyms among common verbs."""


@dataclass(frozen=True)
class Antonyms:
    """The antonyms of a model: those of its text beside those that are always known."""

    pairs: frozenset[Pair] = frozenset()

    def have(self, phrase: Phrase, other: Phrase) -> bool:
        """Whether the main verbs of two phrases mean the opposite."""
        one, two = _particle(phrase), _particle(other)
        if one and two:
            return _PARTICLES.get(one) == two
        return self.are(phrase.lemma, other.lemma)

    def are(self, one: str, other: str) -> bool:
        """Whether two verbs are antonyms."""
        found = pair(one, other)
        return found in self.pairs or found in COMMON or _prefixed(*found)

    def __or__(self, other: Antonyms) -> Antonyms:
        """Return what either knows."""
        return Antonyms(self.pairs | other.pairs)


UNTOLD = Antonyms()
"""What is known without a text."""


def _particle(phrase: Phrase) -> str:
    """The particle or adverb of direction right after the main verb, or nothing."""
    after = phrase.main + 1
    if after >= len(phrase.words) or phrase.tags[after] not in _PARTICLE_TAGS:
        return ""
    return phrase.words[after] if phrase.words[after] in _PARTICLES else ""


def _prefixed(one: str, other: str) -> bool:
    """Whether one of two verbs is the other with a prefix that reverses it."""
    shorter, longer = sorted((one, other), key=len)
    return len(shorter) >= _SHORTEST and longer in [prefix + shorter for prefix in _PREFIXES]


def evidence(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what a sentence says: the kind of evidence, and the verb or pair of verbs."""
    if "or" in words:
        yield from _alternatives(words, tags)
    if "from" in words and "to" in words:
        yield from _directions(words, tags)


def _alternatives(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    for place in range(1, len(words) - 1):
        one, other = tags[place - 1], tags[place + 1]
        if words[place] != "or" or one not in VERBS:
            continue
        if _INFLECTED.get(one, one) == _INFLECTED.get(other, other):
            verbs = pair(lemma(words[place - 1], one), lemma(words[place + 1], other))
            if verbs[0] != verbs[1]:
                yield OR, " ".join(verbs)


def _directions(words: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What numbers say, as in VERB … to 5 … from 3."""
    for place, word in enumerate(words):
        before = _amount(words, place + 1) if word == "from" else None
        if before is None:
            continue
        near = range(place - 1, max(place - _REACH, 0), -1)
        to = next((other for other in near if words[other] == "to"), 0)
        after = _amount(words, to + 1) if to else None
        verbs = (n for n in range(to - 1, max(to - _REACH, -1), -1) if tags[n] in VERBS)
        verb = next(verbs, None)
        if after is None or verb is None or after[0] == before[0]:
            continue
        if after[1] == before[1] or not after[1] or not before[1]:
            kind = MORE if after[0] > before[0] else LESS
            yield kind, lemma(words[verb], tags[verb])


def _amount(words: Sequence[str], start: int) -> tuple[float, str] | None:
    """The first of the next words that is a number, and its unit, the word after it."""
    for place in range(start, min(start + 3, len(words))):
        if _IS_AMOUNT.fullmatch(words[place]):
            unit = words[place + 1] if place + 1 < len(words) else ""
            is_unit = unit.isalpha() and unit not in ("from", "to", "in", "a")
            return float(words[place].replace(",", "")), unit if is_unit else ""
    return None


def learned(counts: Iterable[tuple[str, str, int]]) -> Antonyms:
    """Return the antonyms that counts of evidence speak for."""
    alternatives = []
    directions: dict[str, dict[str, int]] = {}
    for kind, verb, count in counts:
        if kind == OR:
            alternatives += [pair(*verb.split(" "))] if count >= _OFTEN else []
        else:
            directions.setdefault(verb, {MORE: 0, LESS: 0})[kind] += count
    sure: dict[str, list[str]] = {MORE: [], LESS: []}
    for verb, found in directions.items():
        kind = max(found, key=lambda name: found[name])
        if found[kind] >= max(_LEAST, _SURE * sum(found.values())):
            sure[kind].append(verb)
    return Antonyms(frozenset([*alternatives, *against(sure[MORE], sure[LESS])]))
