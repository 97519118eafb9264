"""What looks like a number or an amount, by words and parts of speech."""

from __future__ import annotations

from treewright.pruning.guards.outline import Outline
from treewright.trees import word_set

CURRENCIES = frozenset("$£€¥₹₩₽") | word_set("us$ hk$ a$ c$ usd eur gbp jpy chf")
FRACTIONS = word_set(
    "half third thirds quarter quarters fifth fifths sixth seventh eighth ninth tenth tenths"
    " hundredth thousandth"
)
AMOUNTS = FRACTIONS | word_set(
    "twice thrice double triple once dozen dozens hundred hundreds thousand thousands million"
    " millions billion billions trillion one two three four five six seven eight nine ten eleven"
    " twelve twenty thirty forty fifty sixty seventy eighty ninety zero"
)
_SCALES = word_set("hundred thousand million billion trillion dozen bn mn tn m k")
_MEASURES = word_set(
    "% ‰ ° °c °f percent pct percentage point points a.m. p.m. a.m p.m am pm km m cm mm nm kg g"
    " mg µg lb lbs oz ft mi mph kph km/h l ml cl ha gb mb kb tb gib mib hz khz mhz ghz w kw mw gw"
    " kwh v ma ms s sec secs min mins h hr hrs dollar dollars euro euros pound pounds pence penny"
    " cent cents yen yuan rupee rupees franc francs krona kronor kilometer kilometers kilometre"
    " kilometres mile miles meter meters metre metres foot feet inch inches degree degrees litre"
    " litres liter liters gallon gallons ton tons tonne tonnes gram grams kilogram kilograms"
    " milligram milligrams second seconds minute minutes hour hours day days night nights week"
    " weeks month months year years decade decades century centuries acre acres hectare hectares"
    " square cubic c f bit bits byte bytes gigabytes megabytes watt watts volt volts calories"
)
UNITS = _SCALES | FRACTIONS | _MEASURES
_SIGNS = frozenset("-−+±~≈<>≤≥")
MONTHS = word_set(
    "january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec jan. feb. mar. apr. jun. jul. aug. sep. sept. oct."
    " nov. dec."
)
_ARTICLES = word_set("a an the one")


def is_number(outline: Outline, place: int) -> bool:
    """Whether the word at a place is a number, in digits or letters."""
    word = outline.word(place)
    return word[:1].isdigit() or outline.tag(place) == "CD" or word in CURRENCIES


def is_quantity(outline: Outline, place: int) -> bool:
    """Whether an amount begins at a place: a number, `half`, `a third`, `twice`."""
    if is_number(outline, place) or outline.word(place) in AMOUNTS:
        return True
    return outline.word(place) in _ARTICLES and outline.word(place + 1) in AMOUNTS


def measure(outline: Outline, first: int, last: int) -> range:
    """Return the places of a number with its currency, sign, scale and unit."""
    start, end = first, last + 1
    while outline.word(start - 1) in CURRENCIES or outline.word(start - 1) in _SIGNS:
        start -= 1
    while outline.word(end) in UNITS or outline.word(end) in CURRENCIES:
        end += 1
    if outline.word(end) == "per" and outline.word(end + 1) == "cent":
        end += 2
    return range(start, end)


def counted(outline: Outline, first: int, last: int) -> range:
    """Return the places of a number with its unit, or else with the noun behind it."""
    places = measure(outline, first, last)
    if len(places) == 1 and outline.tag(last + 1)[:2] == "NN":
        return range(first, last + 2)
    return places
