"""Verbs that mean the opposite of each other, which text alone gives the same contexts.

They are known from three sources: what the text says of its verbs (`evidence`), the form of words
(`agree` and `disagree`, `go up` and `go down`), and a small table of common verbs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from treewright.paraphrase.phrases import Phrase

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
