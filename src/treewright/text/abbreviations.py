"""Words that end in a full stop, and what it says about the end of a sentence."""

from __future__ import annotations

import re

from treewright.text.characters import HYPHEN

_LEADING = """
    Mr Mrs Ms Mx Dr Drs Prof Profs Rev Fr Messrs Mme Mlle Hon Gen Maj Col Capt Cpt Cmdr Cdr Lt Sgt
    Cpl Pvt Adm Sen Sens Rep Reps Gov Govs Atty Supt Det Insp Pres St Ste Mt Ft
    vs viz cf al approx ca esp incl Fig Figs Eq Eqs Ref Refs Vol Vols Ch Sec
    MR MRS MS DR ST PROF GEN SEN REP GOV
"""
_TRAILING = """
    Inc Corp Co Cos Ltd Bros Pty Plc PLC LLC Assn Assoc Dept Univ Inst Intl Natl Mfg
    INC CORP CO LTD BROS inc corp ltd
    Jr Sr Esq JR SR PhD etc ETC dept depts govt est avg max min temp
    Ave Blvd Rd Sq Hwy Pkwy Bldg Apt
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri
    Ala Ariz Ark Calif Colo Conn Del Fla Ga Ida Ill Ind Kan Ky La Md Mass Mich Minn Mo Mont
    Neb Nev Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wyo Ont Que Alta Sask
    MASS MICH CALIF FLA ILL WASH MINN
    oz lb lbs ft yd mph hrs hr mins secs
"""
_NUMBERED = "No Nos no nos p pp P art Art para paras par l ll Nr nr Op op v c fl Pt Ex sec fig NO"

LEADING = frozenset(_LEADING.split())
"""Abbreviations that something follows, so a sentence does not end with them."""

TRAILING = frozenset(_TRAILING.split())
"""Abbreviations with which a sentence may end."""

NUMBERED = frozenset(_NUMBERED.split())
"""Abbreviations before a number, and ordinary words elsewhere."""

_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]|(?:[A-Z][a-z]{0,2}\.)+[A-Z]")
_WHOLE_AT_END = frozenset({"etc", "ETC", "U.S", "U.K", "U.N", "U.S.A", "E.U", "D.C"})
_LATIN = frozenset({"e.g", "i.e", "c.f", "n.b", "E.g", "I.e", "N.B"})
_SPACES = r"(?:\r\n|\s){0,3}"
_FOLLOWED_BY_CAPITAL = re.compile(rf"{_SPACES}[^\W\d_a-z]")
_FOLLOWED_BY_LETTER = re.compile(rf"{_SPACES}[^\W\d_]")
_FOLLOWED_BY_INITIAL = re.compile(rf"{_SPACES}[A-Z]\.")
_FOLLOWED_BY_NUMBER = re.compile(rf"{_SPACES}[\d#]")
_LAST_PART = re.compile(rf"[{HYPHEN}/]")


def is_dotted(word: str) -> bool:
    """Whether a word without its last full stop has the form of `U.S`, `a.m` or `Ph.D`."""
    return "." in word and _DOTTED.fullmatch(word) is not None


def owns_stop(word: str, text: str, end: int) -> bool:
    """Whether the full stop after `word`, which ends at `end` of `text`, is part of an
    abbreviation.

    That is so for known abbreviations, dotted letters and initials; some must be followed by a
    number or a name (`No. 5`, `J. Smith`). A full stop before a comma does not end a sentence.
    """
    if text[end + 1 : end + 2] in (",", ";"):
        return True
    if not word[-1].isalpha():
        return False
    if len(word) == 1:
        return _is_initial(word, text, end)
    last = _LAST_PART.split(word)[-1]
    if last in TRAILING or last in LEADING or is_dotted(last):
        return True
    return last in NUMBERED and _FOLLOWED_BY_NUMBER.match(text, end + 1) is not None


def _is_initial(letter: str, text: str, end: int) -> bool:
    if letter in NUMBERED and _FOLLOWED_BY_NUMBER.match(text, end + 1):
        return True
    if letter == "v":
        return _FOLLOWED_BY_CAPITAL.match(text, end + 1) is not None
    if not letter.isupper():
        return False
    pattern = _FOLLOWED_BY_INITIAL if letter == "I" else _FOLLOWED_BY_LETTER
    return pattern.match(text, end + 1) is not None


def gives_up_stop(token: str) -> bool:
    """Whether an abbreviation at the end of a sentence gives up its full stop, as in treebanks.

    `Corp.` becomes `Corp` and `.`; `U.S.` and the like, and `etc.`, stay whole.
    """
    return _LAST_PART.split(token[:-1])[-1] not in _WHOLE_AT_END


def needs_more(token: str) -> bool:
    """Whether a sentence cannot end with this abbreviation (`Mr.`, `e.g.`, an initial)."""
    word = token[:-1]
    last = _LAST_PART.split(word)[-1]
    return last in LEADING or last in NUMBERED or word in _LATIN or len(word) == 1
