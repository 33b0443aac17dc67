"""In which language a text is, or rather: whether another language is far likelier than the expected one.

The identifier is py3langid (why: docs/decisions/0014); this is the only file that imports it. Its model lies in the
package, so nothing is downloaded.
"""

import functools
import importlib.metadata
import re
from typing import get_args

from py3langid.langid import MODEL_FILE, LanguageIdentifier
from pydantic import Field

from pairs.errors import SettingsError
from pairs.languages import Language
from pairs.records import Alignment
from pairs.settings import Settings

_KIN = {"hr": frozenset({"sr"}), "sr": frozenset({"hr"})}
"""Written languages that no identifier tells apart by a sentence; neither speaks against the other."""
_WORD = re.compile(r"[^\W\d_]+")


class LanguageCheck(Settings):
    """Whether both sides are in their languages."""

    enabled: bool = Field(
        default=True,
        title="On",
        description="Leave out alignments with a sentence in another language, or the same text on both sides.",
    )
    odds: float = Field(
        default=20.0,
        ge=2.0,
        le=1e6,
        title="Odds",
        description="A sentence is in another language when the identifier finds that language this many times as "
        "likely as the expected one. Lower: more is found, and more that was right is lost.",
    )
    min_letters: int = Field(
        default=15,
        ge=1,
        le=1000,
        title="Fewest letters",
        description="A sentence with fewer letters outside of capitalized words is not judged and passes: it is too "
        "short, or names and numbers.",
    )

    def fault(self, alignment: Alignment) -> str | None:
        """Return `same text on both sides`, `other language` or None."""
        if not self.enabled:
            return None
        if _same_text(alignment):
            return "same text on both sides"
        sides = ((alignment.one, alignment.one_language), *((text, alignment.two_language) for text in alignment.two))
        return "other language" if any(self.is_foreign(text, language) for text, language in sides) else None

    def judges(self, alignment: Alignment) -> bool:
        """Whether all three sentences are judged; true where nothing is to be judged, the check being off."""
        return not self.enabled or all(map(self.can_tell, (alignment.one, *alignment.two)))

    def is_foreign(self, text: str, language: str) -> bool:
        """Whether a text is certainly not in `language`; one that is too short to tell is not."""
        return self.can_tell(text) and odds_against(text, language) >= self.odds

    def can_tell(self, text: str) -> bool:
        """Whether a text has letters enough outside of capitalized words."""
        return evidence(text) >= self.min_letters


def check_known(language: str) -> None:
    """Raise SettingsError when the identifier does not know a language (a code such as `pt_BR` counts as `pt`)."""
    if _base(language) not in get_args(Language):
        raise SettingsError(
            f"The language check does not know {language!r}; it knows {', '.join(get_args(Language))}. "
            "Switch the check off (screening.language.enabled) or correct the language."
        )


def odds_against(text: str, language: str) -> float:
    """Return how many times as likely the likeliest other language is as `language`; below 1 when none is likelier.

    The rivals are the languages of `pairs.languages`. The ratio of two probabilities tells wrong texts from right ones
    far better than either of them (docs/decisions/0014).
    """
    expected = _base(language)
    chances = dict(_identifier().rank(text))
    own = chances.pop(expected)
    rival = max(chance for name, chance in chances.items() if name not in _KIN.get(expected, ()))
    return rival / own if own > 0 else float("inf")


def evidence(text: str) -> int:
    """Count the letters of a text that are not in capitalized words.

    >>> evidence("Mrs Ashton met Mr Barroso."), evidence("Then it rained.")
    (3, 8)
    """
    return sum(len(word) for word in _WORD.findall(text) if not word[0].isupper())


def signature() -> str:
    """Tell what identifies languages, for the key of what it screened."""
    return f"py3langid {importlib.metadata.version('py3langid')}"


@functools.cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(get_args(Language))
    return identifier


def _base(language: str) -> str:
    return re.split("[_-]", language, maxsplit=1)[0]


def _same_text(alignment: Alignment) -> bool:
    """Whether one side repeats the other, or a half of it, letter by letter."""
    one = _letters(alignment.one)
    first, second = map(_letters, alignment.two)
    return bool(one) and one in {first, second, first + second}


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()
