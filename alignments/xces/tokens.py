"""Detokenise releases that OPUS has tokenised (`xml`), with sacremoses.

Spaces are restored by rules for cs, en, fi, fr, ga, it, Chinese and Japanese, and general rules for all other
languages; at typographic quotes and apostrophes by quotes.py. Not restored: `10,000` from `10, 000`, spaces around
slashes and dashes, directions of ASCII single quotes, `wo n’t` of Penn tokenizers, apostrophes inside words of other
languages than ca, en, fr, ga and it (`foto ’ s`), guillemets in English, feet and inches, double and no-break spaces.
"""

from collections.abc import Callable, Sequence

import regex  # type: ignore[import-untyped]

from bitext_pivot.alignments.xces import quotes
from bitext_pivot.core.white_space import squeezed

_CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}\u3000-\u303f\uff00-\uffef]"
_SPACE_OF_CJK = regex.compile(f"(?<={_CJK}) (?=[“‘])|(?<=[”’]) (?={_CJK})")
_HYPHEN = " @-@ "  # of Moses' tokenizer


def detokenizer(language: str) -> Callable[[str], str]:
    """Return a function from tokens separated by spaces to text, for a language such as `fr`.

    Character references in the text (`&amp;` after XML was decoded) are not changed.
    """
    from sacremoses import MosesDetokenizer  # takes 0.3 s, and few builds need it

    language_rules, general_rules = (MosesDetokenizer(lang) for lang in (language, ""))

    def spaced(tokens: Sequence[str]) -> str:
        try:
            return str(language_rules.detokenize(tokens, unescape=False))
        except TypeError:  # sacremoses 0.2 fails in its Czech rule for `je-li`
            return str(general_rules.detokenize(tokens, unescape=False))

    def detokenize(text: str) -> str:
        tokens = _without_hyphens(text).split()
        if text.isascii():
            return spaced(tokens)
        tokens = quotes.join_apostrophes(tokens, language)
        detokenized = _with_characters(spaced(quotes.as_brackets(tokens, language)), tokens)
        return str(_SPACE_OF_CJK.sub("", detokenized))

    return detokenize


def _without_hyphens(text: str) -> str:
    """Return tokens with `-` in place of the token `@-@`, which is written together with its neighbours."""
    text = f" {squeezed(text)} "
    while _HYPHEN in text:
        text = text.replace(_HYPHEN, "-")
    return text


def _with_characters(spaced: str, tokens: Sequence[str]) -> str:
    """Return a text with the characters of tokens, which differ from its own in quotes, and its own spaces."""
    characters = iter("".join(tokens))
    return "".join(" " if character == " " else next(characters) for character in spaced)
