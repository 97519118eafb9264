import pytest

from treewright.text import join_words


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("", ""),
        ("He did n't go , did he ?", "He didn't go, did he?"),
        ("It 's John 's and the dogs ' .", "It's John's and the dogs'."),
        ("`` Yes , '' she said .", '"Yes," she said.'),
        ('" Yes , " she " may " .', '"Yes," she "may".'),
        ("` No ' , he said .", "'No', he said."),
        ("a -LRB- b -RRB- -LSB- c -RSB- -LCB- d -RCB-", "a (b) [c] {d}"),
        ("$ 5 , US$ 6 and # 7 fell 20 % .", "$5, US$6 and #7 fell 20%."),
        ("# Acme", "# Acme"),
        ("in the U.S. .", "in the U.S."),
        ("at Acme Corp .", "at Acme Corp."),
        ("wait ... . no", "wait.... no"),
        ("He can not and is gon na , wan na , got ta", "He cannot and is gonna, wanna, gotta"),
        ("gim me and lem me , 't is", "gimme and lemme, 'tis"),
        ("1\\/2 of S\\*P", "1/2 of S\\*P"),
        ("one -- two ; three : four !", "one -- two; three: four!"),
    ],
)
def test_penn_words_become_readable_text(words: str, text: str) -> None:
    assert join_words(words.split()) == text
