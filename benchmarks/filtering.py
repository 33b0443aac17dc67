"""Cost of rule filters and labels, and of the rules of `unfuse` and `mine`, relative to parsing, in CPU seconds.

usage: python benchmarks/filtering.py FOLDER

FOLDER has bisect_orig_visible.tsv (`long<TAB>s1 <SEP> s2`) and wmt_multiway_visible.tsv.gz (English sentences in
order). Every 50 pairs or sentences are parsed, then filtered or divided, so that all steps see the same machine load.
Required with the quickstart's parser: 3 % of parsing for all rule filters, 5 % for `mine`.
"""

import gc
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eval_pairs import COLUMNS, MULTIWAY, PUBLISHED, SYSTEM, rows

from bitext_pivot.alignments.screening.identify import LanguageScreen, odds_against
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.records import Pair, ParsedSentence, Sentence, Source
from bitext_pivot.discourse.coreference import RESOLVERS
from bitext_pivot.discourse.fusion.fused_documents import FusionSettings, unfuse_documents
from bitext_pivot.discourse.mining.candidates import CandidateSettings, find_candidates
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.view import View
from bitext_pivot.syntax.english_words import parts_of_speech
from bitext_pivot.syntax.labelling.categories import label_pair
from bitext_pivot.syntax.parsing import Parser, load_pipeline, parse_pairs, parse_texts

PAIRS = 1_000
Timed = Callable[[str, Callable[[], Any]], Any]


def divide_and_mine(sentences: list[Sentence], pipeline: Any, timed: Timed) -> None:
    """Parse some sentences, run the rules of DiscoFuse on them and look for markers."""
    parses = timed(
        "parsing", lambda: list(parse_texts([sentence.text for sentence in sentences], pipeline))
    )
    parsed = [
        ParsedSentence(sentence=sentence, parse=parse)
        for sentence, parse in zip(sentences, parses, strict=True)
    ]
    for fusion in (FusionSettings(profile="strict"), FusionSettings(profile="faithful")):
        work = partial(unfuse_documents, parsed, fusion, RESOLVERS[fusion.backend], Counter())
        timed(f"unfuse, {fusion.profile}", lambda work=work: list(work()))  # type: ignore[misc]
    is_in_other_language = partial(LanguageScreen().is_in_other_language, language="en")
    timed(
        "mine",
        lambda: list(find_candidates(parsed, CandidateSettings(), is_in_other_language, Counter())),
    )


def filter_and_label(pairs: list[Pair], pipeline: Any, timed: Timed) -> None:
    """Parse, filter and label some pairs."""
    filters = Filters(preset="strict")
    parsed, _ = timed("parsing", lambda: parse_pairs(pairs, pipeline))
    timed("all rule filters", lambda: filters.rule_scores(parsed))
    timed("categories", lambda: [label_pair(pair) for pair in parsed])
    views = timed("  words, for all of them", lambda: [View(pair) for pair in parsed])
    for name, rule in filters.active().items():
        if isinstance(rule, RuleFilter):
            timed(f"  {name}", partial(list, map(rule.measure, views)))


def measure(
    things: list[Any], work: Callable[[list[Any], Timed], None], what: str, size: int = 50
) -> None:
    """Do the work on `size` things at once, and print what each step took."""
    seconds = defaultdict[str, float](float)

    def timed(name: str, step: Callable[[], Any]) -> Any:
        start = time.process_time()
        result = step()
        seconds[name] += time.process_time() - start
        return result

    work(things[:size], timed)  # first calls are slow
    seconds.clear()
    for start in range(0, len(things), size):
        work(things[start : start + size], timed)
    print(f"\n{len(things)} {what}; CPU microseconds each, share of parsing")
    for name, total in seconds.items():
        print(f"{name:24}{total / len(things) * 1e6:10.1f}{total / seconds['parsing']:10.2%}")


def sentences_of(table: Path) -> list[Sentence]:
    """Return the English sentences of a table in order."""
    return [_sentence(row) for row in rows(table) if row["system"] == SYSTEM]


def _sentence(row: Mapping[str, str]) -> Sentence:
    document = f"{row['year']} {row['doc']}"
    return Sentence(
        id=f"{row['doc']}:{row['line']}",
        language="en",
        paragraph=1,
        position=int(row["line"]),
        text=row["en"],
        source=Source(corpus="WMT", release="", licence="", documents=(document,)),
    )


def main(folder: Path) -> None:
    """Print one line per step."""
    pipeline = load_pipeline(Parser(pipeline="quickstart/models/spacy-en-ud"), "en")
    # Both tables are loaded once per process, in 0.2 and 0.7 s.
    parts_of_speech("arise")
    odds_against("Where is it?", "en")
    gc.freeze()  # a collection of the loaded models would fall into one step or another by chance
    pairs = [
        line.pair for line in read_pairs(folder / PUBLISHED["orig"], "en", COLUMNS) if line.pair
    ]
    measure(
        pairs[:PAIRS],
        lambda chunk, timed: filter_and_label(chunk, pipeline, timed),
        "pairs",
    )
    sentences = sentences_of(folder / MULTIWAY)[: 2 * PAIRS]
    measure(sentences, lambda chunk, timed: divide_and_mine(chunk, pipeline, timed), "sentences")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
