"""Sentences for every row of the table, none of them its own example.

`text | kept > forced`: if the first word stays, so does the second. `text | kept / free`: it does
not force it. `text | - word`: the word is no instance of the row. A word is the first of that form;
`word#2` is the second.
"""

from __future__ import annotations

CASES: dict[str, str] = {
    "exclusive adverbs": """
        The clinic treats only children with rare allergies. | children > only
        The grant was awarded solely for medical research. | research > solely
        She waters the plants that merely need some rest, and he sleeps. | sleeps / merely
        """,
    "`only` before a circumstance": """
        The pool is open only on Fridays. | open > Fridays
        Smoking is allowed only in the garden. | allowed > garden
        They sell only bread. | - only
        """,
    "`just` of amounts": """
        The repair took just two hours on a busy morning. | hours > just
        They have just three tickets for tonight. | three > just
        The train has just left the station. | - just
        """,
    "exclusive adjectives": """
        He was the sole survivor of the crash. | survivor > sole
        A single vote decided the election. | vote > single
        The sole heir sold the farm and moved abroad. | moved / sole
        """,
    "`alone` behind a noun": """
        Money alone will not save the theatre. | Money > alone
        Rice alone is no meal for a child. | Rice > alone
        The old man lives alone in a hut. | - alone
        """,
    "nothing or nobody else": """
        The drawer contained a key and nothing else. | else > nothing
        Nobody else heard the alarm. | Nobody > else
        Where else did you look? | - else
        """,
    "exceptive prepositions": """
        Every room has a balcony except the two on the ground floor. | balcony > except
        Apart from Monday, the pool is open all week. | open > Apart
        The price covers all meals excluding drinks. | covers > excluding
        The guide who speaks to everyone except tourists went home early. | early / except
        """,
    "words that except as prepositions": """
        Nobody besides the cook has a key. | Nobody > besides
        Nothing outside the fence belongs to us. | Nothing > outside
        We want to save the old cinema. | - save
        """,
    "exceptive `but`": """
        The shop sells everything but shoes. | sells > but
        He called the office, but the line was busy. | - but
        """,
    "`without`": """
        The driver was arrested without a licence. | arrested > without
        Guests may swim without a lifeguard on duty. | swim > without
        The man who came without shoes was given a coat. | given > without
        """,
    "conditional conjunctions": """
        The refund is paid if the parcel is returned. | paid > if
        Unless it rains, the concert takes place outdoors. | takes > Unless
        You may park here provided that you display a permit. | park > provided
        The shop stays open until the last guest leaves. | stays > until
        She listened at the door until the voices stopped. | - until
        The firm pays for losses, including thefts, provided that it is told. | pays > provided
        The pipe will last so long as it is kept dry. | last > long
        The team provided a list of names. | - provided
        """,
    "terms of a story, and consequences": """
        The engine starts even if the tank is almost empty. | starts > even
        Rents will rise by June, in which case we move. | rise > which
        She listened at the door until the voices stopped. | listened > until
        The shop stays open until the last guest leaves. | - until
        The town grew until 1990 and has slept since. | slept / until
        """,
    "`whether`": """
        The judge will decide whether the case is closed. | case > whether
        Nobody knows whether the lake is safe. | safe > whether
        Ask her whether he paid, and then lock the door. | lock / whether
        """,
    "inverted conditions": """
        Had the guard seen the smoke, the fire would have been stopped. | stopped > Had
        Should you need help, our staff will gladly assist. | assist > Should
        The guard had seen the smoke. | - had
        Were the windows closed? | - were
        """,
    "`when`, `where`, `once` of rules": """
        The alarm sounds when the door is forced. | sounds > when
        Members may vote once they have paid. | vote > once
        She smiled when the bus arrived. | - when
        """,
    "what happens otherwise": """
        Pay by Friday, otherwise the order will be cancelled. | cancelled > otherwise
        Keep it cold, or else the milk turns sour. | turns > else
        The clause that otherwise applies was dropped, and trade resumed. | resumed / otherwise
        """,
    "deadlines and terms of rules": """
        Applicants must register before the first of June. | register > before
        The tenant shall pay the rent within three days. | pay > within
        They met after the war. | - after
        """,
    "`since`": """
        The mine has been closed since the accident. | closed > since
        Nobody has lived there since 1970. | lived > since
        He has since moved to Peru. | - since
        """,
    "`too` and its measure": """
        The soup was too salty to eat. | salty > too
        The soup was too salty to eat. | too > eat
        The bridge is too narrow for lorries. | narrow > lorries
        My brother sings, too. | - too
        """,
    "`enough` and its measure": """
        The ice is thick enough to walk on. | thick > enough
        She is not old enough to drive. | enough > drive
        He sat quietly, and they had enough bread. | quietly / enough
        """,
    "`so … that`, `such … that`": """
        The noise was so loud that the baby woke. | loud > woke
        It was such a cold night that the pipes burst. | night > burst
        The view is so lovely. | - so
        """,
    "`the sooner …, the better`": """
        The longer you wait, the harder it gets. | gets > longer
        The higher they climbed, the colder it became. | climbed > colder
        The higher shelf is full. | - the
        """,
    "adverbs of manner that carry the claim": """
        The permit was unlawfully revoked. | revoked > unlawfully
        He was wrongly convicted of theft. | convicted > wrongly
        The court that was wrongly accused of bias rose, and we left. | left / wrongly
        """,
    "modal and evidential adverbs": """
        The vaccine would almost certainly have prevented the outbreak. | prevented > almost
        In all likelihood, the strike will end on Friday. | end > likelihood
        The painting was probably stolen during the war. | stolen > probably
        Perhaps the letter was lost. | lost > Perhaps
        The actor allegedly hit a photographer. | hit > allegedly
        So far the team has won every game. | won > far
        He works hard, and she probably sleeps. | works / probably
        """,
    "adverbs of approximation": """
        The village was virtually destroyed by the flood. | destroyed > virtually
        He nearly drowned in the harbour. | drowned > nearly
        The near shore is rocky. | - near
        """,
    "adverbs of what is usual": """
        The river usually freezes in January. | freezes > usually
        On average, guests stay for two nights. | stay > average
        As a rule, the shop closes at noon. | closes > rule
        She sang the usual songs. | - usual
        """,
    "adverbs of how often and how far": """
        The river often freezes in January. | freezes > often
        The factory is still polluting the lake. | polluting > still
        The technically gifted boy sang, and we ate. | ate / technically
        """,
    "modal verbs": """
        The drug may cause dizziness. | cause > may
        The talks could fail at any moment. | fail > could
        It rained in May. | - may
        """,
    "verbs of seeming": """
        The plan seems to work. | work > seems
        The lock appears broken. | broken > appears
        The ghost appears every night. | - appears
        """,
    "`said to`, `expected to`, `unable to`": """
        The duke is believed to own the island. | own > believed
        Prices are expected to fall. | fall > expected
        The crew was unable to land. | land > unable
        She was due a refund. | - due
        """,
    "predicates of possibility": """
        It is unlikely that the ship will be found. | ship > unlikely
        It is impossible to open the vault. | open > impossible
        They will likely win. | - possible
        """,
    "privative adjectives": """
        The alleged spy was released on Tuesday. | spy > alleged
        A fake passport was found in the car. | passport > fake
        The acting chief executive resigned. | executive > acting
        She was acting strangely. | - acting
        """,
    "`late` before a name or noun": """
        The late Professor Hill left her library to the town. | Hill > late
        His late wife painted it. | wife > late
        The bus was late again. | - late
        """,
    "ordinals and other words that pick one out": """
        The second engine failed during the flight. | engine > second
        The oldest tree in the park fell down. | tree > oldest
        The other twin lives in Ghent. | twin > other
        The tree in the park fell down first. | - first
        """,
    "adjectives that restrict": """
        The owner must give written consent to the sale. | consent > written
        The firm hired unpaid interns. | interns > unpaid
        She bought a green coat. | - green
        """,
    "bounds": """
        The job takes at least four days. | four > least
        Up to ninety guests can be seated. | ninety > Up
        Fewer than ten ships returned. | ten > than
        The nurse with at least one key left, and they slept. | slept / least
        """,
    "approximate amounts": """
        About 300 people live on the island. | 300 > About
        The tower is roughly 90 metres tall. | 90 > roughly
        The book is about whales. | - about
        The plane flew over the coast. | - over
        """,
    "bounds behind an amount": """
        Groups of ten or more pay half. | ten > more
        Visitors aged 65 and over enter free. | 65 > over
        It is more or less finished, and the cat sleeps. | sleeps / less
        Children wear a belt, and older sailors wear a hat. | - and
        The judges spoke, and each dog got a bone. | - each
        """,
    "parts of a whole": """
        Half of the students passed the exam. | students > Half
        A third of the crop was lost. | crop > third
        The king of Spain waved. | - of
        """,
    "quantifiers": """
        Some doctors oppose the reform. | doctors > Some
        Most bridges in the valley are safe. | bridges > Most
        The minister spoke to several reporters. | reporters > several
        He wants some of it. | - some
        """,
    "indefinite pronouns": """
        Everyone in the hall stood up. | hall > Everyone
        Anything on the table may be taken. | table > Anything
        Everyone sang while the moon rose. | moon / rose
        """,
    "multiples": """
        The flat costs twice the usual rent. | rent > twice
        They paid double the price. | price > double
        He called twice. | - twice
        """,
    "`both … and`, `either … or`": """
        Both the mayor and the priest signed the letter. | mayor > priest
        The fee can be paid either by card or in cash. | either > cash
        Both doors are locked. | - both
        Smoke drifted across both lanes, and the police closed the road. | - both
        """,
    "`either` and its `or`": """
        You can either wait here until noon or leave now. | either > or
        Guests either walk to the hotel or take the bus. | either > or
        Either door is locked at night. | - Either
        """,
    "numbers": """
        Three ships sank in the storm. | ships > Three
        The farmer sold forty cows. | cows > forty
        Ships sank in the storm. | - ships
        """,
    "comparatives and their standard": """
        The new road is longer than the old one. | longer > old
        She earns more money than her boss. | more > boss
        It is none other than the king. | - than
        """,
    "`as … as`, `the same … as`": """
        The cellar is as dark as a mine. | dark > mine
        He has the same name as his uncle. | same > uncle
        He worked as a baker. | - as
        """,
    "comparatives before a noun or adjective": """
        Higher wages were promised. | wages > Higher
        A more careful answer is needed. | careful > more
        The pain got worse. | - worse
        """,
    "standards set apart": """
        Unlike cats, dogs obey. | obey > Unlike
        Sales rose by a tenth compared with last year. | rose > compared
        The man who is unlike his son left, and we ate. | ate / unlike
        """,
    "verbs of claiming and wanting": """
        The dealer claims that the vase is ancient. | vase > claims
        The police suspect a neighbour of the crime. | neighbour > suspect
        The club plans to build a stadium. | build > plans
        The plans for a stadium were shown. | - plans
        """,
    "verbs of saying": """
        The mayor said that the square will be closed. | square > mayor
        The road is safe, an engineer told the paper. | safe > engineer
        She said goodbye. | - said
        """,
    "grounds": """
        The mayor resigned, citing a lack of support. | resigned > citing
        The essay cites an old map. | - cites
        """,
    "sources": """
        According to the union, wages have fallen. | fallen > According
        The cave is older, in the opinion of the guide. | older > opinion
        The singer, according to fans, is ill, and it rained. | rained / according
        """,
    "predicates of questions": """
        Who repaired the old clock? | Who > repaired
        Why does the lamp flicker? | lamp > Why
        The shop is shut today, so could you wait outside? | shop > could
        The old clock stopped. | - clock
        """,
    "circumstances that change what was done": """
        The witness signed the paper under duress. | signed > duress
        He shot the burglar in self-defence. | shot > self-defence
        The pressure under the valve rose. | - pressure
        """,
    "what restricts `all`, `no`, `those`": """
        Everyone with a ticket may enter. | Everyone > ticket
        All goods made of glass are returned. | goods > made
        Nobody under the age of ten can swim there. | Nobody > under
        All birds sing. | - all
        """,
    "relative clauses of rules": """
        A driver who ignores the sign will be fined. | driver > ignores
        Parcels that arrive late are returned. | Parcels > arrive
        The driver who ignored the sign was fined. | - who
        """,
    "other restrictive relative clauses": """
        The bridge that collapsed was old. | bridge > collapsed
        The woman who found the ring kept it. | woman > found
        The bridge, which collapsed, was old. | - which
        """,
    "circumstances of what is denied": """
        The shop did not open on Sunday. | open > Sunday
        She has never skied in Norway. | skied > Norway
        The shop opened on Sunday. | - not
        """,
    "what is affirmed before `, not …`": """
        The prize went to Rita, not her sister. | sister > Rita
        Use the back door, not the gate. | gate > door
        They did not sleep. | - not
        """,
    "`but only`": """
        The museum is free, but only on Fridays. | free > Fridays
        You may enter, but only with a guide. | enter > guide
        The museum is free only on Fridays. | - but
        Most of them came, but only a few stayed for the speech. | - but
        """,
    "`instead`, `rather than`": """
        They sold the house rather than the boat. | boat > rather
        He drank milk instead of wine. | wine > instead
        He would rather sleep. | - rather
        """,
    "`instead` alone": """
        The bus was full, so they walked instead. | walked > instead
        Use butter instead. | butter > instead
        Use butter instead of oil. | - instead
        """,
    "`but`": """
        The soup was cheap but cold. | cheap > cold
        The pilot is young but skilled. | skilled > but
        But the pilot is young. | - but
        """,
    "`or`": """
        Bring a pen or a pencil. | pen > pencil
        The colour is green or blue. | green > blue
        Or so they say. | - or
        """,
    "concessive clauses": """
        The path is open although the bridge is damaged. | path > although
        Despite the rain, the match was played. | played > Despite
        The guest sang although he was tired, and we ate. | ate / although
        """,
    "adverbs of contrast": """
        The roof, however, was never repaired. | repaired > however
        Nevertheless, the show was cancelled. | cancelled > Nevertheless
        She sang, and the roof, however, leaked. | sang / however
        """,
    "adversative verbs": """
        The pilot refused to land. | land > refused
        The bank cancelled the loan. | loan > cancelled
        The state has ruled out new taxes. | taxes > ruled
        The cancelled loan was small. | small / cancelled
        """,
    "predicates that deny": """
        Students are exempt from the fee. | fee > exempt
        The contract is void under the law. | law > void
        The missing money was found. | - missing
        """,
    "numbers with their units": """
        The tank holds 40 litres of water. | 40 > litres
        The bill came to $ 12 million. | 12 > $
        Taxes rose by 3 % . | 3 > %
        The tank holds 40 fish. | - 40
        """,
    "dates": """
        The lease ends on 30 June 2031. | June > 2031
        She was born on March 3, 1961, in Lima. | March > 3
        The army will march at dawn. | - march
        """,
    "`between … and`": """
        The ferry runs between April and October. | April > October
        Children between five and nine may join. | five > nine
        The cat sat between them. | - between
        """,
    "`from … to` of times and amounts": """
        The office is open from Monday to Friday. | Monday > Friday
        The rate rose from 3 to 5 percent. | 3 > 5
        She walked from home to the lake. | - from
        """,
    "quoted words and code": """
        Set the value of `max depth` to nine. | max > depth
        He called it a `` noble lie '' yesterday. | noble > lie
        It was a noble lie. | - noble
        """,
    "markers of list items": """
        3. Close the valve. | Close > 3
        2. Tighten the screws. | Tighten > 2
        - Do not use the lift. | use > -
        Three valves were closed. | - three
        """,
    "particles of verbs": """
        The council turned down the plan. | plan > down
        She gave up smoking. | smoking > up
        Up the hill he ran. | - up
        """,
    "fixed expressions with a verb": """
        Please make sure that the lid is closed. | sure > make
        Bear in mind that the shop closes early. | mind > Bear
        The lid is sure to fit. | - sure
        """,
    "titles with names": """
        Dr. Ann Lee opened the clinic. | Lee > Dr.
        President Wu met the miners. | Wu > President
        The president met the miners. | - president
        """,
    "verbs of orders": """
        Write the answer on the back. | answer > Write
        Please close the window at night. | window > close
        They close the window at night. | - close
        """,
}
