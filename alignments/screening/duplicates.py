"""Detect alignments that occur more than once in a corpus."""

import hashlib
import re
import unicodedata

from pydantic import Field

from bitext_pivot.core.records import Alignment
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.white_space import squeezed

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class DuplicateScreen(Settings):
    """Which alignments count as repetitions of an earlier alignment of the corpus."""

    enabled: bool = Field(default=True, title="On")
    """Skip alignments if the same three sentences occur in an earlier alignment of the same corpus."""
    ignore_numbers: bool = False
    """Also skip alignments that differ from an earlier alignment only in numbers, as in tables and laws."""

    def key(self, alignment: Alignment) -> bytes:
        """Return a 64-bit digest of the three sentences that ignores whitespace and Unicode normalization.

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
