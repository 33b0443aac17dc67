"""Format pairs as examples in Markdown, with the differences between the long sentence and its split."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, groupby

from bitext_pivot.core.records import CATEGORIES, JudgedPair, Parse
from bitext_pivot.core.tables import escape
from bitext_pivot.core.templates import render
from bitext_pivot.syntax.labelling.diffs import align_split, is_word

LEGEND = (
    "~~Struck out~~: words of the long sentence that are missing from the split. **Bold**: words that are new in the "
    "split. ‖: the split point."
)


def examples_page(title: str, examples: Mapping[str, Sequence[str]]) -> str:
    """Return a Markdown page with examples of each category of splits."""
    text = render(
        "corpus/examples.jinja",
        title=title,
        legend=LEGEND,
        categories=CATEGORIES,
        examples=examples,
    )
    return f"{text}\n"


def format_example(judged: JudgedPair, shown: Sequence[str] = ()) -> str:
    """Return a pair in Markdown, with the filter scores that `shown` names.

    Words that only `long` has are struck out. Words that only the split has are bold.
    """
    parsed, pair = judged.scored.parsed, judged.pair
    gone, new = find_changes(*(parse.tokens for parse in parsed.parses))
    first, second = new[: len(parsed.split[0].tokens)], new[len(parsed.split[0].tokens) :]
    values = judged.scored.scores
    scores = ", ".join(f"{name} {values[name]:.2f}" for name in shown if name in values)
    lines = [
        escape(pair.id),
        mark_words(pair.long, parsed.long, gone, "~~", judged.split_at),
        f"1. {mark_words(pair.split[0], parsed.split[0], first, '**')}",
        f"2. {mark_words(pair.split[1], parsed.split[1], second, '**')}",
        f"{judged.category}, {escape(judged.construction)}, category_bisect {judged.category_bisect}, {escape(scores)}",
    ]
    return "\n\n".join(lines)


def find_changes(
    long: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> tuple[list[bool], list[bool]]:
    """Return which tokens of `long` the split lacks, and which tokens of the split are new.

    Each list has one value per token. The second list covers the tokens of `first`, then those of `second`.
    """
    blocks, _ = align_split(
        [token.lower() for token in long], *([t.lower() for t in half] for half in (first, second))
    )
    gone, new = [False] * len(long), [False] * (len(first) + len(second) + 1)
    for block in blocks:
        if block.kind == "-":
            gone[block.old_start : block.old_end] = [True] * (block.old_end - block.old_start)
        elif block.kind == "+":
            new[block.new_start : block.new_end] = [True] * (block.new_end - block.new_start)
    del new[len(first)]  # the border between the halves, which is not a token
    return gone, new


def mark_words(
    text: str, parse: Parse, flags: Sequence[bool], mark: str, split_at: int | None = None
) -> str:
    """Return a text as Markdown, with `mark` around changed words and ‖ at the split point.

    `flags` is True for each token that changed. Tokens without a space between them are marked together, because
    Markdown ignores a mark inside a word. Punctuation that changed alone is not marked.
    """
    border = len(parse.tokens) if split_at is None else split_at
    changed = _whole_words(parse, flags, border)
    pieces: list[str] = []
    for (flag, is_second), run in groupby(
        range(len(flags)), lambda position: (changed[position], position >= border)
    ):
        positions = list(run)
        start, end = parse.starts[positions[0]], _end(parse, positions[-1])
        piece = escape(" ".join(text[start:end].split()))
        pieces.append(" " * (positions[0] > 0 and start > _end(parse, positions[0] - 1)))
        pieces.append("‖ " * (is_second and 0 < positions[0] == border))
        pieces.append(f"{mark}{piece}{mark}" if flag else piece)
    return "".join(pieces)


def _whole_words(parse: Parse, flags: Sequence[bool], border: int) -> list[bool]:
    """Return flags that extend each changed word to adjacent tokens, up to a space or `border`."""
    glued = [
        position != border and parse.starts[position] == _end(parse, position - 1)
        for position in range(1, len(flags))
    ]
    chunks = list(accumulate([0, *(not together for together in glued)])) if flags else []
    hit = {
        chunk
        for chunk, flag, token in zip(chunks, flags, parse.tokens, strict=True)
        if flag and is_word(token)
    }
    return [chunk in hit for chunk in chunks]


def _end(parse: Parse, position: int) -> int:
    return parse.starts[position] + len(parse.tokens[position])
