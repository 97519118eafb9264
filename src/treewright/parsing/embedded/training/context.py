"""The vectors of a pretrained transformer as an extra input, which makes a parser a teacher."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from treewright.trees import unescape


class Context(nn.Module):
    """One vector per word from a transformer in `folder`: the mean of the vectors of its pieces.

    The folder is one that `transformers` saves; nothing is downloaded. Only the first `layers`
    layers are used, because syntax is found below the top; the table of word pieces is frozen.
    Words after the 512th piece of a sentence have no vector. With `half`, the transformer computes
    in bfloat16, in half the time on processors that have it.
    """

    def __init__(self, folder: str | Path, layers: int = 4, *, half: bool = False) -> None:
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        super().__init__()
        logging.disable_progress_bar()
        self.tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        self.model = AutoModel.from_pretrained(str(folder), local_files_only=True)
        self.layers = layers
        self.half = half
        self.model.encoder.layer = self.model.encoder.layer[:layers]
        self.model.pooler = None
        for parameter in self.model.embeddings.parameters():
            parameter.requires_grad_(False)
        self.width = int(self.model.config.hidden_size)

    def forward(self, sentences: list[tuple[str, ...]], width: int) -> torch.Tensor:
        """Return vectors for sentences between start and end symbols, `width` positions each."""
        words = [[unescape(word) or "-" for word in sentence] for sentence in sentences]
        coded = self.tokenizer(
            words,
            is_split_into_words=True,
            padding=True,
            truncation=True,
            return_tensors="pt",
            max_length=512,
        )
        with torch.autocast("cpu", torch.bfloat16, enabled=self.half):
            found = self.model(input_ids=coded["input_ids"], attention_mask=coded["attention_mask"])
        states = found.last_hidden_state.float()
        rows, columns, places = [], [], []
        for row, sentence in enumerate(sentences):
            pieces = coded.word_ids(row)
            for column, word in enumerate(pieces):
                if word is not None:
                    place = word + 1
                elif column == 0:
                    place = 0
                elif coded["attention_mask"][row, column]:
                    place = len(sentence) + 1
                else:
                    continue
                rows.append(row)
                columns.append(column)
                places.append(row * width + place)
        target = torch.tensor(places)
        gathered = states[torch.tensor(rows), torch.tensor(columns)]
        size = len(sentences) * width
        total = torch.zeros(size, self.width).index_add(0, target, gathered)
        count = torch.zeros(size).index_add(0, target, torch.ones(len(places)))
        return (total / count.clamp(min=1)[:, None]).view(len(sentences), width, self.width)
