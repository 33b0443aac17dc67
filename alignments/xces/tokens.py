"""Detokenise releases that OPUS offers in tokenised form only (`xml`), with sacremoses.

sacremoses has detokenisation rules for cs, en, fi, fr, ga, it, Chinese and Japanese, and general rules for all other
languages. The rules do not restore spaces at typographic quotes and apostrophes, `10,000` from `10, 000`, spaces around
slashes and dashes, the directions of ASCII single quotes, `won’t` from `wo n’t` of Penn tokenizers, and double and
no-break spaces.
"""

from collections.abc import Callable

from bitext_pivot.core.white_space import squeezed


def make_detokenizer(language: str) -> Callable[[str], str]:
    """Return a function that detokenises text of a language such as `fr`.

    The tokens must be separated by spaces. Character references that are left in the text after XML decoding, such as
    `&amp;`, are not changed.
    """
    from sacremoses import MosesDetokenizer  # imported here: it takes 0.3 s, and few builds need it

    language_rules, general_rules = (MosesDetokenizer(lang) for lang in (language, ""))

    def detokenize(text: str) -> str:
        tokens = squeezed(text).split()
        try:
            return str(language_rules.detokenize(tokens, unescape=False))
        except TypeError:  # sacremoses 0.2 fails in its Czech rule for `je-li`
            return str(general_rules.detokenize(tokens, unescape=False))

    return detokenize
