"""Classes of names: which nouns a text uses for them, how often, and which of them to trust."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from treewright.propositions.evidence import AGENT, HONORIFICS, WAYS, Evidence

_TRUSTED = 3
_NOUN_SHARE = 0.1
"""How often a word must be tagged as a noun anywhere, and how often for each time that it is tagged
as something else before a name, to count as a noun there: `forward`.
"""
_SELECTIVE = 0.8
_COMPOUND = 5
"""`running back` is a class if `running` stands before `back` in this share of its uses, and so
often.
"""
_LETTERS = 3
"""How many names letters must precede to be a class: `QB`."""
CALENDAR = {
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": "January February March April May June July August September October November "
    "December",
}
"""Names whose class no text needs to say."""
_WEIGHTS = {
    "modifier": 1.0,
    "letters": 1.0,
    "title": 1.0,
    "apposition": 0.5,
    "such as": 0.5,
    "copula": 0.25,
    "relative": 0.25,
}
_HONORIFIC = 0.25
"""Nouns beside a name are its class more often than what it is said to be: `Young was a spark`."""


@dataclass
class ClassSettings:
    """What counts as evidence, and how many classes a name may have."""

    most: int = 3
    """Classes of a name; the paper has 3."""
    unknown: int = 20
    """Classes that an unknown name may have: the commonest."""
    entities: int = 2
    """How many names a noun must be used for; 1 in the paper."""
    ways: Collection[str] = WAYS


@dataclass
class ClassTable:
    """Weighted counts of classes by name, and how to bring names to one form."""

    counts: dict[str, dict[str, float]]
    prefixes: dict[str, str] = field(default_factory=dict)
    """Words that are classes rather than parts of names, as written: `QB` → `quarterback`."""

    def name(self, name: str) -> str:
        """Return a name without the classes written as its first words."""
        words = name.split("_")
        for place in range(len(words) - 1, 0, -1):
            # `QB Jay Cutler`, `Broncos QB Jay Cutler`, `Rookie Jay Cutler`.
            before = words[place - 1]
            if before in self.prefixes and (place == 1 or before.isupper()):
                words = words[place:]
                break
        bare = "_".join(words)
        if bare not in self.counts:
            # `Heat Goran Dragic`: what a team's name was joined with.
            for start in range(1, len(words) - 1):
                rest = "_".join(words[start:])
                if rest in self.counts:
                    return rest
        return bare

    def classes(self, name: str) -> dict[str, float]:
        """Return the classes of a name with their counts; empty if it is unknown."""
        return self.counts.get(name, {})


def build_classes(
    found: Iterable[Evidence], nouns: Mapping[str, int], settings: ClassSettings
) -> ClassTable:
    """Count classes, leaving out what is seen with too few names, and the rarest of each name.

    `nouns` says how often words are tagged as common nouns in the text.
    """
    evidence = [one for one in found if one.way in settings.ways]
    trusted = _trusted(evidence, nouns, settings.entities)
    letters = _letters(evidence)
    compounds = _compounds(evidence, trusted)
    prefixes = _prefixes(evidence, trusted, letters)
    counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for one in evidence:
        if one.way == "title" and one.noun in HONORIFICS:
            counts[one.name][HONORIFICS[one.noun]] += _HONORIFIC
        elif _counts(one, trusted, prefixes):
            joined = f"{one.modifier} {one.noun}"
            counts[one.name][joined if joined in compounds else one.noun] += _WEIGHTS[one.way]
    counts = _without_prefixes(counts, prefixes)
    aliases = _aliases(counts, letters)
    return _table(counts, prefixes, aliases, settings)


def _prefixes(
    evidence: Iterable[Evidence], trusted: Mapping[str, int], letters: Collection[str]
) -> dict[str, str]:
    """Return the words that are written as parts of names but are classes."""
    found: dict[str, str] = {}
    for one in evidence:
        if one.way == "letters" and one.noun in letters:
            found[one.noun] = one.noun
        elif one.way == "title" and one.noun in HONORIFICS:
            found[one.noun] = HONORIFICS[one.noun]
        elif one.way == "title" and "_" in one.name and trusted.get(one.noun, 0) >= _TRUSTED:
            # A full name follows: not `Target Center`.
            found[one.noun.title()] = one.noun
    return found


def _counts(one: Evidence, trusted: Mapping[str, int], prefixes: Mapping[str, str]) -> bool:
    """Whether a noun is a class of the name that it was found with."""
    if one.way == "letters":
        return one.noun in prefixes
    if one.way == "title":
        return one.noun.title() in prefixes
    return one.noun in trusted and (one.tag != "VB" or trusted[one.noun] >= _TRUSTED)


def _trusted(
    evidence: Iterable[Evidence], nouns: Mapping[str, int], entities: int
) -> dict[str, int]:
    """Return how often nouns stand for names, of those that are used for enough names."""
    names: dict[str, set[str]] = defaultdict(set)
    tagged: Counter[str] = Counter()
    mistagged: Counter[tuple[str, str]] = Counter()
    for one in evidence:
        if one.way not in ("letters", "title") and one.tag != AGENT:
            # `Young was the key` alone makes no class.
            if one.way not in ("copula", "relative") or entities == 1:
                names[one.noun].add(one.name)
            if one.tag == "NN":
                tagged[one.noun] += 1
            else:
                mistagged[one.noun, one.tag] += 1
    times = tagged.copy()
    for (noun, tag), number in mistagged.items():
        # A verb before a name mostly has it as its object.
        usual = tagged[noun] if tag == "VB" else nouns.get(noun, 0)
        if usual >= max(_TRUSTED, _NOUN_SHARE * number):
            times[noun] += number
    return {noun: times[noun] for noun in times if len(names[noun]) >= entities}


def _letters(evidence: Iterable[Evidence]) -> set[str]:
    """Return the letters that precede full names, such as `QB`, unlike `AFC` in `AFC North`."""
    rests: dict[str, set[str]] = defaultdict(set)
    for one in evidence:
        if one.way == "letters":
            rests[one.noun].add(one.name)
    return {
        letters
        for letters, names in rests.items()
        if len(names) >= _LETTERS and sum("_" in name for name in names) > 0.6 * len(names)
    }


def _compounds(evidence: Iterable[Evidence], trusted: Mapping[str, int]) -> set[str]:
    """Return pairs of words that are one class: the first hardly occurs before other nouns."""
    pairs: Counter[tuple[str, str]] = Counter()
    modifiers: Counter[str] = Counter()
    for one in evidence:
        if one.modifier and one.noun in trusted:
            pairs[one.modifier, one.noun] += 1
            modifiers[one.modifier] += 1
    return {
        f"{modifier} {noun}"
        for (modifier, noun), times in pairs.items()
        if times >= _COMPOUND and times >= _SELECTIVE * modifiers[modifier]
    }


def _without_prefixes(
    counts: Mapping[str, Mapping[str, float]], prefixes: Mapping[str, str]
) -> dict[str, dict[str, float]]:
    """Count under `Jamal_Murray` what was found for `Rookie_Jamal_Murray`."""
    stripped: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    table = ClassTable({}, dict(prefixes))
    for name, classes in counts.items():
        for noun, number in classes.items():
            stripped[table.name(name)][noun] += number
    return stripped


def _aliases(counts: Mapping[str, Mapping[str, float]], letters: Collection[str]) -> dict[str, str]:
    """Return what letters stand for: a class that has these letters in this order, of the same
    names more often than any other such class.
    """
    shared: dict[str, Counter[str]] = defaultdict(Counter)
    for classes in counts.values():
        for one in classes:
            if one in letters:
                shared[one].update({other: 1 for other in classes if _abbreviates(one, other)})
    return {
        one: min(found, key=lambda noun: (-found[noun], noun))
        for one, found in shared.items()
        if found
    }


def _abbreviates(letters: str, noun: str) -> bool:
    if noun == letters or noun[0] != letters[0].lower():
        return False
    rest = iter(noun)
    return all(letter in rest for letter in letters.lower())


def _table(
    counts: Mapping[str, Mapping[str, float]],
    prefixes: Mapping[str, str],
    aliases: Mapping[str, str],
    settings: ClassSettings,
) -> ClassTable:
    kept: dict[str, dict[str, float]] = {}
    for name in sorted(counts):
        classes: dict[str, float] = defaultdict(float)
        for noun, weight in counts[name].items():
            classes[aliases.get(noun, noun)] += weight
        best = sorted(classes.items(), key=lambda pair: (-pair[1], pair[0]))[: settings.most]
        kept[name] = dict(best)
    for noun, words in CALENDAR.items():
        for word in words.split():
            kept[word] = {noun: 1.0}
    renamed = {word: aliases.get(noun, noun) for word, noun in prefixes.items()}
    for word, noun in renamed.items():
        kept.setdefault(word, {noun: 1.0})
    return ClassTable(kept, renamed)
