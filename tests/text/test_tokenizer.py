import pytest

from treewright.text import tokenize

CONTRACTIONS = """
I don't know. | I do n't know .
We can't, won't and shan't. | We ca n't , wo n't and sha n't .
IT ISN'T SO | IT IS N'T SO
It's late and they're tired. | It 's late and they 're tired .
I'm sure you've seen she'd go and we'll stay. | I 'm sure you 've seen she 'd go and we 'll stay .
He'd've come. | He 'd 've come .
He couldn't've come. | He could n't 've come .
John's dog | John 's dog
the dogs' bones | the dogs ' bones
O'Brien's ma'am | O'Brien 's ma'am
It’s the dogs’ and I don’t mind. | It ’s the dogs ’ and I do n’t mind .
five o'clock, y'all | five o'clock , y'all
You cannot go. | You can not go .
I'm gonna and you gotta. | I 'm gon na and you got ta .
Gimme that, lemme see, wanna go? | Gim me that , lem me see , wan na go ?
'Tis the season, 'twas late. | 'T is the season , 't was late .
Get 'em in the '90s and ’80s. | Get 'em in the '90s and ’80s .
Nothin' doin' 'til noon | Nothin' doin' 'til noon
rock 'n' roll and rock'n'roll | rock 'n' roll and rock'n'roll
John 's dog did n't bark . | John 's dog did n't bark .
The U.S.'s and Acme Inc.'s aims | The U.S. 's and Acme Inc. 's aims
"""
QUOTES = """
"Yes," she said. | " Yes , " she said .
“Yes,” she said. | “ Yes , ” she said .
``Yes,'' she said. | `` Yes , '' she said .
He said 'no' twice. | He said ' no ' twice .
He said ‘no’ twice. | He said ‘ no ’ twice .
«Oui» (yes) [sic] {set} | « Oui » ( yes ) [ sic ] { set }
"It's 'fine'," I said. | " It 's ' fine ' , " I said .
("Really?") | ( " Really ? " )
he said:"no" | he said : " no "
"""
STOPS = """
Mr. and Mrs. Smith met Dr. No. | Mr. and Mrs. Smith met Dr. No .
He lives in the U.S. | He lives in the U.S.
She brought pens, paper, etc. | She brought pens , paper , etc.
The U.K. voted. | The U.K. voted .
He works at Acme Corp. | He works at Acme Corp .
He works at "Acme Corp." | He works at " Acme Corp . "
Acme Corp. rose. | Acme Corp. rose .
See you at 3 p.m. on Nov. 5. | See you at 3 p.m. on Nov. 5 .
J. R. R. Tolkien met C. S. Lewis. | J. R. R. Tolkien met C. S. Lewis .
So do I. | So do I .
No. 5 beat no. 6, p. 7 and pp. 8-9. | No. 5 beat no. 6 , p. 7 and pp. 8-9 .
He said no. | He said no .
Fruit, e.g. apples, i.e. food. | Fruit , e.g. apples , i.e. food .
A Ph.D. student | A Ph.D. student
Roe v. Wade | Roe v. Wade
Sen. Poe (D., Ore.) spoke. | Sen. Poe ( D. , Ore. ) spoke .
the xyz., as it were | the xyz. , as it were
Wait... what…? | Wait ... what … ?
And so on.... | And so on ... .
What?! No!!! | What ?! No !!!
a U.S.-based, non-U.S. firm | a U.S.-based , non-U.S. firm
ex-Gov. Roe | ex-Gov. Roe
"""
NUMBERS = """
It cost $5.50 or £20 or €3. | It cost $ 5.50 or £ 20 or € 3 .
US$1,000, C$3, HK$7 and R$2 | US$ 1,000 , C$ 3 , HK$ 7 and R$ 2
It fell 20% to 1,234,567.89. | It fell 20 % to 1,234,567.89 .
a 62%-owned unit | a 62%-owned unit
5kg at 10km/h by 3pm | 5kg at 10km/h by 3pm
3:30 on 12/05/2020 or 2020-05-12 | 3:30 on 12/05/2020 or 2020-05-12
the 1st 1/2 of v1.2.3 | the 1st 1/2 of v1.2.3
1990–95 and 1990-95 | 1990–95 and 1990-95
20°C, -5 and +7 | 20°C , -5 and +7
#5 and # 5 | # 5 and # 5
a $5-a-share bid, $1.1-billion | a $ 5-a-share bid , $ 1.1-billion
1, 2,3 | 1 , 2,3
the ratio 1:2: good | the ratio 1:2 : good
½ of 5m² | ½ of 5m²
100+ or so | 100+ or so
"""
WORDS = """
well-known and/or he/she | well-known and/or he/she
long- and short-term | long- and short-term
Q&A with AT&T on R&D | Q&A with AT&T on R&D
C++, C#, .NET and Node.js | C++ , C# , .NET and Node.js
Open main.py and a_b.tar.gz. | Open main.py and a_b.tar.gz .
Wait -- no — yes—maybe – so | Wait -- no — yes — maybe – so
one--two | one -- two
red, green; blue: all | red , green ; blue : all
a,b | a , b
f(x) = y | f ( x ) = y
x=5 and x == 5 | x=5 and x == 5
cafe\u0301 naïve | cafe\u0301 naïve
s*** happens, f*ck | s *** happens , f*ck
Brand® and Name™ | Brand ® and Name ™
"""
NET = """
See https://example.com/a_(b)?x=1&y=2. | See https://example.com/a_(b)?x=1&y=2 .
(see http://example.com/a/) | ( see http://example.com/a/ )
"www.example.org," he said | " www.example.org , " he said
Try example.com/path?q=1, or example.com. | Try example.com/path?q=1 , or example.com .
Mail me.too+x@mail.example.co.uk. | Mail me.too+x@mail.example.co.uk .
@ann likes #MeToo! | @ann likes #MeToo !
Nice 🙂👍🏽 👩‍👩‍👧 🇬🇧🇫🇷 ❤️! | Nice 🙂 👍🏽 👩‍👩‍👧 🇬🇧 🇫🇷 ❤️ !
Fun :-) ;) :D <3 yes | Fun :-) ;) :D <3 yes
OK 1️⃣ | OK 1️⃣
"""
SCRIPTS = """
你好，世界。今天好吗？ | 你好 ， 世界 。 今天好吗 ？
مرحبا، كيف حالك؟ | مرحبا ، كيف حالك ؟
नमस्ते दुनिया। | नमस्ते दुनिया ।
¿Qué pasa? ¡Nada! | ¿ Qué pasa ? ¡ Nada !
Привет, мир! | Привет , мир !
"""


def table(rows: str) -> list[tuple[str, list[str]]]:
    pairs = [line.rsplit(" | ", 1) for line in rows.strip().splitlines()]
    return [(text, tokens.split(" ")) for text, tokens in pairs]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        row
        for rows in (CONTRACTIONS, QUOTES, STOPS, NUMBERS, WORDS, NET, SCRIPTS)
        for row in table(rows)
    ],
)
def test_tokens_are_those_of_the_treebank(text: str, tokens: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == tokens


@pytest.mark.parametrize(
    "gap", ["\u00a0", "\u3000", "\x1c", "\x85", "\u2028", "\u200b", "\x00", "\x07"]
)
def test_all_that_cannot_be_seen_lies_between_tokens(gap: str) -> None:
    assert [token.text for token in tokenize(f"one{gap}two")] == ["one", "two"]
