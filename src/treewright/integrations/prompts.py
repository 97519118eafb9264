"""Prompts: a call with the arguments and the result keys of LLMLingua's `compress_prompt`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright.compression import Limit, Tokenizer
from treewright.errors import DataError, UsageError
from treewright.integrations.settings import Settings, named

_DOLLARS = 0.06 / 1000
"""What LLMLingua counts as saved by a token."""


class PromptCompressor:
    """Shortens the context of a prompt; stands where LLMLingua's class of the same name stood.

    `tokenizer` counts tokens: a function of a string, a name, or by default words and punctuation.
    """

    def __init__(
        self,
        model: str = "news",
        *,
        tokenizer: Tokenizer | str | None = None,
        format: str = "plain",
        faithful: str = "normal",
    ) -> None:
        self.tokenizer = named(tokenizer)
        self.model = model
        self.format = format
        self.faithful = faithful

    def compress_prompt(
        self,
        context: str | Sequence[str],
        *,
        instruction: str = "",
        question: str = "",
        rate: float = 0.5,
        target_token: int = -1,
        force_tokens: Sequence[str] = (),
        force_reserve_digit: bool = False,
    ) -> dict[str, Any]:
        """Shorten one context or several, to a rate of their tokens or to a number in all.

        Instruction and question stay as they are. `force_tokens` are words or marks that stay, with
        `force_reserve_digit` numbers, too. Each context gets the same share of the tokens.
        """
        contexts = [context] if isinstance(context, str) else list(context)
        before = [self.count(each) for each in contexts]
        keep = [f"word:{token}" for token in force_tokens if token.strip()]
        keep += ["numbers"] * force_reserve_digit
        share = rate
        if target_token > 0:
            share = min(1.0, target_token / max(1, sum(before)))
        if not 0.0 < share <= 1.0:
            raise UsageError(f"rate must be above 0 and at most 1, found {rate}")
        short = [
            self._shortened(each, int(share * size), keep)
            for each, size in zip(contexts, before, strict=True)
        ]
        sides = [self.count(side) for side in (instruction, question)]
        origin, left = sum(before) + sum(sides), sum(map(self.count, short)) + sum(sides)
        parts = [instruction, "\n\n".join(short), question]
        return {
            "compressed_prompt": "\n\n".join([part for part in parts if part]),
            "compressed_prompt_list": short,
            "origin_tokens": origin,
            "compressed_tokens": left,
            "ratio": f"{origin / left if left else 1:.1f}x",
            "rate": f"{100 * left / origin if origin else 100:.1f}%",
            "saving": f", Saving ${(origin - left) * _DOLLARS:.1f} in GPT-4.",
        }

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return Limit(max_tokens=1, tokenizer=self.tokenizer).measure(text)

    def _shortened(self, text: str, tokens: int, keep: Sequence[str]) -> str:
        settings = Settings(
            model=self.model,
            format=self.format,
            faithful=self.faithful,
            # What a program reads need not be good English.
            grammar="loose",
            max_tokens=max(1, tokens),
            tokenizer=self.tokenizer,
            keep=keep,
        )
        [result] = settings.compressor().compress_each([text], settings.request())
        if isinstance(result, DataError):
            raise result
        return result.text


def compress_prompt(context: str | Sequence[str], **options: Any) -> dict[str, Any]:
    """Shorten the context of a prompt with the default model; see `PromptCompressor`."""
    return PromptCompressor().compress_prompt(context, **options)
