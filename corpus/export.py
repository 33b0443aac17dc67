"""Files of a data set: JSON lines, BiSECT's own pair of files, and the rejected pairs with the reason.

`pairs.jsonl` has one kept pair a line; `pairs.src` / `pairs.dst` are line-aligned, `<SEP>` between the two sentences
(the format of the BiSECT release); `rejected.parquet` holds whole judged records.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from pairs.records import Alignment, JudgedPair
from pairs.storage import atomic, shards

SEPARATOR = "<SEP>"
FILES = ("pairs.jsonl", "pairs.src", "pairs.dst", "rejected.parquet")


def export(folder: Path, judged: Iterable[JudgedPair]) -> dict[str, Counter[str]]:
    """Write the four data files into `folder`, each atomically, and count what went where.

    Returns counters `rejected` (by filter), `category`, `category_bisect` and `construction` (of kept pairs), and
    `skipped`: pairs whose own text has `<SEP>` or a line break are left out of the two-file format, where these are
    separators.
    """
    labels = ("category", "category_bisect", "construction")
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("rejected", *labels, "skipped")}
    with ExitStack() as stack:
        lines, src, dst = (_open(stack, folder / name) for name in FILES[:3])

        def rejected() -> Iterator[JudgedPair]:
            for pair in judged:
                if pair.rejected_by is not None:
                    counts["rejected"][pair.rejected_by] += 1
                    yield pair
                    continue
                lines.write(json_line(row(pair)))
                _two_files(pair, src, dst, counts["skipped"])
                for name in labels:
                    counts[name][getattr(pair, name)] += 1

        shards.write(folder / FILES[3], JudgedPair, rejected())
    return counts


def row(judged: JudgedPair) -> dict[str, Any]:
    """Return a kept pair as the JSON object of one line of `pairs.jsonl`."""
    pair = judged.pair
    return {
        "id": pair.id,
        "language": pair.language,
        "long": pair.long,
        "split": list(pair.split),
        "category": judged.category,
        "category_bisect": judged.category_bisect,
        "construction": judged.construction,
        "split_at": character(judged),
        "pivot": pair.pivot,
        "translated": pair.translated,
        "engine": pair.engine,
        **(provenance(pair.alignment) if pair.alignment else {}),
        "scores": {name: round(score, 6) for name, score in sorted(judged.scored.scores.items())},
    }


def provenance(alignment: Alignment) -> dict[str, Any]:
    """Return where a pair comes from, by language where there are two sides."""
    one, two = alignment.one_language, alignment.two_language
    return {
        "corpus": alignment.corpus,
        "release": alignment.release,
        "documents": {one: alignment.one_document, two: alignment.two_document},
        "sentence_ids": {one: [alignment.one_id], two: list(alignment.two_ids)},
        "link": alignment.attributes,
        "licence": alignment.licence,
    }


def character(judged: JudgedPair) -> int | None:
    """Return the offset in `long` at which the split falls, `long[:offset]` being the first part, or None."""
    return None if judged.split_at is None else judged.scored.parsed.long.starts[judged.split_at]


def json_line(value: dict[str, Any]) -> str:
    """Return one line of JSON; line breaks of Unicode stay escaped so that every reader agrees on lines."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029") + "\n"


def _open(stack: ExitStack, path: Path) -> TextIO:
    partial = stack.enter_context(atomic.replacing(path))
    return stack.enter_context(partial.open("w", encoding="utf-8", newline="\n"))


def _two_files(judged: JudgedPair, src: TextIO, dst: TextIO, skipped: Counter[str]) -> None:
    texts = (judged.pair.long, *judged.pair.split)
    if any(SEPARATOR in text or len(text.splitlines()) > 1 for text in texts):
        skipped["not in pairs.src: <SEP> or a line break in the text"] += 1
        return
    src.write(texts[0] + "\n")
    dst.write(f"{texts[1]} {SEPARATOR} {texts[2]}\n")
