"""Learning a `PropositionModel` from what was gathered from text."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

import numpy as np

from treewright.errors import DataError
from treewright.progress import SILENT, Progress
from treewright.propositions.chain import ChainLearner, sequences_of
from treewright.propositions.classes import CALENDAR, ClassSettings, ClassTable, build_classes
from treewright.propositions.contexts import ContextClassifier, ContextLearner
from treewright.propositions.distribution import likely_classes
from treewright.propositions.evidence import PAPER_WAYS
from treewright.propositions.gathering import Gathered, Key, Sighting
from treewright.propositions.instances import PAPER_SHAPES, SHAPES
from treewright.propositions.lexicon import Lexicon
from treewright.propositions.model import Counted, Evidenced, PropositionModel
from treewright.propositions.sentence import Kind
from treewright.propositions.slots import SlotModel, group_of

_INFERRED = 3


@dataclass
class PropositionLearner:
    """Settings of the model; the defaults go beyond the paper, `paper()` gives its own recipe."""

    classes: ClassSettings = field(default_factory=ClassSettings)
    chain: ChainLearner = field(default_factory=ChainLearner)
    structure: str = "slots"
    smoothing: float = 10.0
    """Prior uses of each class, spread over all names."""
    infer: bool = True
    """Whether names also get classes from what they do."""
    shapes: tuple[str, ...] = SHAPES

    def fit(self, gathered: Gathered, progress: Progress = SILENT) -> PropositionLearner:
        """Learn from text; the result is `model_`."""
        if not gathered.instances:
            raise DataError(
                "no instances: no sentence has a verb with a subject and an object; is this "
                "English prose?"
            )
        progress.say(f"learning from {len(gathered.instances):,} distinct instances")
        table = build_classes(gathered.evidence, gathered.nouns, self.classes)
        classifier = _contexts(gathered, table)
        articles = {
            name: gathered.articles[name] / times
            for name, times in gathered.times.items()
            if gathered.articles[name]
        }
        likely = likely_classes(gathered.instances, table, articles) if self.infer else {}
        limits = (self.classes.most, self.classes.unknown)
        lexicon = Lexicon(table, articles, likely, self.smoothing, *limits)
        sequences: Counter[tuple[str, ...]] = Counter()
        slots = SlotModel()
        for (shape, words, kinds), number in gathered.instances.items():
            symbols = lexicon.symbols(words, kinds)
            for sequence, _ in sequences_of(self.structure, shape, symbols):
                sequences[sequence] += number
            grouped = [
                group_of(table.name(word), articles) if kind is Kind.NAME else word
                for word, kind in zip(words, kinds, strict=True)
            ]
            slots.add(shape, grouped, number)
        self.chain.fit(sequences, lexicon.candidates)
        self.model_ = PropositionModel(
            lexicon, self.chain.chain_, slots, classifier, self.structure, self.shapes
        )
        self.model_.leanings = _leanings(gathered, table, classifier)
        self.model_.metadata = self._metadata(gathered, table)
        self.model_.evidence = _evidence(gathered, self.model_)
        return self

    def _metadata(self, gathered: Gathered, table: ClassTable) -> dict[str, object]:
        called = table.counts.values()
        return {
            "sentences": gathered.sentences,
            "instances": sum(gathered.instances.values()),
            "names with classes": sum(not CALENDAR.keys() & found.keys() for found in called),
            "classes": len({noun for found in called for noun in found} - CALENDAR.keys()),
            "log likelihoods": self.chain.log_likelihoods_,
        }


def paper() -> PropositionLearner:
    """Return the paper's recipe: a chain, plain emissions, nothing inferred, two shapes."""
    return PropositionLearner(
        classes=ClassSettings(entities=1, ways=PAPER_WAYS),
        structure="chain",
        smoothing=0.0,
        infer=False,
        shapes=PAPER_SHAPES,
    )


def _contexts(gathered: Gathered, table: ClassTable) -> ContextClassifier | None:
    """Learn classes from contexts, where a noun before the name gives the class away."""
    general = general_classes(table)
    examples, labels = [], []
    for example in gathered.labelled:
        classes = table.classes(table.name(example.name))
        joined = f"{example.modifier} {example.noun}"
        written = table.prefixes.get(example.noun, table.prefixes.get(example.noun.title(), ""))
        for noun in (joined, example.noun, written):
            if noun in classes:
                compound = noun == joined and example.modifier
                examples.append(example.without_modifier if compound else example.features)
                labels.append(general.get(noun, noun))
                break
    return ContextLearner().fit(examples, labels).classifier_


def general_classes(table: ClassTable) -> dict[str, str]:
    """Return one name for the classes that share a noun: `guard` for `point guard`, but `running
    back` for `back`, which is hardly used alone.
    """
    totals: Counter[str] = Counter()
    for classes in table.counts.values():
        totals.update(classes)
    families: dict[str, list[str]] = defaultdict(list)
    for noun in totals:
        families[noun.split()[-1]].append(noun)
    found = {}
    for head, members in families.items():
        largest = max(members, key=lambda noun: (totals[noun], noun))
        dominant = totals[largest] >= 0.5 * sum(totals[noun] for noun in members)
        for noun in members:
            found[noun] = largest if dominant else head
    return found


def _leanings(
    gathered: Gathered, table: ClassTable, classifier: ContextClassifier | None
) -> dict[str, dict[str, float]]:
    """Return the likeliest classes of names without evidence, by all their contexts together."""
    if classifier is None:
        return {}
    found: dict[str, dict[str, float]] = {}
    for name, examples in gathered.contexts.items():
        if table.name(name) != name or name in table.counts:
            continue
        logs = sum(classifier.log_probabilities(example.features) for example in examples)
        scores = np.exp((logs - np.max(logs)) / len(examples))
        shares = scores / scores.sum()
        best = np.argsort(-shares, kind="stable")[:_INFERRED]
        found[name] = {classifier.classes[place]: float(shares[place]) for place in best}
    return found


def _evidence(gathered: Gathered, model: PropositionModel) -> Evidenced:
    merged: dict[Key, tuple[int, tuple[Sighting, ...]]] = {}
    for key, number in gathered.instances.items():
        shape, words, kinds = key
        named = (shape, model.names(words, kinds), kinds)
        count, refs = merged.get(named, (0, ()))
        refs = (*refs, *gathered.seen_in.get(key, ()))[: gathered.kept]
        merged[named] = (count + number, refs)
    counted = []
    for (shape, words, kinds), (count, refs) in merged.items():
        best = model.label(shape, words, kinds)[0]
        counted.append(Counted(count, shape, words, kinds, best.classes, best.log_prob, refs))
    counted.sort(key=lambda one: (-one.count, one.words))
    return Evidenced(counted, gathered.texts)
