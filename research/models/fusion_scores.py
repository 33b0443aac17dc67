"""Score sentence fusion by connective (DiscoFuse, Table 9), pronoun (Figure 3) and phenomenon (Tables 6 and 7)."""

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from bitext_pivot.research.metrics.comparison import metrics_of
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.segmentation import lowered
from bitext_pivot.research.models.data import TrainingExample

PRONOUNS = frozenset(
    "he she it they him her them his hers its their theirs himself herself itself themselves".split()
)
"""English pronouns that a fusion may use instead of a noun."""
_MARKS = ",.;:"


def fusion_scores(
    examples: Sequence[TrainingExample],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    scoring: Scoring,
) -> dict[str, Any]:
    """Score the outputs of one system.

    The result has five entries:

    * `exact`: the share of outputs equal to a reference, in percent.
    * `groups`: the share of exact outputs for each discourse phenomenon, in percent.
    * `group_sari`: SARI for each discourse phenomenon.
    * `connectives`: two counts for each connective. `rows` is the number of examples with this connective. `right` is
      the number of their outputs that contain it more often than the source.
    * `pronouns`: two counts for each pronoun. `rows` is the number of examples whose first reference adds the pronoun
      to the source. `right` is the number of their outputs that add it at least as often.
    """
    exact = [output in texts for output, texts in zip(outputs, references, strict=True)]
    groups = {group: rows for group, rows in _rows_by_group(examples).items() if group}
    return {
        "exact": _percent(exact),
        "groups": {group: _percent([exact[row] for row in rows]) for group, rows in groups.items()},
        "group_sari": {
            group: _sari(examples, outputs, references, scoring, rows)
            for group, rows in groups.items()
        },
        "connectives": _connectives(examples, outputs),
        "pronouns": _pronouns(examples, outputs, references),
    }


def _rows_by_group(examples: Sequence[TrainingExample]) -> dict[str, list[int]]:
    rows: dict[str, list[int]] = {
        group: [] for group in sorted({example.group for example in examples})
    }
    for number, example in enumerate(examples):
        rows[example.group].append(number)
    return rows


def _percent(hits: Iterable[bool]) -> float:
    return 100 * statistics.mean(hits)


def _sari(
    examples: Sequence[TrainingExample],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    scoring: Scoring,
    rows: Sequence[int],
) -> float:
    sources = [examples[row].source for row in rows]
    lines = [outputs[row] for row in rows]
    corpus = EvaluationCorpus.of(sources, [references[row] for row in rows], {"outputs": lines})
    sari = metrics_of(corpus, scoring)[0]
    return float(sari.corpus_score(lines, None).score)


def _connectives(
    examples: Sequence[TrainingExample], outputs: Sequence[str]
) -> dict[str, dict[str, int]]:
    hits: list[tuple[str, bool]] = []
    for example, output in zip(examples, outputs, strict=True):
        name = example.connective.lower().strip(f"{_MARKS} ")
        if name:
            hits.append((name, _times(name, output) > _times(name, example.source)))
    return _counted(hits)


def _times(connective: str, text: str) -> int:
    """Return how often a connective occurs in a text, ignoring punctuation between its words."""
    return f" {' '.join(_words(text))} ".count(f" {' '.join(_words(connective))} ")


def _pronouns(
    examples: Sequence[TrainingExample], outputs: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, dict[str, int]]:
    hits: list[tuple[str, bool]] = []
    for example, output, texts in zip(examples, outputs, references, strict=True):
        wanted = _added_pronouns(example.source, texts[0])
        given = _added_pronouns(example.source, output)
        hits += [(name, given[name] >= number) for name, number in wanted.items()]
    return _counted(hits)


def _added_pronouns(source: str, text: str) -> Counter[str]:
    added = Counter(_words(text)) - Counter(_words(source))
    return Counter({word: number for word, number in added.items() if word in PRONOUNS})


def _words(text: str) -> list[str]:
    return [word for word in lowered(text, "none") if word.strip(_MARKS)]


def _counted(hits: Sequence[tuple[str, bool]]) -> dict[str, dict[str, int]]:
    """Return, for each connective or pronoun, the number of rows with it and of correct outputs.

    The most frequent one comes first. `hits` holds, for each row, its name and whether the output is correct.
    """
    rows = Counter(name for name, _ in hits)
    right = Counter(name for name, is_right in hits if is_right)
    names = sorted(rows, key=lambda name: (-rows[name], name))
    return {name: {"rows": rows[name], "right": right[name]} for name in names}
