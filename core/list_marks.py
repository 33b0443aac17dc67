"""List marks, which precede the sentence they belong to: `1.`, `a.`, `IV.`, `1.1.`, `§ 1.`, `Article 1.`."""

import regex  # type: ignore[import-untyped]

VERSION = 1
"""Version of the rules. Increase it when other texts count as list marks."""
_ROMAN = "[IVXLC]{1,7}|[ivxlc]{1,7}"
_MARK = regex.compile(
    rf"""[(\[]? (?:(?:§{{1,2}}|\p{{Lu}}\p{{L}}{{2,}}\.?) \ ? (?=[\dIVX]|\p{{Lu}}\.\d))?
    (?:\d{{1,3}}[a-z]?[º°ª]? | {_ROMAN} | \p{{L}}) (?:\.(?:\d{{1,3}}|[a-z]))* \ ? [.)\]]+ [º°ª]?""",
    regex.VERBOSE,
)


def is_list_mark(text: str) -> bool:
    """Return True if a text consists of a list mark.

    >>> is_list_mark("1."), is_list_mark("Article 1."), is_list_mark("He met Louis XIV.")
    (True, True, False)
    """
    return _MARK.fullmatch(text.strip()) is not None


def with_list_marks(sentences: list[str]) -> list[str]:
    """Attach each list mark that was split off as a sentence to the sentence after it."""
    joined: list[str] = []
    parts: list[str] = []
    for sentence in sentences:
        parts.append(sentence)
        if not is_list_mark(sentence):
            joined.append(" ".join(parts))
            parts.clear()
    return joined + [" ".join(parts)][: len(parts)]
