"""The counts of a build and the README of the data set, made from what ran."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from corpus import rebuild
from corpus.citation import bibtex, signature_line
from pairs.records import Category
from pairs.tables import markdown_table

CATEGORIES: tuple[Category, ...] = ("Direct Insertion", "Changes Near Split", "Changes Across Sentence")
PLOTS = {
    "funnel": "Pairs that entered and left each stage",
    "categories": "Kept pairs by corpus and category",
    "lengths": "Lengths of kept pairs in tokens",
    "length-ratio": "Tokens of both sentences per token of the long one, kept pairs",
    "scores": "Scores of kept and rejected pairs, with thresholds",
}
"""Captions of the plots, by the names of their files: `plots/funnel.png`, `plots/funnel.svg`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One line of the funnel: what came in, what went on, and why the rest did not."""

    name: str
    entered: int
    left: int
    lost: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """All counts of one build, and the signature of what ran."""

    signature: dict[str, Any]
    corpora: dict[str, dict[str, Any]]
    """By `name/release`: licence, links, link shapes, checksum."""
    funnel: list[Stage]
    subset: dict[str, int]
    """Pairs of each set: train, validation, test."""
    category: dict[str, int]
    category_bisect: dict[str, int]
    construction: dict[str, int]
    distributions: dict[str, Any] = field(default_factory=dict)
    """Counts by score, length and corpus, for the plots (corpus/distributions.py)."""
    by_corpus: dict[str, dict[str, int]] = field(default_factory=dict)
    """Of kept pairs by `name/release`: pairs, tokens of both sides, sum of the shares of new tokens in millionths."""
    licence: dict[str, int] = field(default_factory=dict)
    """Kept pairs by licence."""
    translated: dict[str, int] = field(default_factory=dict)
    """Kept pairs by the side that is machine-translated: `long` or `split`."""
    construction_by_category: dict[str, dict[str, int]] = field(default_factory=dict)
    unique: dict[str, int] = field(default_factory=dict)
    """Different texts among the kept pairs: `long` and `split`."""

    @property
    def kept(self) -> int:
        """Pairs in the data set."""
        return sum(self.category.values())

    @property
    def candidates(self) -> int:
        """Alignments of shape 1-2 or 2-1 that entered translation."""
        return next((stage.entered for stage in self.funnel if stage.name == "translate"), 0)

    @property
    def categories(self) -> list[tuple[Category, int, int]]:
        """Each category with its pairs by the paper's definitions and by the released code."""
        return [(name, self.category.get(name, 0), self.category_bisect.get(name, 0)) for name in CATEGORIES]

    def plain(self) -> dict[str, Any]:
        """Return the JSON object of `stats.json`."""
        return asdict(self)

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> "Statistics":
        """Return the statistics in the JSON object `plain`."""
        return cls(**{**plain, "funnel": [Stage(**stage) for stage in plain["funnel"]]})


def funnel(
    links: Mapping[str, int], skips: Mapping[str, Counter[str]], rows: Mapping[str, int], rejected: Mapping[str, int]
) -> list[Stage]:
    """Return the funnel from counts by stage.

    `links` by shape, `skips` by stage and reason, `rows` by stage (extract, translate, parse, score), `rejected` by
    filter in the order of the chain. The numbers must add up: what enters a stage is what the one before it let go.
    """
    others = {f"shape {shape}": number for shape, number in sorted(links.items()) if shape not in {"1-2", "2-1"}}
    stages = [Stage(name="extract", entered=sum(links.values()), left=rows["extract"], lost=others | skips["extract"])]
    for before, name in (("extract", "translate"), ("translate", "parse"), ("parse", "score")):
        stages.append(Stage(name=name, entered=rows[before], left=rows[name], lost=dict(skips[name])))
    left = rows["score"]
    for name, number in rejected.items():
        stages.append(Stage(name=f"filter {name}", entered=left, left=left - number))
        left -= number
    return stages


