"""Typographic quotes and apostrophes of tokenised text: which of their neighbours they are written together with.

The Moses tokenizer sets each of them apart (`It ’ s late`), others split words as with ASCII (`It ’s late`, `l’ été`).
An opening quote belongs to the token behind it, a closing one to the token before it. Which of both a quote is depends
on the quotes around it, and on the language: “ closes in German, ” opens in Finnish and Swedish, and French sets
guillemets apart.
"""

import unicodedata
from collections.abc import Iterator, Sequence

import regex  # type: ignore[import-untyped]

OPEN, CLOSE = "(", ")"
"""What stands for the quotes that were decided: a detokenizer joins brackets to what is inside them."""

_APOSTROPHE = "’"
_CONTRACTIONS = {"d", "ll", "m", "re", "s", "t", "ve"}
_SHORTENED = {"cause", "em", "n", "til", "tis", "twas"}  # ’em, ’tis, rock ’n’ roll
_DECADE = regex.compile(r"(\d\d)?\d0s")
_ELIDING = {"ca", "fr", "it"}  # l’été, dell’arte
_VOWELS = frozenset("aeiouyhœæ")

_DOUBLE, _SINGLE = "“”„", "‘’‚"
_KINDS = {
    **dict.fromkeys(_DOUBLE, _DOUBLE),
    **dict.fromkeys(_SINGLE, _SINGLE),
    **dict.fromkeys("«»", "«»"),
    **dict.fromkeys("‹›", "‹›"),
}
_GUILLEMETS = frozenset("«»‹›")
_APART = {"en", "fr"}  # « Oui »; English texts have them from French
_OPENING_SINGLE = "‘"
_ASCII = '"'
_CLOSERS = {"“": "”", "‘": "’"}
_SAME_ON_BOTH_SIDES = {"fi", "sv"}  # ”Kyllä”
_CLOSING_HIGH = {
    "bg",
    "cs",
    "de",
    "et",
    "is",
    "lt",
    "lv",
    "mk",
    "sk",
    "sl",
    "sq",
    "sr",
}  # „Ja“, ‚Ja‘
_POINTING_INWARDS = {"cs", "da", "de", "hr", "sk", "sl", "sr"}  # »Ja«
_END = frozenset(",.!?;:…)")


def join_apostrophes(tokens: Sequence[str], language: str) -> list[str]:
    """Return tokens in which apostrophes are part of their words: `It ’ s` becomes `It’s`.

    A token that may be a closing quote stays alone.
    """
    joined: list[str] = []
    is_quoted = False
    joins_next = False
    for place, (before, token, after) in enumerate(_with_neighbours(tokens)):
        is_closing_later = token == _APOSTROPHE and _APOSTROPHE in tokens[place + 1 :]
        left, right = _sides(
            token, before, after, language, can_close=is_quoted and not is_closing_later
        )
        if joined and (left or joins_next):
            joined[-1] += token
        else:
            joined.append(token)
        joins_next = right
        if token == _OPENING_SINGLE:
            is_quoted = True
        elif token == _APOSTROPHE and not (left or right):
            is_quoted = False
    return joined


