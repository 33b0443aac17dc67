"""Words that exist nowhere (`filters/invented.py`) in human text: rows that it flags as if people were the translator.

usage: python benchmarks/invented.py LANGUAGE PIVOT MOSES.zip

Reads the 20,000 links of a Moses zip that a hash draws, the side in LANGUAGE as the translated one, and prints how many
are flagged and 30 of them.
"""

import sys
from pathlib import Path
from zipfile import ZipFile

from bitext_pivot.core.sampling import rank
from bitext_pivot.filters.invented import invented_words

DRAWN, SHOWN = 20_000, 30


def main(language: str, pivot: str, archive: str) -> None:
    """Print the rows of human text that have a word that exists nowhere."""
    sides = {}
    with ZipFile(archive) as members:
        for name in members.namelist():
            code = Path(name).suffix.removeprefix(".")
            if code in {language, pivot}:
                sides[code] = members.read(name).decode().split("\n")
    rows = list(enumerate(zip(sides[language], sides[pivot], strict=True)))
    drawn = sorted(rows, key=lambda row: rank(f"invented {row[0]}"))[:DRAWN]
    flagged = []
    for _, (text, source) in drawn:
        words = invented_words(text, source, (language, pivot))
        if words:
            flagged.append((words, text))
    print(f"{len(flagged)} of {len(drawn)} links flagged")
    for words, text in flagged[:SHOWN]:
        print(*words, text, sep=" | ")


if __name__ == "__main__":
    main(*sys.argv[1:])
