"""What is English prose, and what is surely something else."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given

from tests.text.strategies import texts
from treewright.text import Kind, kind_of, split_kinds, split_sentences
from treewright.text.kinds import find_blocks

ENGLISH = (
    "Sorry, can't tonight.",
    "OK",
    "2,400",
    "Café owners in São Paulo say that a crème brûlée costs too much.",
    "Juan de la Cruz and María del Carmen Vargas met Van der Berg in Den Haag.",
    'The sign says "Bitte nicht füttern", which means that feeding is not allowed.',
    "MAYOR SAYS NO TO NEW BRIDGE",
    "lol no idea, die battery is dead again",
    "Tokyo, Osaka, Kyoto, Nagoya",
    "The word 龍 means dragon.",
    "Particles of 5 μm (A–C) and 7 μm (D).",
    "Rename `cnt` to `count` except in `get_cnt()`, and do not touch `x = y;`.",
    "The function total() returns None; can you fix it?",
    "Please run npm install before you start.",
    "I got a NullPointerException when I started it.",
    "Return to step 2 if the value (x) is greater than 10;",
    "Select a file from the list and drop it on the table.",
    "public opinion is divided;",
    "Tom,Dick and Harry,all of them,came.",
    "$ 5 million was paid for it.",
    "See https://example.org/a?b=c&d=e for more.",
    "[applause] Thank you all.",
)
FOREIGN = (
    "Der Bericht wurde gestern von der Kommission veröffentlicht.",
    "Nous avons reçu votre lettre et nous vous répondrons bientôt.",
    "El tren no saldrá hasta que todos los pasajeros hayan subido.",
    "Il consiglio ha deciso di rinviare la riunione alla prossima settimana.",
    "De trein vertrekt pas als alle reizigers zijn ingestapt.",
    "Ela disse que não podia vir porque estava muito cansada.",
    "Pociąg odjedzie dopiero wtedy, gdy wszyscy wsiądą.",
    "Kereta itu tidak akan berangkat sebelum semua penumpang naik.",
    "Juna ei lähde ennen kuin kaikki ovat kyydissä.",
    "Поезд отправится только после посадки всех пассажиров.",
    "火车要等所有乘客上车后才会开。",
    "この列車は全員が乗るまで出発しません。",
    "لن يغادر القطار حتى يصعد جميع الركاب.",
)
CODE = (
    "for (let i = 0; i < names.length; i++) { show(names[i]); }",
    "    return self.items[key] if key in self.items else None",
    "SELECT name, age FROM people WHERE age > 30;",
    "$ git commit -m 'first'",
    '{"id": 17, "tags": ["new", "paid"]}',
    'def area(r):\n    """The area of a circle with this radius."""\n    return 3.14 * r ** 2',
    '#include <stdio.h>\nint main() {\n  puts("hi");\n}',
    "services:\n  web:\n    image: nginx\n    ports:\n      - 8080",
    "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 2",
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nKeyError: 3',
    "```\nplain words between fences\n```",
    "~~~ text\nplain words\n~~~",
)
TABLES = (
    "| a | b |\n|---|--:|\n| 1 | 2 |",
    "a | b\n--- | ---\n1 | 2",
    "id,name,price\n1,lamp,12.50\n2,chair,49.00",
    "day;sum;note\n2 May;15,30;lunch\n3 May;8,00;bus",
    "name\tage\nAnn\t31\nBob\t45",
    "+-----+-----+\n| a   | b   |\n+-----+-----+",
    "Name     Age   City\nAnn       31   Oslo\nBertha    45   Rome",
)
PROMPT = """\
Look at this function, which a colleague wrote:
```python
def total(items):
    return sum(items)
```
It should return the total. It sometimes fails:

Traceback (most recent call last):
  File "main.py", line 12, in <module>
KeyError: 'price'

Der Kunde hat sich gestern beschwert und möchte sein Geld zurück.

