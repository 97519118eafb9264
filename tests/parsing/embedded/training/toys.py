"""Tiny runs on the toy trees, and a transformer that knows nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def make_transformer(folder: Path, width: int = 16) -> Path:
    """Save a random BERT and a tokeniser that knows letters and a few words in `folder`."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    letters = [chr(code) for code in range(33, 127) if not chr(code).isupper()]
    pieces = [*PIECES, "the", "cat", "dog", *letters, *(f"##{letter}" for letter in letters)]
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(pieces), encoding="utf-8")
    transformers.BertTokenizerFast(str(vocabulary)).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=width,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=512,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder


def make_run(**settings: Any) -> Any:
    """Return a prepared run of two epochs on the toy trees."""
    pytest.importorskip("torch")
    from treewright.parsing.embedded.training.run import Run, TrainingData, Treebank
    from treewright.parsing.embedded.training.settings import Schedule, Sizes

    from ..toys import TREES

    schedule = {"epochs": 2, "tokens": 30, "rate": 1e-2, **settings.pop("schedule", {})}
    data = settings.pop("data", None) or TrainingData([Treebank("news", TREES)])
    sizes = settings.pop("sizes", Sizes(word=6, hidden=6, span=8))
    run = Run(data, sizes, Schedule(**schedule), **settings)
    run.prepare()
    return run
