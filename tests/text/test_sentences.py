import pytest

from treewright.text import split_sentences, tokenize

CASES = [
    ["He left.", "She stayed."],
    ["Is it so?", "Yes!", "No."],
    ["Mr. Smith met Dr. Jones.", "They talked."],
    ["Prof. Poe and Sen. Roe met in St. Louis.", "It rained."],
    ["It grew in the U.S. Treasury market."],
    ["He moved to the U.S.", "He liked it."],
    ["He came at 3 p.m.", "They left at 4 a.m. on Monday."],
    ["Is it at 3 p.m.?", "Then we wait."],
    ["She works for Acme Inc.", "The firm makes anvils."],
    ["Acme Corp. Chairman Roe quit."],
    ["It opens Nov. 5.", "It closes in Dec. of that year."],
    ["J. R. R. Tolkien wrote it.", "C. S. Lewis read it."],
    ["We chose plan B.", "Then we left."],
    ["We need fruit, e.g. Apples or pears.", "Also bread."],
    ["We had pens, paper, etc.", "It was enough."],
    ["It costs $3.50.", "That is 2.5 times more."],
    ["See No. 5.", "See p. 7."],
    ["Pi is 3.14 or so.", "2 is even."],
    ["Wait...", "What?"],
    ["Well... perhaps not."],
    ["Well… I think so."],
    ["What?!", "No way!!!", "OK."],
    ['He said, "I will go."', "Then he left."],
    ["He said, “I will go.”", "Then he left."],
    ['"Why?" she asked.', "Nobody knew."],
    ['"Stop!" John said.', "He ran."],
    ['"Why?" Mr. Roe asked.', '"No reason."'],
    ['"Go."', '"No."'],
    ["(It was late.)", "She stayed."],
    ["She stayed (it was late).", "He left."],
    ["He left (why?) early.", "OK."],
    ["i went home.", "then i slept."],
    ["The approx.xyz file is unk. and small."],
    ["Sales rose.", "iPhone sales fell."],
    ["Yahoo! is a firm."],
    ["Visit example.com.", "It works."],
    ["Mail a.b@c.org.", "Thanks."],
    ["See https://example.com/a.", "Then call."],
    ["1. Wash the rice.", "2. Cook it."],
    ["No stop at the end"],
    ["He paid 5.", "🙂 Nice."],
    ["He is Poe Jr.", "He is tall."],
    ["We use C++.", "And .NET too."],
    ["Version 1.2.3 is out.", "Get it."],
    ["He said it in Washington, D.C.", "But why?"],
    ["It was the U.N. that met."],
    ["We left.", "@ann came.", "#fun it was."],
    ["He left . , she said"],
    ["And then . . . nothing.", "He left . . .", "Then he came."],
    ['"Why?"', "The man said nothing."],
]


@pytest.mark.parametrize("sentences", CASES, ids=lambda case: case[0])
def test_running_text_is_split_where_sentences_end(sentences: list[str]) -> None:
    assert [s.detokenize() for s in split_sentences(" ".join(sentences))] == sentences
    assert [s.detokenize() for s in split_sentences("\n".join(sentences))] == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("A title\n\nThe text.", ["A title", "The text."]),
        ("A title\r\n \r\nThe text.", ["A title", "The text."]),
        ("one\u2029two", ["one", "two"]),
        ("It goes on\nhere. Done.", ["It goes on\nhere.", "Done."]),
        ("Buy:\n- milk\n- bread", ["Buy:", "- milk", "- bread"]),
        ("Buy:\n• milk\n• bread", ["Buy:", "• milk", "• bread"]),
        ("Do:\n1. this\n2) that", ["Do:", "1. this", "2) that"]),
        ("Do:\r\n1. this\r\n2) that", ["Do:", "1. this", "2) that"]),
        ("a) First\nb) Second", ["a) First", "b) Second"]),
        ("i) one\nii) two\niii) three", ["i) one", "ii) two", "iii) three"]),
        ("Do (as said)\nA) this\nB) that", ["Do (as said)", "A) this", "B) that"]),
        ("They need vitamins (A and\nC) now.", ["They need vitamins (A and\nC) now."]),
        ("See the rules (7 and\n12) and act.", ["See the rules (7 and\n12) and act."]),
        ("It was\na dog and\nI (x) ran.", ["It was\na dog and\nI (x) ran."]),
        ("ii. Wash it. Then cook.", ["ii. Wash it.", "Then cook."]),
        ("J.\r\n  Roe left.\r\nHe ran.", ["J.\r\n  Roe left.", "He ran."]),
        ("minus\n-5 is less", ["minus\n-5 is less"]),
        ("今天好。你好吗？好！", ["今天好。", "你好吗？", "好！"]),
        ("  Spaces.   Around.  ", ["Spaces.", "Around."]),
        ("...", ["..."]),
        ("! ? .", ["!", "?", "."]),
    ],
)
def test_breaks_and_other_scripts_end_sentences_too(text: str, sentences: list[str]) -> None:
    assert [s.detokenize() for s in split_sentences(text)] == sentences


def test_the_tokens_of_a_sentence_are_those_it_has_alone() -> None:
    text = "She works for Acme Inc. The U.S. firm, in N.J., isn't big. He likes it in N.J."
    for sentence in split_sentences(text):
        assert sentence.words == tuple(t.text for t in tokenize(sentence.detokenize()))
