"""`RuleLearner`: from parallel text and trees to a tuned model of rules, part by part."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from treewright.corpora import Links, Pair, Words
from treewright.errors import DataError, Problems, UsageError, choose
from treewright.lm import LanguageModel, read_text
from treewright.parsing import open_parser
from treewright.progress import SILENT, Progress
from treewright.translation.ghkm.building import RuleSettings, build_rules
from treewright.translation.ghkm.files import load_rules, save_rules
from treewright.translation.skeletons.files import Skeleton
from treewright.translation.syntax.decoder import RuleSearch
from treewright.translation.syntax.features import SyntaxFeatures
from treewright.translation.syntax.model import RuleModel, prepare_tree
from treewright.translation.syntax.skeleton import OutlinedTree
from treewright.translation.training.parts import TextFiles, TextLearner, Training
from treewright.translation.training.text import ParallelText, given_skeletons
from treewright.translation.training.trees import read_line_trees, write_trees
from treewright.translation.training.tuning import DevSet
from treewright.translation.training.workshop import Workshop, fingerprint
from treewright.trees import BINARIZATIONS

PHRASES = 5
"""Up to how many words the phrases have that models learn rules for, unless told otherwise."""


@dataclass(frozen=True, kw_only=True)
class RuleFiles(TextFiles):
    """What a model of rules is made from.

    Trees belong to tokenised sentences, one a line; what has no file of trees is parsed. `rules`
    replace the steps that would make them. The language model learns from the target text and from
    `texts`. If the dev sets have skeletons, the model scores rules that cross them.
    """

    trees: str | None = None
    target_trees: str | None = None
    dev_trees: str | None = None
    stop_trees: str | None = None
    dev_skeletons: str | None = None
    stop_skeletons: str | None = None
    rules: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stop is None and self.stop_skeletons is not None:
            raise UsageError("skeletons of a second dev text, but no such text")
        if self.stop is not None and (self.dev_skeletons is None) != (self.stop_skeletons is None):
            raise UsageError("give the skeletons of both dev texts, or none")

    @property
    def paths(self) -> list[str]:
        """All files that are read."""
        trees = (self.trees, self.target_trees, self.dev_trees, self.stop_trees)
        named = (*trees, self.dev_skeletons, self.stop_skeletons, self.rules)
        return [*super().paths, *[path for path in named if path is not None]]


@dataclass(frozen=True, kw_only=True)
class RuleLearner(TextLearner):
    """Makes models of rules: trees, alignment, rules, language model, tuning.

    `parser` parses sources, also of what is translated later; `target_parser` parses targets, if
    rules have trees as targets. Source trees are binarised as `binarize` says.
    """

    rules: RuleSettings = field(default_factory=lambda: RuleSettings(phrases=PHRASES))
    binarize: str = "none"
    parser: str = "embedded"
    target_parser: str = "embedded"
    search: RuleSearch = field(default_factory=RuleSearch)

    def __post_init__(self) -> None:
        super().__post_init__()
        choose(self.binarize, BINARIZATIONS, "way to binarise")
        for parser in (self.parser, self.target_parser):
            open_parser(parser)

    def fit(
        self,
        files: RuleFiles,
        shop: Workshop,
        *,
        problems: Problems | None = None,
        progress: Progress = SILENT,
    ) -> RuleModel:
        """Make a model; parts that the workshop has are not made again."""
        return RuleTraining(self, files, shop, problems or Problems(strict=True), progress).run()

    def about(self, text: ParallelText) -> dict[str, Any]:
        """Say how a model was made, in plain values."""
        chosen = {"parser": self.parser, "binarize": self.binarize}
        return {**super().about(text), "learner": "ghkm", "kind": self.rules.kind, **chosen}


def check_kind(path: str, kind: str) -> None:
    """Raise a `UsageError` if rules in a file have targets of another kind."""
    grammar, _ = load_rules(path)
    if grammar.has_strings != (kind == "strings"):
        raise UsageError(f"the rules in {path} have targets other than {kind}")


@dataclass(frozen=True, eq=False)
class RuleTraining(Training):
    """One run of a learner of rules."""

    learner: RuleLearner
    files: RuleFiles

    def run(self) -> RuleModel:
        """Make all parts and tune their weights."""
        learner, files = self.learner, self.files
        if files.rules is not None:
            check_kind(files.rules, learner.rules.kind)
        about = learner.about(self.text)
        sets = [self.dev("dev", files.dev, files.dev_trees, files.dev_skeletons)]
        if files.stop is not None:
            sets.append(self.dev("stop", files.stop, files.stop_trees, files.stop_skeletons))
        scored = files.dev_skeletons is not None
        parts = [self.rules(), self.target_lm()]
        grammar, made_by = load_rules(parts[0])
        untuned = RuleModel(
            grammar,
            LanguageModel.load(parts[1]),
            SyntaxFeatures(grammar.feature_names, scored).start(),
            *self.casings,
            search=learner.search,
            parser=learner.parser,
            binarize=learner.binarize,
            metadata={**about, **made_by},
            skeleton=scored,
        )
        return self.tune(untuned, sets, self.tuning_origin(parts, sets))

    def dev(
        self, name: str, paths: tuple[str, str], trees: str | None, skeletons: str | None
    ) -> DevSet[OutlinedTree]:
        """Read a dev set: what has a tree, with its skeletons if they are given."""
        text = ParallelText.read(*paths, self.problems)
        place = self.trees(name, paths[0], text.sources, self.learner.parser, trees)
        found = read_line_trees(place, text.sources, self.problems, own=trees is None)
        lines = range(len(text.sources))
        kept: Sequence[Skeleton | None] = [None] * len(lines)
        if skeletons is not None:
            kept = given_skeletons(skeletons, paths[0], text.sources, lines)
        rows = zip(found, kept, text.targets, strict=True)
        pairs = [
            (OutlinedTree(tree, mark), words) for tree, mark, words in rows if tree is not None
        ]
        if not pairs:
            raise DataError("none of its sentences has a tree", where=paths[0])
        return DevSet([source for source, _ in pairs], [words for _, words in pairs])

    def trees(
        self, name: str, path: str, sentences: Sequence[Words], parser: str, given: str | None
    ) -> Path:
        """Return the file of a text's trees, which are parsed unless they are given."""
        if given is not None:
            return Path(given)

        def make(place: Path) -> None:
            self.progress.say(f"parsing {path}")
            opened = open_parser(parser)
            write_trees(place, path, sentences, opened, self.problems, self.progress)

        return self.shop.part(f"{name}.trees", {"text": fingerprint(path), "parser": parser}, make)

    def rules(self) -> Path:
        """Extract rules, unless they are given."""
        learner, files = self.learner, self.files
        if files.rules is not None:
            return Path(files.rules)
        trees = [self.trees("source", files.source, self.text.sources, learner.parser, files.trees)]
        if learner.rules.kind == "trees":
            parser, given = learner.target_parser, files.target_trees
            trees.append(self.trees("target", files.target, self.text.targets, parser, given))
        links = self.links()

        def make(path: Path) -> None:
            grammar = build_rules(
                self.pairs(trees, links),
                settings=learner.rules,
                folder=self.shop.folder,
                problems=self.problems,
                progress=self.progress,
            )
            save_rules(grammar, path, {"rules": asdict(learner.rules)})

        made = {
            **self.origin,
            "rules": asdict(learner.rules),
            "links": links.digest(),
            "trees": fingerprint(*trees),
            "binarize": learner.binarize,
        }
        return self.shop.part("rules.model", made, make)

    def pairs(self, trees: Sequence[Path], links: Links) -> Iterator[Pair]:
        """Yield the pairs that have trees, words as the model knows them."""
        given = self.files.trees, self.files.target_trees
        sides = [
            read_line_trees(path, sentences, self.problems, own=trees_given is None)
            for path, sentences, trees_given in zip(
                trees, (self.text.sources, self.text.targets), given, strict=False
            )
        ]
        for number, found in enumerate(zip(*sides, strict=True)):
            both = [tree for tree in found if tree is not None]
            if len(both) < len(sides):
                continue
            source = prepare_tree(both[0], self.cased.sources[number], self.learner.binarize)
            words = self.cased.targets[number]
            target = prepare_tree(both[1], words, "none") if len(both) > 1 else tuple(words)
            yield Pair(f"line {number + 1}", source, target, links[number])

    def target_lm(self) -> Path:
        """Estimate the language model of the target text and of what else there is."""
        texts = self.files.texts
        more = [self.casings[1].prepare(words) for words in read_text(texts, self.problems)]
        made = {**self.origin, "more": [fingerprint(name) for name in texts]}
        return self.lm("lm.model", [*self.cased.targets, *more], made)

    def tuning_origin(
        self, parts: Sequence[Path], sets: Sequence[DevSet[OutlinedTree]]
    ) -> dict[str, Any]:
        """Say what tuning depends on."""
        learner, files = self.learner, self.files
        trees = [str(source.tree) for each in sets for source in each.sources]
        skeletons = [each for each in (files.dev_skeletons, files.stop_skeletons) if each]
        return {
            "dev": fingerprint(*files.tuned_on),
            "trees": hashlib.sha256("\n".join(trees).encode()).hexdigest()[:32],
            "skeletons": fingerprint(*skeletons),
            "tuning": asdict(learner.tuning),
            "search": asdict(learner.search),
            "parts": fingerprint(*parts),
            "binarize": learner.binarize,
            "casing": learner.casing,
            "seed": learner.seed,
        }