def _with_neighbours(tokens: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each token between the one before it and the one after it, "" at both ends."""
    return zip(["", *tokens[:-1]], tokens, [*tokens[1:], ""], strict=True)


def _sides(
    token: str, before: str, after: str, language: str, *, can_close: bool
) -> tuple[bool, bool]:
    """Return if a token is written together with the token before it, and with the token after it."""
    if token == _APOSTROPHE:
        if language == "en":
            return _of_english(before, after, can_close=can_close)
        is_short = len(before) <= 2 or before.endswith("qu")
        is_elision = _is_elision(before, after, language) and (is_short or not can_close)
        return is_elision, is_elision
    if token.endswith(_APOSTROPHE):
        return False, _is_elision(token[:-1], after, language)
    return False, False


def _of_english(before: str, after: str, *, can_close: bool) -> tuple[bool, bool]:
    following = after.casefold()
    is_contraction = following in _CONTRACTIONS and (before[-1:].isalnum() or before == ")")
    is_name = (
        len(before) == 1 and before in "DLOdl" and after[:1].isalpha()
    )  # O’Neill, L’Oréal, chargé d’affaires
    if is_name and not is_contraction:
        return True, True
    if is_contraction or following in _SHORTENED or _DECADE.fullmatch(after):
        return False, True
    is_possessive = len(before) > 1 and before[-1] in "sS" and not can_close
    return is_possessive or before.casefold() == "n", False


def _is_elision(word: str, after: str, language: str) -> bool:
    """Return True if an apostrophe behind a word stands for a vowel before the next word: `l’ été`, not `po’ di`."""
    if not word.isalpha() or not after[:1].isalpha():
        return False
    if language == "ga":
        return len(word) <= 2
    return language in _ELIDING and unicodedata.normalize("NFD", after)[0].casefold() in _VOWELS


def as_brackets(tokens: Sequence[str], language: str) -> list[str]:
    """Return tokens as a detokenizer for ASCII joins them: OPEN and CLOSE for typographic quotes, `'s` for `’s`.

    A quote that may be either stays.
    """
    result: list[str] = []
    opened = dict.fromkeys(_KINDS.values(), "")
    for place, (before, token, _) in enumerate(_with_neighbours(tokens)):
        kind = _KINDS.get(token)
        opens = None
        if token == _ASCII:
            kind = _DOUBLE
            if opened[_DOUBLE] in {"", _ASCII}:
                opened[_DOUBLE] = "" if opened[_DOUBLE] else _ASCII
            elif _next_double(tokens[place + 1 :]) != "”":
                opens = False  # “Yes"
        elif kind is not None and not (token in _GUILLEMETS and language in _APART):
            opens = _opens(token, opened[kind], before, tokens[place + 1 :], language)
        if kind is not None and opens is not None:
            opened[kind] = token if opens else ""
            result.append(OPEN if opens else CLOSE)
        elif language == "en" and _is_contraction(token):
            result.append(token.replace(_APOSTROPHE, "'"))
        else:
            result.append(token)
    return result


def _is_contraction(token: str) -> bool:
    return token.startswith(_APOSTROPHE) and token[1:].casefold() in _CONTRACTIONS


def _next_double(tokens: Sequence[str]) -> str:
    for token in tokens:
        if token in _DOUBLE:
            return token
    return ""


def _opens(quote: str, opened: str, before: str, rest: Sequence[str], language: str) -> bool | None:
    """Return True for an opening quote, False for a closing one, None if that is not known.

    `opened` is the open quote of the same kind, `before` the token before the quote; they may be empty.
    """
    if quote in "„‚":
        return True
    if quote in _CLOSERS:
        return _opens_high(quote, opened, before, rest, language)
    if opened:
        return False
    if quote in _GUILLEMETS:
        return _opens_guillemets(quote, before, rest, language)
    return _opens_closer(quote, before, rest, language)


def _opens_high(quote: str, opened: str, before: str, rest: Sequence[str], language: str) -> bool:
    """Decide on “ and ‘, which open in most languages, and close behind „ and ‚ in some."""
    if opened in {"„", "‚"}:
        return False
    if _CLOSERS[quote] in rest:
        return True
    is_closing = bool(opened) or (bool(before) and language in _CLOSING_HIGH)
    return not is_closing


def _opens_guillemets(quote: str, before: str, rest: Sequence[str], language: str) -> bool:
    """Decide on guillemets where none is open: « and » open in different languages."""
    if quote in "»›":
        return any(token in _GUILLEMETS for token in rest)
    is_closed_later = any(token in {"»", "›"} for token in rest)
    return is_closed_later or not (before and language in _POINTING_INWARDS)


def _opens_closer(quote: str, before: str, rest: Sequence[str], language: str) -> bool | None:
    """Decide on ” and ’ where none is open: its partner may be in the sentence before."""
    if language in _SAME_ON_BOTH_SIDES:
        return before not in _END or rest.count(quote) % 2 == 1
    is_at_end = before in _END or not rest or rest[0] in _END
    return False if quote == "”" or is_at_end else None