def readme(title: str, statistics: Statistics, inspected: str) -> str:
    """Return the data set's README in Markdown: what it is, the funnel, the licences, the signature.

    `inspected` says in a sentence which pairs the inspector has.
    """
    pairs, candidates = statistics.kept, statistics.candidates
    minimum = statistics.signature.get("min_confidence")
    line = signature_line(statistics.signature, statistics.corpora)
    share = f" ({pairs / candidates:.1%} of {candidates} candidate alignments)" if candidates else ""
    parts = [
        f"# {title}",
        f"{pairs} pairs `long -> (s1, s2)`{share}, built by bitext-pivot in the style of BiSECT "
        "(Kim et al., EMNLP 2021). Its signature, to quote with results:",
        f"```text\n{line}\n```",
        "`pairs`: the pairs, with categories, construction, scores and source. `rejected`: rejected pairs, with the "
        "filter that rejected them. `alignments.md`: what was read of each corpus. `examples.md`: some pairs of each "
        "category, with their differences. `tables.md` and `tables.tex`: the BiSECT paper's tables for these pairs, "
        f"beside published figures. `inspector.html`: a page to search, filter and read pairs. {inspected} "
        "`stats.json`: every count below, for programs. `manifest.json`: size, SHA-256 and rows of every file.",
        '```python\nfrom datasets import load_dataset\n\npairs = load_dataset("FOLDER")\n'
        'rejected = load_dataset("FOLDER", "rejected")\n```',
        "## Funnel",
        markdown_table(
            ("stage", "in", "out", "lost"), [(s.name, s.entered, s.left, _reasons(s.lost)) for s in statistics.funnel]
        ),
        "## Sets",
        markdown_table(("set", "pairs"), list(statistics.subset.items())),
        "A document is in one set as a whole. The line `divide` of the funnel counts pairs that were rejected because "
        "another set or a foreign test set has their text.",
        *_absent(statistics),
        *([f"Minimum confidence of a translation: {minimum}."] if minimum else []),
        "## Categories",
        "`category` follows the paper's definitions. `category_bisect` follows the rules of BiSECT's released code: "
        "train the paper's adaptive loss with it.",
        markdown_table(("category", "category: pairs", "category_bisect: pairs"), statistics.categories),
        markdown_table(("construction", "pairs"), commonest(statistics.construction)),
        "## Plots",
        *(f"![{caption}](plots/{name}.png)" for name, caption in PLOTS.items()),
        "## Sources and licences",
        markdown_table(
            ("corpus", "licence", "where that is stated", "links", "sha256 of the source"),
            [
                (name, facts["licence"], facts["grounds"], facts["links"], facts["sha256"][:16])
                for name, facts in statistics.corpora.items()
            ],
        ),
        markdown_table(("licence", "pairs"), commonest(statistics.licence)),
        "Each row names its licence. `unknown`: the corpus states none; ask before you pass it on.",
        *_models(statistics.signature),
        "## Known limits",
        _limits(statistics),
        "## Cite",
        "Cite the method, OPUS, and each corpus as its page on https://opus.nlpl.eu asks.",
        f"```bibtex\n{bibtex(line, 'kim-etal-2021-bisect')}```",
        rebuild.section(statistics.signature),
    ]
    return "\n\n".join(parts) + "\n"


def _absent(statistics: Statistics) -> list[str]:
    """Return what `load_dataset` does not find because it has no pairs."""
    if not statistics.kept:
        return ['No pair was kept, so there is no `pairs`: `load_dataset("FOLDER")` can only find rejected pairs.']
    sets = [f"`{name}`" for name, pairs in statistics.subset.items() if not pairs]
    return [f"`load_dataset` does not have {' and '.join(sets)} of the kept pairs: there are none."] if sets else []


def _models(signature: Mapping[str, Any]) -> list[str]:
    """Return the section of what made and judged the pairs."""
    models = signature.get("models", {})
    rows = [("translation", signature.get("engine")), ("parser", signature.get("parser"))]
    rows += [(name, text) for name, text in signature.get("filters", {}).items() if text != name]
    commits = [f"{model['model']}@{model['revision']}" for model in models.values()]
    table = markdown_table(("part", "model, version, settings"), [(name, f"`{text}`") for name, text in rows if text])
    return ["## Models", table, *([f"From the hub: {', '.join(dict.fromkeys(commits))}."] if commits else [])]


def _limits(statistics: Statistics) -> str:
    translated = [f"{number} of `{side}`" for side, number in statistics.translated.items() if side != "neither"]
    unknown = statistics.licence.get("unknown", 0)
    lines = [
        f"One side of each pair is machine-translated ({', '.join(translated) or 'none here'}): see the column "
        "`translated`. Translations are more uniform than original text, and have errors.",
        "Filters find most wrong pairs, not all. Read a sample in `inspector.html` before you train on the pairs.",
        "Categories and constructions are labelled by rule on automatic parses; people would label some otherwise.",
        "The texts are as fair, current and private as their corpora.",
        *([f"{unknown} pairs have no stated licence."] if unknown else []),
    ]
    return "\n".join(f"- {line}" for line in lines)


def _reasons(lost: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {number}" for reason, number in lost.items() if number)


def commonest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names and counts, the highest count first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
