"""Head finding: which child carries a constituent's grammar, and which one its meaning.

Both answers come from tables in the manner of Collins (1999, p. 236–238), read off the child
labels. The *syntactic* head of `was sold` is `was`; the *semantic* head, which typed
dependencies are built on, is `sold`, and that of `is tall` is `tall`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol


def word_set(text: str) -> frozenset[str]:
    """Return the words (or labels) of `text` as a set."""
    return frozenset(text.split())


PUNCTUATION_TAGS = frozenset({"''", "``", "-LRB-", "-RRB-", ".", ":", ",", "PU"})


class Constituent(Protocol):
    """What head finding needs to know about a node; a `Tree` qualifies."""

    @property
    def label(self) -> str:
        """The category or the part of speech."""

    @property
    def word(self) -> str | None:
        """The word of a preterminal."""

    @property
    def children(self) -> Sequence[Constituent]:
        """The children from left to right."""


@lru_cache(maxsize=4096)
def base_label(label: str) -> str:
    """Return a label without function tags and indices: `NP-SBJ=2` → `NP`, `-LRB-` stays."""
    for place, character in enumerate(label):
        if place and character in "-=|#^~_":
            return label if label[0] == "-" else label[:place]
    return label


class _Rule(NamedTuple):
    """One rule of a head table; of equally good children it takes the first or the last."""

    ranks: Mapping[str, int]
    leftmost: bool

    def locate(self, labels: Sequence[str]) -> int:
        """Return the position of the best-ranked label, or -1 if the rule contains none of them."""
        best, found = len(self.ranks), -1
        for place, label in enumerate(labels):
            rank = self.ranks.get(label)
            if rank is not None and (rank < best or (rank == best and not self.leftmost)):
                best, found = rank, place
        return found

    def fall_back(self, labels: Sequence[str]) -> int:
        """Return the outermost position on the rule's side, avoiding punctuation if possible."""
        places = range(len(labels)) if self.leftmost else range(len(labels) - 1, -1, -1)
        return next((i for i in places if labels[i] not in PUNCTUATION_TAGS), places[0])


_Table = Mapping[str, tuple[_Rule, ...]]


def _table(source: Mapping[str, str]) -> _Table:
    """Parse rows `CATEGORY: rule; rule; …`, where a rule is a search direction and its labels.

    `first A B` takes the leftmost A, else the leftmost B; `last A B` the rightmost A, else the
    rightmost B; `first-of A B` the leftmost A or B, `last-of A B` the rightmost.
    """
    table = {}
    for category, row in source.items():
        rules = []
        for text in row.split(";"):
            way, *labels = text.split()
            ranks = dict.fromkeys(labels, 0) if way.endswith("-of") else _ranks(labels)
            rules.append(_Rule(ranks, leftmost=way.startswith("first")))
        table[category] = tuple(rules)
    return table


def _ranks(labels: list[str]) -> dict[str, int]:
    ranks: dict[str, int] = {}
    for rank, label in enumerate(labels):
        ranks.setdefault(label, rank)
    return ranks


