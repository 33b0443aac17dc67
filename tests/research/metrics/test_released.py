"""Released outputs of BiSECT's systems: figures of the paper's Table 5, and the tables of benchmarks/results."""

import gzip
from pathlib import Path

import pytest

from bitext_pivot.research.metrics.comparison import metrics_of
from bitext_pivot.research.metrics.cut import blind_cut
from bitext_pivot.research.metrics.evaluation_settings import Evaluation
from bitext_pivot.research.metrics.fkgl import Fkgl
from bitext_pivot.research.metrics.lengths import OutputLength, SentenceLength
from bitext_pivot.research.metrics.metric import EvaluationCorpus, SegmentMetric

pytestmark = pytest.mark.shared
PAGE = Path(__file__).parents[3] / "benchmarks" / "results" / "metrics.md"
FILES = {
    "DisSim": "dissim",
    "Copy512 WIKI": "copy512_wiki",
    "Copy512 BiSECT": "copy512_bisect",
    "Transformer WIKI": "transformer_wiki",
    "Transformer BiSECT": "transformer_bisect",
    "Control BiSECT": "our_model_bisect",
    "Control B+W": "our_model_bisect_wiki",
}


def outputs(shared: Path, corpus: str, name: str) -> list[str]:
    path = shared / "eval" / "models" / "bisect_outputs" / corpus / f"{FILES[name]}.txt.gz"
    return gzip.decompress(path.read_bytes()).decode().splitlines()


def rows(head: str) -> dict[str, list[str]]:
    """Return the rows of the table of the page whose head begins so."""
    lines = PAGE.read_text(encoding="utf-8").partition(f"| system | {head}")[2].splitlines()[2:]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines[: lines.index("")]
    ]
    return {name: values for name, *values in cells}


@pytest.mark.parametrize(("name", "printed"), [
    ("DisSim", (11.2, 12.4, 40.6)), ("Copy512 WIKI", (13.0, 19.4, 39.7)), ("Copy512 BiSECT", (12.6, 18.5, 39.3)),
    ("Transformer WIKI", (12.4, 19.3, 41.0)), ("Transformer BiSECT", (12.1, 19.0, 40.7)),
    ("Control BiSECT", (12.6, 19.8, 40.9)), ("Control B+W", (12.9, 19.1, 39.7)),
])  # fmt: skip
def test_figures_of_the_bisect_test_set_to_the_printed_digit(
    shared: Path, name: str, printed: tuple[float, float, float]
) -> None:
    lines = outputs(shared, "bisect", name)
    assert len(lines) == 583
    corpus = EvaluationCorpus(sources=lines, references=[])
    made: list[SegmentMetric] = [
        kind(corpus, "treebank") for kind in (Fkgl, SentenceLength, OutputLength)
    ]
    scores = [round(metric.corpus_score(lines, None).score, 1) for metric in made]
    assert scores == list(printed) == list(map(float, rows("FKGL")[name]))


@pytest.mark.nightly
@pytest.mark.parametrize(("variant", "head", "columns"), [
    ("bisect", "SARI", slice(None)), ("easse", "paper's SARI", slice(2, None)),
])  # fmt: skip
def test_the_tables_of_hsplit(shared: Path, variant: str, head: str, columns: slice) -> None:
    folder = shared / "eval" / "models" / "hsplit"
    texts = {path.name: path.read_text(encoding="utf-8").splitlines() for path in folder.iterdir()}
    source = texts["turkcorpus_test.norm"]
    references = [texts[f"HSplit{number}"] for number in range(1, 5)]
    settings = Evaluation.model_validate(
        {"outputs": ["x"], "source": "x", "references": ["x"], "sari": variant}
    )
    metrics = metrics_of(EvaluationCorpus(sources=source, references=references), settings)[
        : 4 if variant == "easse" else None
    ]
    systems = {"Source": source, "blind cut": [blind_cut(line) for line in source]} | {
        name: outputs(shared, "hsplit", name) for name in FILES
    }
    scores = {
        name: [f"{metric.corpus_score(lines, None).score:.1f}" for metric in metrics]
        for name, lines in systems.items()
    }
    assert scores == {name: values[columns] for name, values in rows(head).items()}
