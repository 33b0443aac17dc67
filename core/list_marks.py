"""List marks: `1.`, `a.`, `IV.`, `1.1.`, `§ 1.`, `Article 1.` before the sentence that they belong to."""

import regex  # type: ignore[import-untyped]

VERSION = 1
"""Change it when other text is a list mark."""
_ROMAN = "[IVXLC]{1,7}|[ivxlc]{1,7}"
_MARK = regex.compile(
    rf"""[(\[]? (?:(?:§{{1,2}}|\p{{Lu}}\p{{L}}{{2,}}\.?) \ ? (?=[\dIVX]|\p{{Lu}}\.\d))?
    (?:\d{{1,3}}[a-z]?[º°ª]? | {_ROMAN} | \p{{L}}) (?:\.(?:\d{{1,3}}|[a-z]))* \ ? [.)\]]+ [º°ª]?""",
    regex.VERBOSE,
)


def is_list_mark(text: str) -> bool:
    """Return True if a text is a list mark and nothing else.

    >>> is_list_mark("1."), is_list_mark("Article 1."), is_list_mark("He met Louis XIV.")
    (True, True, False)
    """
    return _MARK.fullmatch(text.strip()) is not None


def with_list_marks(sentences: list[str]) -> list[str]:
    """Return sentences with each list mark that stands alone put in front of the next sentence."""
    joined: list[str] = []
    marks: list[str] = []
    for sentence in sentences:
        marks.append(sentence)
        if not is_list_mark(sentence):
            joined.append(" ".join(marks))
            marks.clear()
    return joined + [" ".join(marks)][: len(marks)]
