"""A small tagged text, whose verbs rise/climb and fall/drop share contexts."""

from __future__ import annotations

from pathlib import Path

LINES = [
    "The_DT price_NN rose_VBD to_TO ten_CD dollars_NNS ._.",
    "The_DT price_NN climbed_VBD to_TO ten_CD dollars_NNS ._.",
    "The_DT price_NN fell_VBD to_TO nine_CD dollars_NNS ._.",
    "The_DT price_NN dropped_VBD to_TO nine_CD dollars_NNS ._.",
    "Our_PRP$ sales_NNS rose_VBD sharply_RB in_IN May_NNP ._.",
    "Our_PRP$ sales_NNS climbed_VBD sharply_RB in_IN May_NNP ._.",
    "Our_PRP$ sales_NNS fell_VBD sharply_RB in_IN June_NNP ._.",
    "Our_PRP$ sales_NNS dropped_VBD sharply_RB in_IN June_NNP ._.",
    "It_PRP has_VBZ risen_VBN to_TO a_DT record_NN ._.",
    "It_PRP has_VBZ climbed_VBN to_TO a_DT record_NN ._.",
    "It_PRP was_VBD not_RB sold_VBN by_IN them_PRP ._.",
    "It_PRP was_VBD bought_VBN by_IN them_PRP ._.",
]


def write_text(folder: Path, times: int = 2) -> Path:
    """Write the text, each line so many times."""
    path = folder / "text.txt"
    path.write_text("".join(f"{line}\n" for line in LINES * times), encoding="utf-8")
    return path
