"""Detect text in another script than its language, even if it is too short to be identified."""

import functools

import regex  # type: ignore[import-untyped]

_SCRIPTS = {
    "ar": ("Arabic",), "bg": ("Cyrillic",), "el": ("Greek",), "fa": ("Arabic",), "he": ("Hebrew",),
    "hi": ("Devanagari",), "ja": ("Han", "Hiragana", "Katakana"), "ko": ("Hangul",), "mk": ("Cyrillic",),
    "ru": ("Cyrillic",), "sr": ("Cyrillic", "Latin"), "uk": ("Cyrillic",), "zh": ("Han", "Bopomofo"),
}  # fmt: skip
"""Scripts of the languages that are not written in Latin letters only."""
_MIN_LETTERS = 3  # letters of another script; `km` and `OK` have fewer
# letters of other scripts per letter of the language's script; names and loan words stay below it
_MAX_OTHER_SHARE = 3
# text with one kana per this many letters is Japanese, not Chinese with a Japanese name
_KANA_SHARE = 4
_MIN_HAN = 8  # Japanese text with this many Chinese characters also contains kana
# names and quotations: capitalized words, addresses, text in quotation marks
_NAMES = regex.compile(
    r"""\p{Lu}[\p{Lu}\p{Ll}\p{M}]* | \S*(?:@|/|\bwww\.)\S* | [«“„"「『《][^«»“”„"「」『』《》]*[»”"」』》]""",
    regex.VERBOSE,
)
_KANA, _HAN = regex.compile(r"[\p{Hiragana}\p{Katakana}]"), regex.compile(r"\p{Han}")


def is_in_other_script(text: str, language: str) -> bool:
    """Return True if a text is written in another script than its language.

    Names, quotations and loan words in another script are accepted: they count only if the text has no letter in the
    script of its language. Text with kana is not Chinese, and long text without kana is not Japanese.
    """
    if _is_chinese_or_japanese_confused(text, language):
        return True
    own, others = _letter_patterns(language)
    if len(others.findall(text)) < _MIN_LETTERS:
        return False
    if not own.search(text):
        return True
    rest = _NAMES.sub("", text)
    other = len(others.findall(rest))
    return other >= _MIN_LETTERS and other > _MAX_OTHER_SHARE * len(own.findall(rest))


def _is_chinese_or_japanese_confused(text: str, language: str) -> bool:
    if language == "zh":
        rest = _NAMES.sub("", text)
        kana = len(_KANA.findall(rest))
        return kana >= _MIN_LETTERS and _KANA_SHARE * kana >= kana + len(_HAN.findall(rest))
    if language == "ja":
        return not _KANA.search(text) and len(_HAN.findall(text)) >= _MIN_HAN
    return False


@functools.cache
def _letter_patterns(language: str) -> tuple[regex.Pattern[str], regex.Pattern[str]]:
    """Return patterns that match a letter of the language's scripts, and a letter of any other script."""
    own = "".join(rf"\p{{{script}}}" for script in _SCRIPTS.get(language, ("Latin",)))
    others = rf"[\p{{L}}--[{own}\p{{Common}}\p{{Inherited}}]]"
    return regex.compile(rf"[[{own}]&&\p{{L}}]", regex.VERSION1), regex.compile(
        others, regex.VERSION1
    )