| item | price |
|------|------:|
| lamp | 12    |
Please fix it.
"""


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *[(Kind.ENGLISH, text) for text in ENGLISH],
        *[(Kind.FOREIGN, text) for text in FOREIGN],
        *[(Kind.CODE, text) for text in CODE],
        *[(Kind.TABLE, text) for text in TABLES],
    ],
)
def test_kind(kind: Kind, text: str) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\n\nthe meeting is on Monday:\n\n- Budget: 5,000 euros.\n- Room: B12; it's big.",
        "JOHN: Where were you?\nMARY: At the shop; I told you.\nJOHN: (laughing) You did not!",
        "Roses are red,\n  violets are blue,\n    sugar is sweet,\n  and so are you.",
        "From: Ann\nTo: Bob\nSubject: lunch\n\nAre you free?\n\n> Not today.\n> Maybe tomorrow?",
        "Two gaps.  After stops.  As ever.\nAnd so on.  For ever.  Really.\nNo end.  None.  Ever.",
        "# Title\n1. Open `config.yml`.\n2. Set `debug: false`.\n\n**Note:** do not hurry.\n\n---",
    ],
)
def test_prose_of_several_lines_has_no_blocks(text: str) -> None:
    assert find_blocks(text) == []


def test_only_blocks_are_taken_out_of_prose() -> None:
    found = [(kind, sentence.detokenize().split("\n")[0]) for sentence, kind in split_kinds(PROMPT)]
    assert found == [
        (Kind.ENGLISH, "Look at this function, which a colleague wrote:"),
        (Kind.CODE, "```python"),
        (Kind.ENGLISH, "It should return the total."),
        (Kind.ENGLISH, "It sometimes fails:"),
        (Kind.CODE, "Traceback (most recent call last):"),
        (Kind.FOREIGN, "Der Kunde hat sich gestern beschwert und möchte sein Geld zurück."),
        (Kind.TABLE, "| item | price |"),
        (Kind.ENGLISH, "Please fix it."),
    ]


def test_a_shorter_fence_does_not_close_a_longer_one() -> None:
    text = "See:\n````\na\n```\nb\n````\nThat was all."
    assert [kind for _, kind in split_kinds(text)] == [Kind.ENGLISH, Kind.CODE, Kind.ENGLISH]


def test_prose_between_two_programs_stays_prose() -> None:
    text = "x = f(1);\n\nThen the value is changed by the caller.\n\ny = g(x);"
    assert [kind for _, kind in split_kinds(text)] == [Kind.CODE, Kind.ENGLISH, Kind.CODE]


def test_a_comment_between_lines_of_code_is_code() -> None:
    text = "x = f(1);\n// This is then read by the caller in the other thread.\ny = g(x);"
    assert kind_of(text) is Kind.CODE
    assert kind_of("// This is then read by the caller in the other thread.") is Kind.ENGLISH


@given(texts)
def test_every_token_is_in_one_sentence(text: str) -> None:
    split = split_kinds(text)
    tokens = [token for sentence, _ in split for token in sentence.tokens]
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(left.end <= right.start for left, right in pairwise(tokens))
    covered = "".join(token.text for token in tokens)
    assert covered == "".join(t.text for s in split_sentences(text) for t in s.tokens)
    if all(kind in (Kind.ENGLISH, Kind.FOREIGN) for _, kind in split):
        assert [sentence for sentence, _ in split] == split_sentences(text)


def cost(text: str) -> float:
    """The least CPU time of three readings, in seconds."""
    times = []
    for _ in range(3):
        start = process_time()
        kind_of(text)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("unit", ["x", "if a.b(", "(=", "a,b", "[1,", "a@", "<a b=", " | ", "x\n"])
def test_cost_grows_with_length_only(unit: str) -> None:
    """Eight times the text would cost 64 times as much if each character looked at all others."""
    short, long = (cost(unit * (size // len(unit))) for size in (7_500, 60_000))
    assert long < 32 * max(short, 0.002)
