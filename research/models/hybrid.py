"""Hybrid targets for BiSECT's adaptive loss: the source, edited only near the split (EMNLP 2021, section 4.3).

The paper's delta is 1 for tokens that should come from the reference and 0 for tokens that should be copied from the
source. Because delta is binary, the adaptive loss equals the cross-entropy with a target that mixes both texts.
"""

from bitext_pivot.core.records import Category
from bitext_pivot.research.models.split_texts import is_spaced, words
from bitext_pivot.syntax.labelling.edits import direct_insertion_target, find_edit_window

Split = tuple[str, str]


def hybrid(long: str, split: Split, category: Category, split_at: int | None) -> Split:
    """Return the two sentences that a network learns for a long sentence with the adaptive loss.

    In the category Changes Near Split, the text around the split that differs comes from the reference, `split`, and
    all other text is copied from the source, `long`. In the category Direct Insertion, the source is cut at `split_at`,
    an offset in characters. For any other category, the target is the reference.
    """
    if category == "Changes Near Split":
        return _near(long, split)
    if category == "Direct Insertion" and split_at is not None:
        return _inserted(long, split_at)
    return split


def _near(long: str, split: Split) -> Split:
    source, first, second = words(long), words(split[0]), words(split[1])
    window = find_edit_window(*([word[0] for word in side] for side in (source, first, second)))
    if window is None:
        return split
    begin = source[window.old_start].start() if window.old_start < len(source) else len(long)
    end = source[window.old_end].start() if window.old_end < len(source) else len(long)
    left = split[0][first[window.new_start].start() :] if window.new_start < len(first) else ""
    stop = window.new_end - len(first) - 1
    right = split[1][: second[stop - 1].end()] if stop > 0 else ""
    return _side(long[:begin], left), _side(right, long[end:])


def _side(left: str, right: str) -> str:
    """Join two parts of a sentence, with a space unless the right part begins with punctuation."""
    is_apart = left and right and not left[-1].isspace() and right[0].isalnum()
    return f"{left}{' ' * bool(is_apart)}{right}".strip()


def _inserted(long: str, split_at: int) -> Split:
    tokens = words(long)
    at = sum(token.start() < split_at for token in tokens)
    left, right = direct_insertion_target([token[0] for token in tokens], at)
    kept = len(left) - 1  # without the full stop at the end
    first = long[: tokens[kept - 1].end()] if kept else ""
    second = long[tokens[at].start() :] if at < len(tokens) else ""
    for token, capital in zip(tokens[at:], right, strict=True):
        if token[0] != capital:
            place = token.start() - tokens[at].start()
            second = second[:place] + capital[0] + second[place + 1 :]
    return f"{first}{' ' * is_spaced(long)}.", second
