"""Words as the Moses tokeniser has them, by its Python port sacremoses."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.errors import UsageError, how_to_install


class MosesWords:
    """Punctuation normalised and text tokenised as Moses does for a language; nothing escaped."""

    def __init__(self, language: str) -> None:
        try:
            import sacremoses
        except ImportError:
            raise UsageError(
                f"splitting {language!r} into words needs sacremoses; {how_to_install('moses')}"
            ) from None
        self._normalizer = sacremoses.MosesPunctNormalizer(language)
        self._tokenizer = sacremoses.MosesTokenizer(language)
        self._detokenizer = sacremoses.MosesDetokenizer(language)

    def tokenize(self, text: str) -> list[str]:
        """Return the words of a sentence."""
        plain = self._normalizer.normalize(text.replace("|", "/"))
        words = self._tokenizer.tokenize(plain, escape=False)
        return [part for word in words for part in word.split()]

    def detokenize(self, words: Sequence[str]) -> str:
        """Write words as a person would."""
        return str(self._detokenizer.detokenize(list(words), unescape=False))
