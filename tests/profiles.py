"""How many examples a property is tried on."""

from __future__ import annotations

from hypothesis import settings


def examples(number: int) -> settings:
    """Return settings for so many examples; a profile that asks for more gets more of these too."""
    return settings(max_examples=number * settings().max_examples // 100)
