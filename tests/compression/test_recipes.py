"""Recipes: reading them, and following a tiny one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from treewright.compression.recipes import Recipe, Stage
from treewright.corpora import Record, write_records
from treewright.errors import DataError, UsageError
from treewright.learning.neural import NeuralCRF
from treewright.progress import Silent
from treewright.pruning import Model
from treewright.trees import Tree

from ..learning.neural.toys import SMALL, adverbs_go, rewritten, sentences, start_small
from ..parsing.embedded.training.toys import make_transformer

TOML = """
corpora = ["a", "b"]
styles = ["a#1"]
[[stage]]
epochs = 2
[[stage]]
corpora = ["a"]
seed = 2
"""


class Known:
    """Knows the toy sentences, under another root."""

    def parse(self, sentences_: Sequence[Sequence[str]]) -> list[Tree]:
        trees = {tree.words(): Tree("TOP", tree.children) for tree in sentences()}
        return [trees[tuple(words)] for words in sentences_]


class Told(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, message: str) -> None:
        self.lines.append(message)


@pytest.mark.parametrize("name", ["news", "headline"])
def test_recipes_of_the_package(name: str) -> None:
    recipe = Recipe.load(name)
    assert recipe.name == name
    for stage in recipe.stages:
        NeuralCRF(**stage.settings)
        assert set(stage.corpora) <= set(recipe.corpora)
    assert {style.partition("#")[0] for style in recipe.styles} <= set(recipe.corpora)


def test_a_recipe_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TOML)
    stages = (Stage({"epochs": 2}), Stage({"seed": 2}, ("a",)))
    assert Recipe.load(str(path)) == Recipe("mine", ("a", "b"), ("a#1",), stages)


def test_a_recipe_with_styles_for_shares_of_the_words(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TOML + '[shares]\n50 = ["a#0"]\n70 = ["a#0", "b"]\n')
    assert Recipe.load(str(path)).shares == {0.5: ("a#0",), 0.7: ("a#0", "b")}


def test_a_recipe_that_is_not_there() -> None:
    with pytest.raises(UsageError, match=r"no recipe 'nwes'; choose one of headline, news, or"):
        Recipe.load("nwes")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[stage]]", "[[", "Invalid|Expected"),
        ('styles = ["a#1"]', "", "expected corpora, styles, stage, found corpora, stage"),
        ("corpora =", "corpus =", "expected corpora, styles, stage, found corpus"),
        ('["a", "b"]', '"a"', "corpora must be a list of names, found 'a'"),
        ("seed = 2", 'seed = 2\n[shares]\n100 = ["a"]', "between 0 and 100, found '100'"),
        ("seed = 2", 'seed = 2\n[shares]\nhalf = ["a"]', "between 0 and 100, found 'half'"),
        ("seed = 2", 'seed = 2\n[shares]\n50 = "a"', "styles of 50 % must be a list of names"),
        ('["a", "b"]', "[1]", "corpora must be a list of names"),
        ('["a#1"]', "[]", "needs a stage and a style"),
        ("epochs = 2", "epoch = 2", "stage 1 has unknown settings: epoch"),
        ("epochs = 2", "epochs = 0", "epochs must be at least 1"),
        ("epochs = 2", 'epochs = "2"', "epochs must be at least 1"),
        ("epochs = 2", 'dropout = "x"', "dropout must lie between 0 and 1"),
        ('["a"]', '["c", "a"]', "stage 2 has corpora that the recipe does not list: c"),
        ('["a"]', '"a"', "corpora of stage 2 must be a list"),
    ],
)
def test_what_is_no_recipe(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    assert old in TOML
    path.write_text(TOML.replace(old, new))
    with pytest.raises(DataError, match=message) as caught:
        Recipe.load(str(path))
    assert str(caught.value).startswith(f"{path}: not a valid recipe: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", [b"\xff", b'corpora = ["a"]\nstyles = ["a"]\nstage = "x"'])
def test_what_is_not_even_near(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_bytes(text)
    with pytest.raises(DataError, match="not a valid recipe"):
        Recipe.load(str(path))


# Following.


def corpora(folder: Path) -> Path:
    """Two corpora: of the first, two annotators, one of whom keeps everything."""
    pairs = adverbs_go()
    both = [Record(pair.id, pair.source, (pair.source, pair.target)) for pair in pairs]
    one = [Record(pair.id, pair.source, (pair.target,)) for pair in pairs[:4]]
    write_records(folder / "a.jsonl", both)
    write_records(folder / "b.jsonl", one)
    return folder


def tiny(**stage: Any) -> Recipe:
    stages = (Stage({**SMALL, "epochs": 6, **stage}), Stage({**SMALL, "epochs": 6}, ("a",)))
    return Recipe("tiny", ("a", "b"), ("a#1",), stages)


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return torch, or skip; training starts small, and what it sets is set back."""
    module = pytest.importorskip("torch")
    start_small(monkeypatch, tmp_path)
    threads = module.get_num_threads()
    yield module
    module.use_deterministic_algorithms(False)
    module.set_num_threads(threads)
    module.set_flush_denormal(False)


