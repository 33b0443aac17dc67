"""Heavy libraries have one door each, and the tree keeps to its budgets."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("flows", "tasks", "alignments", "translation", "filters", "pairs")
FILES = sorted([ROOT / "bitext_pivot.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))])
DOORS = {
    "bert_score": {"filters/neural/reference.py"},
    "ctranslate2": {"translation/kernels.py"},
    "httpx": {
        "alignments/download/answers.py",
        "alignments/download/sessions.py",
        "alignments/opus.py",
        "alignments/catalogue/opusapi.py",
        "alignments/catalogue/sizes.py",
        "tasks/progress.py",
    },
    "huggingface_hub": {"pairs/hub_client.py"},
    "opustools": set(),
    "pyarrow": {"pairs/shards.py", "pairs/arrow.py"},
    "matplotlib": {"pairs/plots.py"},
    "nltk": set(),
    "loky": {"pairs/parsers.py"},
    "py3langid": {"alignments/screening/identify.py"},
    "regex": {"alignments/texts/splitting.py"},
    "sacremoses": {"translation/pieces.py", "alignments/xces/tokens.py"},
    "sentence_splitter": {"alignments/texts/splitting.py"},
    "safetensors": {"pairs/weights.py"},
    "sentencepiece": {"translation/pieces.py"},
    "spacy": {"pairs/parsing.py"},
    "torch": {
        "pairs/device.py",
        "pairs/weights.py",
        "translation/marian_transformers.py",
        "filters/neural/encoder.py",
        "filters/neural/padded.py",
    },
    "transformers": {
        "pairs/weights.py",
        "translation/marian_transformers.py",
        "filters/neural/encoder.py",
        "filters/neural/loading.py",
    },
}


def imported(path: Path) -> set[str]:
    """Top-level names that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize(("library", "doors"), DOORS.items())
def test_a_heavy_library_has_one_door(library: str, doors: set[str]) -> None:
    users = {str(path.relative_to(ROOT)) for path in FILES if library in imported(path)}
    assert users <= doors


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_keeps_to_its_budget(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= (45 if path.parent.name == "flows" else 400)
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert [f.name for f in functions if f.end_lineno - f.lineno >= 60] == []
