"""Check that the two sentences derived from a text have lost no word and have no unexpected new word.

Because the check compares words and uses neither the parse nor the rules, it can find errors of both.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

_DROPPED_WORDS = {"SINGLE_RELATIVE": 1, "SINGLE_CATAPHORA": 1}
"""Number of words that a rule drops in addition to the connective: the relative pronoun, or the -ing form."""
_ADDED_WORDS = {"SINGLE_APPOSITION": 1, "SINGLE_CATAPHORA": 2}
"""Number of new words that a rule adds: a form of *be*, or a finite verb and its auxiliary."""
_REPEATING_RULES = frozenset(
    {"SINGLE_RELATIVE", "SINGLE_APPOSITION", "SINGLE_CATAPHORA", "SINGLE_VP_COORD"}
)
"""Rules that repeat words of the text in the second sentence, such as a noun phrase or a subject."""
_POSSESSIVE = frozenset({"'s", "’s"})


def rejection_reason(
    text: Iterable[str], sentences: Iterable[str], discourse_type: str, connective: str
) -> str | None:
    """Return which words the sentences lost or gained that their rule does not explain, or None.

    `text` and `sentences` are tokenised alike. `discourse_type` is the DiscoFuse label of the rule that derived the
    sentences.
    """
    kind = discourse_type.removesuffix("_ANAPHORA")
    has_anaphor = discourse_type.endswith("ANAPHORA")
    before, after = _count_words(text), _count_words(sentences)
    lost = before - after - _count_words([connective])
    # a replaced pronoun may have occurred several times
    if has_anaphor and len(lost) <= _DROPPED_WORDS.get(kind, 0) + 1:
        lost = Counter()
    if lost.total() > _DROPPED_WORDS.get(kind, 0):
        return f"self-check: {'a word' if lost.total() == 1 else 'words'} lost"
    added = Counter({word: n for word, n in (after - before).items() if word not in _POSSESSIVE})
    is_repeated = kind in _REPEATING_RULES or has_anaphor
    new = Counter({word: n for word, n in added.items() if not (is_repeated and word in before)})
    return "self-check: words added" if new.total() > _ADDED_WORDS.get(kind, 0) else None


def _count_words(texts: Iterable[str]) -> Counter[str]:
    """Return the counts of words in tokenised texts, in lower case and without punctuation."""
    tokens = chain.from_iterable(text.lower().split() for text in texts)
    return Counter([token for token in tokens if token.isalnum() or any(map(str.isalnum, token))])
