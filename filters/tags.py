"""Reject pairs with text that is not part of the sentence, such as markup and mojibake.

The filter also finds escapes and the language codes of speakers.

This filter is not in the BiSECT paper. A tenth of the 1-2 and 2-1 links of Europarl have a language code, such as `-
(DE)` before a speech, which an engine translates with the rest. The same code inside a sentence, as in `Finland (FI)`,
is not counted. The patterns for markup and escapes are in core/text_damage.toml.
"""

import re
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.text_damage import is_mojibake, markup_start
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_CODES = "BG|CS|DA|DE|EL|EN|ES|ET|FI|FR|GA|HR|HU|IT|LT|LV|MT|NL|PL|PT|RO|SK|SL|SV"
_CODE = re.compile(rf"[(\[]\s?(?:{_CODES})\s?[)\]]")
"""A language code in brackets, as in `(DE)`."""
_SPEECH_STARTS = re.compile(r"(?:\A\W*|[.:!?…–—-]\s*)\Z")
"""The text that precedes the language code of a speaker: only punctuation, the end of a sentence, or a dash."""


class TagsFilter(RuleFilter):
    """The number of sentences with a language code of a speaker, markup, an escape or mojibake."""

    VERSION: ClassVar[int] = 4
    max_sentences: int = Field(default=0, title="Maximum sentences", ge=0, le=3)
    """Maximum number of sentences of a pair with a language code, markup, an escape sequence or mojibake."""

    def measure(self, pair: View) -> float:
        """Return the number of sentences with a code, markup, an escape or mojibake, 0 to 3."""
        return sum(_is_tagged(text) for text in pair.texts)


def _is_tagged(text: str) -> bool:
    if is_mojibake(text) or markup_start(text) is not None:
        return True
    return any(_SPEECH_STARTS.search(text[: code.start()]) for code in _CODE.finditer(text))
