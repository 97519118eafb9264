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
    "abolition absence abuse aftermath age aim approval arrival basis beginning birth bottom"
    " brink cancellation case cause center centre chance closure collapse completion consent"
    " construction core correction course creation date decline departure depth development"
    " direction discovery edge edges effect effects end eve evidence exception existence extent"
    " face fate form foundation founder front growth guise hands heart height idea impact"
    " inclusion introduction invention launch leave length level levels limits loss maker manner"
    " matter means member members middle mouth name nature onset opening origin origins outbreak"
    " outcome outskirts passage permission photograph pinch population possession"
    " presence process processing promise prospect purpose quality question rate reach reason"
    " release removal result results return rise risk role root scene scope segment"
    " sense set shadow shape shore side sight sign signs site size slap smell sound source speed"
    " spread start state stretch success sum surface taste terms threat threshold top turn use"
    " value verge victim victims view volume wake way weight width"
)
"""Nouns that say nothing unless it is said of what: `the edge of town`."""

TIMES = word_set(
    "today tonight yesterday tomorrow monday tuesday wednesday thursday friday saturday sunday"
    " day days week weeks weekend month months year years decade night morning afternoon evening"
    " january february march april may june july august september october november december jan."
    " feb. mar. apr. jun. jul. aug. sep. sept. oct. nov. dec. time times hour hours minute minutes"
)
"""Words that say when: what they are part of is no object."""

PEOPLE = word_set(
    "accountant activist actor actress admiral adult adviser advisor aide amateur ambassador"
    " analyst applicant apprentice archbishop architect artist assistant astronaut attacker"
    " attorney aunt auntie author baby baker banker barber baron batsman beekeeper beneficiary"
    " biologist bishop bloke borrower boss bowler boy bride broker brother buddy builder burglar"
    " businessman businesswoman butcher buyer bystander cameraman campaigner candidate captain"
    " caretaker carpenter ceo chairman chairperson chairwoman champion chancellor chap chef"
    " chemist chief child choreographer citizen claimant classmate cleaner clerk client climber"
    " coach colleague comedian commander composer conductor congressman congresswoman constable"
    " consultant contractor corporal courier cousin critic customer cyclist dad dancer daughter"
    " dean defendant defender demonstrator dentist deputy designer detective developer diplomat"
    " director doctor donor driver drummer duchess duke economist editor electrician emperor"
    " employee employer empress engineer envoy executive expert explorer farmer father firefighter"
    " fireman fisherman flatmate footballer foreman founder friend gardener general genius girl"
    " goalkeeper golfer governor graduate granddaughter grandfather grandma grandmother grandpa"
    " grandson granny groom guardian guest guitarist gunman guy hairdresser headmaster headteacher"
    " heir hero hiker historian hostage hostess housemate husband immigrant individual infant"
    " inmate inspector intern inventor investor janitor jockey journalist judge juror kid killer"
    " king knight lad lady landlady landlord lawmaker lawyer leader lecturer legislator lender"
    " licensee lieutenant lodger loser magistrate man manager mate mayor mechanic member"
    " midfielder midwife migrant militant minister minor mom monk mother motorist mum murderer"
    " musician nanny neighbor neighbour nephew newcomer niece novelist nun nurse offender officer"
    " opponent orphan outsider owner painter paramedic parent partner passenger pastor patient"
    " pedestrian pensioner person pharmacist photographer physicist pianist pilot plaintiff player"
    " playwright plumber poet policeman policewoman politician pope postman postwoman presenter"
    " president priest prince princess prisoner professor programmer prosecutor protester"
    " psychiatrist psychologist pupil queen rabbi rebel receptionist recipient referee refugee"
    " reporter researcher resident rider rival robber roommate runner sailor salesman saleswoman"
    " scientist sculptor secretary seller senator sergeant shareholder shepherd sheriff shopkeeper"
    " shopper sibling singer sister skier skipper soldier solicitor son speaker specialist"
    " spectator spokesman spokesperson spokeswoman stepfather stepmother steward stewardess"
    " stranger striker student supervisor supporter surgeon survivor suspect swimmer tailor"
    " teacher teammate technician teenager tenant terrorist therapist thief trader trainee trainer"
    " treasurer trustee tutor twin uncle vet veteran vicar victim villain violinist visitor"
    " volunteer voter waiter waitress widow widower wife winger witness woman worker writer"
)
"""Nouns for a person, who is not `it`."""

COMPANIES = word_set(
    "agent borrower broker buyer champion client contractor customer dealer developer employer"
    " host leader lender licensee loser maker member operator owner recipient rival seller"
    " supplier tenant trader winner"
)
"""Those of them that may be a company, too."""

GROUPS = word_set(
    "agency airline army band bank board charity club committee company congress council couple"
    " court crew crowd department family firm government group hospital jury lot majority ministry"
    " museum navy number pair parliament party people police public rest school staff team union"
    " university"
)
"""Nouns for several people, who may be `they`."""
