from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.errors import UsageError
from treewright.pruning.guards import CLASSES, Keep, demanded, unmatched
from treewright.text import Sentence, cut, tokenize
from treewright.trees import Tree, escape_token

from ...text.strategies import sentences
from .examples import EXAMPLES, parsed, trees_over

ADDRESSES = (
    "https://x.org/a_(b)?c=d#e www.foo.de a.b+c@mail.x.org @ann_b #tag42 foo.com sub.x.co.in/y"
    " 10.0.0.1:80 localhost:8080/x mailto:a@b.org ftp://x.y/z.tar.gz"
)
CODE = (
    "snake_case MAX_SIZE camelCase os.path.join() foo.bar self.doIt(x,y) main() src/main.py a/b/c"
    r" /usr/local/bin ~/.bashrc ./run.sh C:\Users\me --dry-run --size=3 -v main.py my-file.tar.gz"
    " .gitignore 0xFF v1.2.3 3.11.2 v2.0.0-rc1 std::vector<int> a->b $HOME/bin ${HOME} x==1 <br/>"
    " deadbeef42 `x` `a-b.c` ``x`y`` ```z```"
)


def flat(sentence: Sentence, tags: dict[str, str] | None = None) -> Tree:
    """A tree without phrases, all nouns but for `tags`."""
    tags = tags or {}
    return Tree(
        "ROOT",
        [Tree(tags.get(word, "NN"), word=escape_token(word)) for word in sentence.words],
    )


def kept(text: str, *keeps: str, **tags: str) -> str:
    sentence = Sentence(text, tokenize(text))
    places = demanded([Keep.parse(keep) for keep in keeps], sentence, flat(sentence, tags))
    return " ".join(sentence.words[place] for place in sorted(places))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("numbers", "class", "numbers"),
        (" Number ", "class", "numbers"),
        ("URL", "class", "urls"),
        ("code", "class", "code"),
        ("word:names", "phrase", "names"),
        ("prime  minister", "phrase", "prime minister"),
        ("/pay(s|ed)?/", "pattern", "pay(s|ed)?"),
        ("/a/b/", "pattern", "a/b"),
        ("/usr/bin", "phrase", "/usr/bin"),
        ("/", "phrase", "/"),
        ("word:/usr/", "phrase", "/usr/"),
        ("word:word:x", "phrase", "word:x"),
    ],
)
def test_parsing(text: str, kind: str, value: str) -> None:
    keep = Keep.parse(text)
    assert (keep.kind, keep.value) == (kind, value)
    assert Keep.parse(str(keep)) == keep


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names nothing to keep.*numbers, names, quotations, urls, code"),
        ("  ", "names nothing to keep"),
        ("word:", "names nothing to keep"),
        ("//", "the pattern is empty"),
        ("/a(b/", r"/a\(b/: missing \), unterminated subpattern at character 2"),
        ("/x{9999999999999}/", "/x.*/: .*smaller pattern"),
        ("/dog/g", "unknown flag 'g'.*word:/dog/g"),
    ],
)
def test_demands_that_make_no_sense(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Keep.parse(text)


@pytest.mark.parametrize(
    ("text", "keep", "expected"),
    [
        ("The dog bit the other Dog today.", "dog", "dog Dog"),
        ("The hot dog, a dog not hot.", "hot dog", "hot dog"),
        ("He can't and we don’t pay.", "don't", "do n’t"),
        ("Acme Corp. of Ohio sued Acme Corp.", "acme corp.", "Acme Corp. Acme Corp ."),
        ("We paid $5 then.", "$5", "$ 5"),
        ("A b a b a.", "a b a", "A b a b a"),
        ("He said so.", "say", ""),
        ("Order RX-204 came.", "/[A-Z]{2}-/", "RX-204"),
        ("The dog and the DOG.", "/dog/i", "dog DOG"),
        ("The dog and the DOG.", "/dog/", "dog"),
        ("Two big dogs bark.", "/g d/", "big dogs"),
        ("Two big dogs bark.", r"/\s/", ""),
        ("Two big dogs bark.", "/x*/", ""),
        ("Two big dogs bark.", "/^Two/", "Two"),
    ],
)
def test_words_phrases_and_patterns(text: str, keep: str, expected: str) -> None:
    assert kept(text, keep) == expected


def test_places_count_from_the_sentence() -> None:
    text = "One dog. Two dogs."
    sentence = Sentence(text, tuple(token for token in tokenize(text) if token.start > 8))
    assert demanded([Keep.parse("/^Two/")], sentence, flat(sentence)) == {0}
    assert demanded([Keep.parse("/dog/")], sentence, flat(sentence)) == {1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sales rose 12.5% to $3.4 million by the 3rd.", "12.5 % $ 3.4 million 3rd"),
        ("It fell -$5 to US$ 9, or minus 3 per cent.", "- $ 5 US$ 9 minus 3 per cent"),
        ("It was −5 °C or 20 km at 3:30 p.m. sharp.", "−5 ° C 20 km 3:30 p.m."),
        ("Twenty-five of a dozen paid € 7 for no. 8.", "Twenty-five dozen € 7 no. 8"),
        ("It ended 3 - 2 in favour of no one.", "3 - 2"),
        ("He came - five of them did.", "five"),
    ],
)
def test_numbers(text: str, expected: str) -> None:
    assert kept(text, "numbers") == expected


