"""Titles stay with the names that they belong to."""

from __future__ import annotations

from treewright.pruning.guards.holding import Holder
from treewright.pruning.guards.meaning.holds import unite
from treewright.pruning.guards.meaning.rows import AFTER, BREAKS, Row, phrases
from treewright.pruning.guards.outline import Outline

_NAMES = ("NNP", "NNPS")


def _name(outline: Outline, first: int, last: int) -> range:
    """Return the places of a title and the run of names behind it, within one phrase."""
    end = last + 1
    above = outline.parent[outline.leaves[last]]
    while outline.tag(end) in _NAMES and outline.parent[outline.leaves[end]] == above:
        end += 1
    return range(first, max(end, last + 2))


def _is_title(outline: Outline, first: int, last: int) -> bool:
    return outline.tag(last + 1) in _NAMES


def _hold_name(holder: Holder, first: int, last: int) -> None:
    places = _name(holder, first, last)
    unite(holder, places.start, places.stop - 1)


ROWS = (
    Row(
        name="titles with names",
        kind="titles",
        loss=BREAKS,
        source="honorifics and ranks; `Dr. Helen Oduya`, `Rear Adm. Patricia Holloway`",
        words=phrases(
            "mr, mr., mrs, mrs., ms, ms., miss, mx, mx., dr, dr., prof, prof., professor, sir,"
            " dame,"
            " lord, lady, baron, baroness, sister, brother, father, mother, rev, rev., reverend,"
            " fr., rabbi, imam, sheikh, pope, cardinal, bishop, archbishop, saint, st, st., king,"
            " queen, prince, princess, duke, duchess, count, countess, emperor, president, premier,"
            " chancellor, governor, gov., senator, sen., rep., representative, congressman,"
            " congresswoman, judge, justice, mayor, minister, secretary, ambassador, gen, gen.,"
            " general, lt., lt, lieutenant, col, col., colonel, maj., major, capt., captain, cpl.,"
            " corporal, sgt, sgt., sergeant, adm., admiral, cmdr., commander, commodore, pvt.,"
            " private, officer, detective, inspector, constable, coach, hon., vice-president,"
            " rear adm., rear admiral, vice president, vice admiral, prime minister, maj. gen.,"
            " lt. gen., lt. col., brig., brigadier, brig. gen., prof. emeritus, professor emeritus"
        ),
        when=_is_title,
        hold=_hold_name,
        beside=AFTER,
    ),
)