def test_a_recipe_followed_twice_gives_the_same_bytes(torch: Any, tmp_path: Path) -> None:
    told = Told()
    for name in ("first", "second"):
        tiny().follow(corpora(tmp_path), Known(), progress=told).save(tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    half = told.lines[: len(told.lines) // 2]
    assert half == told.lines[len(half) :]
    assert half[:3] == ["parsing a", "parsing b", "stage 1 of 2"]
    assert half[3].startswith("epoch 1: loss ")
    assert half[9] == "stage 2 of 2"
    model = Model.load(tmp_path / "first")
    about = model.metadata
    assert (about["recipe"], about["styles"]) == ("tiny", ["a#1"])
    assert [stage["corpora"] for stage in about["stages"]] == [[], ["a"]]
    assert about["pairs"] == 2 * len(sentences())
    # The parser's trees, not those of the corpora, are what it knows.
    assert "TOP" in model.pruning.as_dict()["labels"]  # type: ignore[union-attr]
    assert {len(rewritten(model, tree)) for tree in sentences()} == {4}


def test_two_recipes_that_begin_in_the_same_way_share_the_first_stage(
    torch: Any, tmp_path: Path
) -> None:
    kept, data = tmp_path / "new" / "kept", corpora(tmp_path)
    alone = tiny().follow(data, Known())
    for recipe, stored in ((tiny(), 1), (replace(tiny(), styles=("b",)), 1), (tiny(seed=9), 2)):
        told = Told()
        model = recipe.follow(data, Known(), kept=kept, progress=told)
        assert len(list(kept.iterdir())) == stored
        assert any("kept of a recipe" in line for line in told.lines) == (recipe.styles == ("b",))
        if recipe == tiny():
            model.save(tmp_path / "model")
            alone.save(tmp_path / "alone")
            assert (tmp_path / "model").read_bytes() == (tmp_path / "alone").read_bytes()


def test_a_recipe_with_a_teacher(torch: Any, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "transformer").mkdir()
    encoder = make_transformer(tmp_path / "transformer")
    path = tmp_path / "taught.toml"
    table = "[teacher]\nfitted = 20\nasked = 10\nlayers = 1\nnode = 6\ngap = 4\nseam = 4\n"
    path.write_text(TOML + table, encoding="utf-8")
    lesson = Recipe.load(str(path)).lesson
    assert lesson is not None
    recipe = replace(tiny(), lesson=lesson)
    with pytest.raises(UsageError, match="recipe tiny has a teacher; give the folder"):
        recipe.follow(corpora(tmp_path), Known())
    models = []
    for _ in range(2):
        told = Told()
        model = recipe.follow(corpora(tmp_path), Known(), encoder=encoder, progress=told)
        assert "training the teacher" in told.lines
        model.save(tmp_path / "model")
        models.append((tmp_path / "model").read_bytes())
    assert models[0] == models[1]
    tiny().follow(corpora(tmp_path), Known()).save(tmp_path / "alone")
    assert models[0] != (tmp_path / "alone").read_bytes()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("fitted = 2", "asked must"),
        ("fitted = 0\nasked = 1", "fitted must"),
        ("fitted = 2\nasked = 1\nwings = 2", "the teacher has unknown settings: wings"),
        ("fitted = 2\nasked = 1\nlayers = 0", "layers must"),
    ],
)
def test_what_is_no_teacher(table: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text(f"{TOML}[teacher]\n{table}\n", encoding="utf-8")
    with pytest.raises(DataError, match=message):
        Recipe.load(str(path))


def test_a_corpus_that_is_not_there_is_named_before_any_work(torch: Any, tmp_path: Path) -> None:
    (corpora(tmp_path) / "b.jsonl").unlink()
    told = Told()
    with pytest.raises(DataError, match="recipe tiny needs this file") as caught:
        tiny().follow(tmp_path, Known(), progress=told)
    assert caught.value.where == str(tmp_path / "b.jsonl")
    assert told.lines == []


def test_a_style_that_no_corpus_has(torch: Any, tmp_path: Path) -> None:
    recipe = replace(tiny(), styles=("a#2",))
    with pytest.raises(DataError, match="tiny: no corpus has a style a#2"):
        recipe.follow(corpora(tmp_path), Known())