_SYNTACTIC_NOMINAL = (
    "last-of NN NNP NNPS NNS NX POS JJR; first NP NML PRP; last-of $ ADJP JJP PRN; last CD;"
    " last-of JJ JJS RB QP DT WDT RBR ADVP"
)
_SYNTACTIC = {
    "ADJP": "first NNS NN $ QP; last JJ; first VBN VBG ADJP JJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "ADVP": "last RB RBR RBS FW ADVP TO CD JJR JJ IN NP NML JJS NN",
    "CONJP": "last CC RB IN",
    "FRAG": "last",
    "INTJ": "first",
    "JJP": "first NNS NN $ QP JJ VBN VBG ADJP JJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "LST": "last LS :",
    "NAC": "first NN NNS NML NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP JJP FW",
    "NML": _SYNTACTIC_NOMINAL,
    "NP": _SYNTACTIC_NOMINAL,
    "NX": "last NP NX",
    "POSSP": "last POS",
    "PP": "last IN TO VBG VBN RP FW JJ; last PP",
    "PRN": "first VP NP PP S SINV SBAR ADJP JJP ADVP INTJ WHNP NAC VBP JJ NN NNP",
    "PRT": "last RP",
    "QP": "first $ IN NNS NN JJ CD PDT DT RB NCD QP JJR JJS",
    "ROOT": "first S SQ SINV SBAR FRAG",
    "RRC": "last VP NP ADVP ADJP JJP PP",
    "S": "first TO VP S FRAG SBAR ADJP JJP UCP NP",
    "SBAR": "first WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG",
    "SBARQ": "first SQ S SINV SBARQ FRAG",
    "SINV": "first VBZ VBD VBP VB MD VP S SINV ADJP JJP NP",
    "SQ": "first VBZ VBD VBP VB MD AUX AUXG VP SQ",
    "UCP": "last",
    "VP": "first TO VBD VBN MD VBZ VB VBG VBP VP AUX AUXG ADJP JJP NN NNS JJ NP NNP",
    "WHADJP": "first CC WRB JJ ADJP JJP",
    "WHADVP": "last CC WRB",
    "WHNP": "first WDT WP WP$ WHADJP WHPP WHNP",
    "WHPP": "last IN TO FW",
    "X": "last S VP ADJP JJP NP SBAR PP X",
}
_SEMANTIC_CHANGES = {
    "ADJP": "first $ JJ NNS NN QP VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB",
    "CONJP": "last TO RB IN CC",
    "FRAG": "first ADJP ADVP FRAG S",
    "NP": "last-of NN NNP NNPS NNS NX NML JJR; first NP PRP; last-of $ ADJP FW; last CD;"
    " last-of JJ JJS QP DT WDT NML PRN RB RBR ADVP; first POS; last",
    "PP": "last IN TO VBG VBN RP FW JJ; first PP",
    "PRN": "first VP SQ S SINV SBAR NP ADJP PP ADVP INTJ WHNP NAC VBP JJ NN NNP",
    "QP": "last $ NNS NN CD JJ PDT DT IN RB NCD QP JJR JJS",
    "S": "first VP S FRAG SBAR ADJP UCP TO; last NP",
    "SBAR": "first S SQ SINV SBAR FRAG VP WHNP WHPP WHADVP WHADJP IN DT",
    "SQ": "first VP SQ ADJP VB VBZ VBD VBP MD AUX AUXG",
    "UCP": "first",
    "WHADJP": "first ADJP JJ JJR; last RB; last",
    "WHADVP": "last-of WRB WHADVP RB JJ",
    "WHNP": "last-of NN NNP NNPS NNS NX NML JJR WP; first WHNP NP; last-of $ ADJP PRN FW;"
    " last CD; last-of JJ JJS RB QP; first WHPP WHADJP WP$ WDT",
    "XS": "last IN",
}
_CHINESE_VERBS = "SHI V_2 VA VAC VC VCL VD VE VF VG VH VHC VI VJ VK VL V"
_CHINESE_NOUNS = "Na Nb Nc Ncd Nd Nh Nv"
_CHINESE = {
    "DM": "last DM Nf",
    "GP": "last Ng GP",
    "N": f"first-of {_CHINESE_NOUNS} N NP",
    "NP": f"last-of {_CHINESE_NOUNS}",
    "PP": "first P",
    "S": f"first-of {_CHINESE_VERBS}",
    "V": f"first-of {_CHINESE_VERBS}",
    "VP": f"first-of {_CHINESE_VERBS}",
}
"""Heads of the Sinica treebank, whose style the Chinese parser has. None of these tags is English,
so the two languages share a table.
"""


def _with_chinese(english: Mapping[str, str]) -> dict[str, str]:
    """Put the Chinese rules of each category before its English ones."""
    both = {
        label: f"{row}; {english[label]}" for label, row in _CHINESE.items() if label in english
    }
    return {**_CHINESE, **english, **both}


_SYNTACTIC_TABLE = _table(_with_chinese(_SYNTACTIC))
_SEMANTIC_TABLE = _table(_with_chinese(_SYNTACTIC | _SEMANTIC_CHANGES))
_UNKNOWN = (_Rule({}, leftmost=True),)

_VERB_TAGS = word_set("TO MD VB VBD VBP VBZ VBG VBN AUX AUXG")
_AUXILIARIES = word_set(
    "will wo shall sha may might should would can could ca must has have had having"
    " get gets getting got gotten do does did to 've 'd 'll"
)
_COPULAS = word_set(
    "be being been am are is was were 'm 're 's s seem seems seemed appear appears appeared"
    " stay stays stayed remain remains remained resemble resembles resembled"
    " become becomes became"
)
_AUXILIARY_COMPLEMENT = _Rule(_ranks(["VP", "ADJP"]), leftmost=True)
_PREDICATES = ["VP", "ADJP", "NP", "WHADJP", "WHNP"]
_COPULA_COMPLEMENT = _Rule(_ranks(_PREDICATES), leftmost=True)
_QUESTION_COMPLEMENT = _Rule(_ranks(_PREDICATES), leftmost=False)


