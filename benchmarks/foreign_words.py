"""Count sentences of a treebank that filters take for foreign, and print the words that did it.

usage: python benchmarks/foreign_words.py LANGUAGE TREEBANK.conllu.gz...

`language`: sentences above its default threshold, each by itself. `untranslated`: words that it would find on one side
of a pair. Words that belong to the language are missing in its sections `function_words` and `untranslated`.
"""

import sys
from collections import Counter
from pathlib import Path

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.language import LanguageFilter, foreign_share
from bitext_pivot.filters.untranslated import foreign_words

sys.path.insert(0, str(Path(__file__).parents[1] / "quickstart" / "train"))

from conllu import read_treebank

_SHOWN = 40


def main(language: str, *paths: str) -> None:
    """Print what the filters find in treebanks of a language."""
    words = Counter[str]()
    number = 0
    foreign: list[Parse] = []
    for path in paths:
        for sentence in read_treebank(Path(path)):
            parse = sentence.parse
            tokens = set(parse.tokens)
            number += 1
            words.update(foreign_words(parse, tokens, " ".join(parse.tokens), language))
            if foreign_share(parse.tokens, tokens, language) > LanguageFilter().max_foreign:
                foreign.append(parse)
    print(f"language: {len(foreign)} of {number} sentences are taken for foreign")
    for parse in foreign:
        print(" ", " ".join(parse.tokens))
    print(f"untranslated: {words.total()} words in {number} sentences")
    for word, count in words.most_common(_SHOWN):
        print(f"  {count:4} {word}")


if __name__ == "__main__":
    main(*sys.argv[1:])
