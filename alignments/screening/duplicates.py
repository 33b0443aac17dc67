"""Alignments that a corpus has more than once."""

import hashlib
import re
import unicodedata

from pydantic import Field

from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.white_space import squeezed

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class DuplicateScreen(Settings):
    """Which alignments repeat an earlier one of the corpus."""

    enabled: bool = Field(default=True, title="On")
    """Leave out alignments whose three sentences an earlier link of the same corpus has too."""
    ignore_numbers: bool = Field(default=False, title="Numbers are alike")
    """Also leave out alignments that differ from an earlier one in numbers only, as in tables and laws."""

    def key(self, alignment: Alignment) -> bytes:
        """Return a digest of 64 bits of the three texts; spacing and Unicode normalization do not change it.

        Among 20 million different alignments, two have the same key with a probability of about 1 in 100,000.
        """
        text = "\x1f".join(
            (alignment.one_language, *map(_normalize, (alignment.one, *alignment.two)))
        )
        if self.ignore_numbers:
            text = _NUMBER.sub("0", text)
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _normalize(text: str) -> str:
    return squeezed(unicodedata.normalize("NFC", text))