def head_child(node: Constituent) -> int:
    """Return the position of the syntactic head among `node.children` (0 if there is none)."""
    if len(node.children) < 2:
        return 0
    labels = tuple([base_label(child.label) for child in node.children])
    return head_places(base_label(node.label), labels)[0]


def semantic_head_child(node: Constituent, parent: Constituent | None = None) -> int:
    """Return the position of the semantic head among `node.children` (0 if there is none).

    Auxiliaries and copulas give way to their complement. `parent` identifies existential clauses
    (`there is …`) and wh-questions, whose copula remains the head.
    """
    if len(node.children) < 2:
        return 0
    labels = tuple([base_label(child.label) for child in node.children])
    category = base_label(node.label)
    if category in VERBAL:
        place = complement_child(node, category, labels, parent)
        if place >= 0:
            return place
    return head_places(category, labels)[1]


VERBAL = ("VP", "SQ", "SINV")
"""Categories whose semantic head depends on words; that of all others on labels alone."""


@lru_cache(maxsize=1 << 14)
def head_places(category: str, labels: tuple[str, ...]) -> tuple[int, int]:
    """Return the positions of the syntactic and the semantic head among children with these
    labels, by tables alone.
    """
    syntactic = _head_place(_SYNTACTIC_TABLE, category, labels, semantic=False)
    return syntactic, _head_place(_SEMANTIC_TABLE, category, labels, semantic=True)


def _head_place(table: _Table, category: str, labels: tuple[str, ...], *, semantic: bool) -> int:
    rules = table.get(category, _UNKNOWN)
    for rule in rules:
        place = rule.locate(labels)
        if place >= 0:
            break
    else:
        place = rules[-1].fall_back(labels)
    return _before_conjunction(place, labels, first_conjunct=semantic)


def _before_conjunction(place: int, labels: Sequence[str], *, first_conjunct: bool) -> int:
    """Move a head that follows a conjunction to the preceding conjunct, or to the first one."""
    if place < 2 or labels[place - 1] not in ("CC", "CONJP"):
        return place
    moved = place - 2
    if labels[moved] in PUNCTUATION_TAGS:
        return place
    while first_conjunct and moved >= 2 and labels[moved - 1] in PUNCTUATION_TAGS:
        moved -= 2
    return moved


def complement_child(
    node: Constituent, category: str, labels: Sequence[str], parent: Constituent | None
) -> int:
    """Return the position of what an auxiliary or a copula introduces, -1 if there is neither."""
    if _has_verb(node, _AUXILIARIES):
        place = _AUXILIARY_COMPLEMENT.locate(labels)
        if place >= 0:
            return _before_conjunction(place, labels, first_conjunct=True)
    if not _has_verb(node, _COPULAS) or _is_existential(category, parent):
        return -1
    if category == "SQ" and _asks_with_wh(parent):
        return -1
    rule = _QUESTION_COMPLEMENT if category == "SQ" else _COPULA_COMPLEMENT
    place = rule.locate(labels)
    if place < 0:
        return -1
    return _before_conjunction(place, labels, first_conjunct=True)


def _has_verb(node: Constituent, words: frozenset[str]) -> bool:
    for child in node.children:
        word = child.word
        if word is not None and child.label in _VERB_TAGS and word.lower() in words:
            return True
    return False


def _is_existential(category: str, parent: Constituent | None) -> bool:
    """Whether `there` occurs beside the node, before any verb phrase."""
    if parent is None or category == "SINV":
        return False
    for sister in parent.children:
        if category == "VP" and base_label(sister.label) == "VP":
            return False
        if not sister.label.startswith("VB") and _has_there(sister):
            return True
    return False


def _has_there(node: Constituent) -> bool:
    stack = [node]
    while stack:
        top = stack.pop()
        if top.word is not None and top.label == "EX":
            return True
        stack.extend(top.children)
    return False


def _asks_with_wh(parent: Constituent | None) -> bool:
    return (
        parent is not None
        and parent.label == "SBARQ"
        and any(sister.label.startswith("WH") for sister in parent.children)
    )
