"""Nouns that need something beside them, and those that say when."""

from __future__ import annotations

from treewright.trees import word_set

NAMED = word_set(
    "avenue bank bay bridge church college company corp. county court district hospital inc."
    " island lake park river road school square street university"
)
"""Words that are not a name without the one before them: `Elm Street`, `London Bridge`."""

COMPOUND = word_set("bank bay company court park")
"""Those of them that mean something else without the one before them even if it is no name:
`car park`, `food bank`."""

UNITS = word_set(
    "percent dollars euros pounds cents yen yuan rupees francs kilometers kilometres miles meters"
    " metres feet degrees points votes percentage"
)
"""What is measured in; without a number they measure nothing."""

PARTS = word_set(
    "all amount any bit both bunch couple dozen dozens each few group half handful host hundreds"
    " kind kinds lack lot lots majority many million millions most much neither none number"
    " numbers one ones pair part parts percent percentage piece plenty portion quarter range rest"
    " series several share some sort sorts string third thousands ton tons total two type types"
    " variety"
)
"""Words that say how much of something there is."""

RELATIONAL = word_set(
    "absence abolition abuse aftermath age aim approval arrival basis beginning birth bottom"
    " brink cause centre center closure collapse completion consent construction core course"
    " creation date decline departure depth development direction discovery edge edges effect"
    " effects end eve evidence exception existence extent face fate form foundation front growth"
    " guise hands heart height idea impact inclusion introduction invention launch leave length"
    " level levels limits loss manner matter means middle mouth name nature onset opening origin"
    " origins outbreak outcome outskirts passage permission presence process promise prospect"
    " purpose quality question rate reach reason release removal result results return rise risk"
    " role root scene scope sense set shadow shape shore side sight sign signs site size slap"
    " smell sound source speed spread start state stretch success sum surface taste terms threat"
    " threshold top turn use value verge victim victims view volume wake way weight width"
)
"""Nouns that say nothing unless it is said of what: `the edge of town`."""

TIMES = word_set(
    "today tonight yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday"
    " day days week weeks weekend month months year years decade night morning afternoon evening"
    " january february march april may june july august september october november december jan."
    " feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. time times hour hours minute minutes"
)
"""Words that say when: what they are part of is no object."""