def test_number_words_by_their_tag_and_what_is_between() -> None:
    sentence = Sentence("One of 20 to 30 fell.", tokenize("One of 20 to 30 fell."))
    quantity = Tree("QP", [Tree("CD", word="20"), Tree("TO", word="to"), Tree("CD", word="30")])
    rest = [Tree("VBD", word="fell"), Tree(".", word=".")]
    tree = Tree("S", [Tree("CD", word="One"), Tree("IN", word="of"), quantity, *rest])
    assert demanded([Keep.parse("numbers")], sentence, tree) == {0, 2, 3, 4}


def test_names() -> None:
    nnp = dict.fromkeys(["Anna", "Bell", "Bank", "Finland", "Nobody", "de"], "NNP")
    assert kept("Nobody met Anna de Bell of the IMF.", "names", **nnp) == "Anna de Bell IMF"
    assert kept("The Bank of Finland paid.", "names", **nnp) == "Bank of Finland"
    assert kept("A BIG DAY FOR ANNA", "names") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "no way" and left.', '" no way "'),
        ("He said “my ‘old’ dog” and left.", "“ my ‘ old ’ dog ”"),
        ("He said ``no way'' and left.", "`` no way ''"),
        ('He said "no way and left.', ""),
        ("The dogs' home isn't 'nice' (at all).", "' nice '"),
        ('He said " no way " and left .', '" no way "'),
        ('A 5" pipe and a 7" one.', ""),
    ],
)
def test_quotations(text: str, expected: str) -> None:
    assert kept(text, "quotations") == expected


@pytest.mark.parametrize("address", ADDRESSES.split())
@pytest.mark.parametrize("frame", ["See {} today.", "It is ({}), he said.", "Go to {}."])
def test_addresses(address: str, frame: str) -> None:
    assert kept(frame.format(address), "urls").replace(" ", "") == address


@pytest.mark.parametrize("code", CODE.split())
@pytest.mark.parametrize("frame", ["Use {} today.", "The thing ({}), he said.", "Go for {}."])
def test_code(code: str, frame: str) -> None:
    found = kept(frame.format(code), "code").replace(" ", "")
    assert found == code


@pytest.mark.parametrize(
    "text",
    [
        "He and/or she came 24/7, e.g. at 3 p.m. in the U.S. with his well-known dog(s).",
        "``No'' and ``yes'' -- he said `no' and `yes' -- were (nearly) all: it cost $5, i.e. 20%.",
        "An iPhone, a semi-final, 1990–95, 12:30, 3.5 and O'Brien's #1 e-mail to AT&T.",
    ],
)
def test_prose_is_neither_code_nor_address(text: str) -> None:
    assert kept(text, "code", "urls") == ""


