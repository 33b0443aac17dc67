"""The languages of the form: those of OPUS with a two-letter ISO 639-1 code."""

from typing import Literal

from bitext_pivot.core.errors import SettingsError

Language = Literal[
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl", "he", "hi", "hr",
    "hu", "id", "is", "it", "ja", "ko", "lt", "lv", "mk", "mt", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
    "sr", "sv", "tr", "uk", "vi", "zh",
]  # fmt: skip

NAMES = {
    "arabic": "ar", "bulgarian": "bg", "catalan": "ca", "czech": "cs", "danish": "da", "german": "de", "greek": "el",
    "english": "en", "spanish": "es", "estonian": "et", "basque": "eu", "persian": "fa", "finnish": "fi",
    "french": "fr", "irish": "ga", "galician": "gl", "hebrew": "he", "hindi": "hi", "croatian": "hr",
    "hungarian": "hu", "indonesian": "id", "icelandic": "is", "italian": "it", "japanese": "ja", "korean": "ko",
    "lithuanian": "lt", "latvian": "lv", "macedonian": "mk", "maltese": "mt", "dutch": "nl", "norwegian": "no",
    "polish": "pl", "portuguese": "pt", "romanian": "ro", "russian": "ru", "slovak": "sk", "slovenian": "sl",
    "albanian": "sq", "serbian": "sr", "swedish": "sv", "turkish": "tr", "ukrainian": "uk", "vietnamese": "vi",
    "chinese": "zh",
}  # fmt: skip
"""English names of the languages, lower case, with their codes."""


def check_different(first: str, second: str) -> None:
    """Raise SettingsError if both sides of a language pair are the same language."""
    if first == second:
        raise SettingsError(f"Both languages are {first!r}: name two different ones.")
