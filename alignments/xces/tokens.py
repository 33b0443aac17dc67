"""Text out of tokens, for releases that OPUS has tokenised (`xml`); the door to sacremoses' detokeniser.

Tokens carry no spacing, so it is put back by rule: marks move to the word before them, brackets and quotes to the
inside, `L'` to the word after it in French and Italian, `'s` to the word before it in English. Lost is what no rule
knows: `10, 000` against `10,000`, a slash or dash with or without spaces, which of two single quotes opens, double and
no-break spaces. French `?`, `!`, `:` and `;` get the space before them that French has. sacremoses has rules of their
own for cs, en, fi, fr, ga, it and (by its script) Chinese and Japanese; every other language gets the general ones.
"""

from collections.abc import Callable


def detokenizer(language: str) -> Callable[[str], str]:
    """Return a function from tokens between white space to text, with the rules of a language (`fr`, `pt_BR`).

    Character references that a text spells out (`&amp;` after XML was decoded) stay as they are.
    """
    from sacremoses import MosesDetokenizer  # a third of a second, for a form of release that few builds read

    own, general = (MosesDetokenizer(lang) for lang in (language.partition("_")[0], ""))

    def detokenize(text: str) -> str:
        tokens = text.split()
        try:
            return str(own.detokenize(tokens, unescape=False))
        except TypeError:  # sacremoses 0.2 trips over its own Czech rule for `je-li`
            return str(general.detokenize(tokens, unescape=False))

    return detokenize
