"""Detokenise releases that OPUS has tokenised (`xml`), with sacremoses.

Spaces are restored by rules for cs, en, fi, fr, ga, it, Chinese and Japanese, and general rules for all other
languages. Not restored: spaces at typographic quotes and apostrophes, `10,000` from `10, 000`, spaces around slashes
and dashes, directions of ASCII single quotes, `wo n’t` of Penn tokenizers, double and no-break spaces.
"""

from collections.abc import Callable

from bitext_pivot.core.white_space import squeezed


def make_detokenizer(language: str) -> Callable[[str], str]:
    """Return a function from tokens separated by spaces to text, for a language such as `fr`.

    Character references in the text (`&amp;` after XML was decoded) are not changed.
    """
    from sacremoses import MosesDetokenizer  # takes 0.3 s, and few builds need it

    language_rules, general_rules = (MosesDetokenizer(lang) for lang in (language, ""))

    def detokenize(text: str) -> str:
        tokens = squeezed(text).split()
        try:
            return str(language_rules.detokenize(tokens, unescape=False))
        except TypeError:  # sacremoses 0.2 fails in its Czech rule for `je-li`
            return str(general_rules.detokenize(tokens, unescape=False))

    return detokenize
