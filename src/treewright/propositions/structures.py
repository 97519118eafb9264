"""Which sequences an instance is made of: one chain, as in the paper, or one pair for each slot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

STRUCTURES = ("slots", "chain")
_PREDICATES = {"VNPN": 0}


def sequences_of(
    structure: str, shape: str, symbols: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield sequences of symbols, each with the position that its last one has in the instance.

    In a chain each word follows the one before it. With slots, each word follows its verb and
    preposition, so a subject no longer tells what the object is only through the verb's own state.
    """
    if structure == "chain":
        yield tuple(symbols), len(symbols) - 1
        return
    verb = _PREDICATES.get(shape, 1)
    yield (symbols[verb],), verb
    for place, symbol in enumerate(symbols):
        if place != verb:
            yield (f"{symbols[verb]}/{_slot(symbols, verb, place)}", symbol), place


def _slot(symbols: Sequence[str], verb: int, place: int) -> str:
    if place < verb:
        return "subject"
    if place == verb + 1:
        return "object"
    # `throw pass to receiver`: the preposition fills a slot, and makes one.
    return "preposition" if place == len(symbols) - 2 else symbols[place - 1]