@pytest.mark.parametrize(
    "index", range(len(EXAMPLES)), ids=lambda index: EXAMPLES[index]["text"][:30]
)
def test_demands_cover_the_example(index: int) -> None:
    example, sentence, tree = parsed()[index]
    places = demanded([Keep.parse(keep) for keep in example["keep"]], sentence, tree)
    left = cut(sentence, places).text.lower()
    for part in example["must"]:
        assert part in example["text"]
        assert part.lower() in left


def test_a_tree_of_other_words() -> None:
    sentence = Sentence("Two dogs", tokenize("Two dogs"))
    with pytest.raises(ValueError, match="a tree of 1 words for 2 tokens"):
        demanded([], sentence, Tree("NN", word="dogs"))


@st.composite
def sentences_with_trees(draw: st.DrawFn) -> tuple[Sentence, Tree]:
    sentence = draw(sentences.filter(lambda found: bool(found.tokens)))
    return sentence, draw(trees_over(sentence.penn))


@given(sentences_with_trees())
def test_classes_on_any_text_and_tree(given: tuple[Sentence, Tree]) -> None:
    sentence, tree = given
    keeps = [Keep.parse(name) for name in CLASSES]
    places = demanded(keeps, sentence, tree)
    assert places == demanded(reversed(keeps), sentence, tree)
    assert places <= set(range(len(sentence.tokens)))
    each = [demanded([keep], sentence, tree) for keep in keeps]
    assert places == frozenset().union(*each)


@given(sentences_with_trees(), st.data())
def test_every_token_of_a_match_is_kept(given: tuple[Sentence, Tree], data: st.DataObject) -> None:
    sentence, tree = given
    first = data.draw(st.integers(0, len(sentence.tokens) - 1))
    last = data.draw(st.integers(first, len(sentence.tokens) - 1))
    tokens = sentence.tokens[first : last + 1]
    found = sentence.text[tokens[0].start : tokens[-1].end]
    pattern = "".join(f"\\U{ord(character):08x}" for character in found)
    keep = Keep.parse(f"/{pattern}/")
    assert set(range(first, last + 1)) <= demanded([keep], sentence, tree)
    word = Keep.parse(f"word:{tokens[0].text}")
    assert first in demanded([word], sentence, tree)


@given(st.one_of(st.text(max_size=8), st.text("/word:namesi[](){}*+?\\^$.|0", max_size=10)))
def test_any_demand_is_read_or_refused(text: str) -> None:
    try:
        keep = Keep.parse(text)
    except UsageError as error:
        assert str(error).startswith("keep ")
    else:
        assert Keep.parse(str(keep)) == keep


@pytest.mark.parametrize(
    ("text", "keeps", "expected"),
    [
        ("The 3 dogs bark.", ["nubmers", "DOGS", "cat", "/b.rk/", "/B.rk/"], "nubmers cat /B.rk/"),
        ("It rains.", ["numbers", "names", "quotations", "urls", "code"], ""),
        (
            "Mr. O’Hara left.",
            ["mr. o'hara", "left.", "mr. o'hara left early"],
            "mr. o'hara left early",
        ),
        ("", ["dogs", "numbers"], "dogs"),
    ],
)
def test_what_occurs_nowhere_is_told(text: str, keeps: list[str], expected: str) -> None:
    sentence = Sentence(text, tokenize(text))
    missing = unmatched([Keep.parse(keep) for keep in keeps], [sentence] if text else [])
    assert " ".join(map(str, missing)) == expected


def test_what_matches_is_demanded_and_what_does_not_is_not() -> None:
    sentence = Sentence("The old dog barked.", tokenize("The old dog barked."))
    for text in ("old dog", "dog old", "/d.g/", "/^dog/", "barked.", "cat"):
        keep = Keep.parse(text)
        found = demanded([keep], sentence, flat(sentence))
        assert bool(found) == (not unmatched([keep], [sentence]))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nubmers", "numbers"),
        ("Nmae", "names"),
        ("quotes", "quotations"),
        ("bridge", None),
        ("/nubmers/", None),
        ("word:numbers", "numbers"),
    ],
)
def test_the_class_that_may_be_meant(text: str, name: str | None) -> None:
    assert Keep.parse(text).nearest_class == name
