"""The package as a library: what importing it loads, and the notebook and the document docs/library.md."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bitext_pivot

ROOT = Path(__file__).parents[1]
HEAVY = ("torch", "prefect", "spacy", "transformers", "pydantic", "pyarrow")


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = f"import sys, bitext_pivot; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_public_name_is_documented() -> None:
    for name in bitext_pivot.__all__:
        assert getattr(bitext_pivot, name).__doc__, name
    with pytest.raises(AttributeError):
        _ = bitext_pivot.nothing


@pytest.mark.parametrize(
    ("sources", "references", "outputs", "problem"),
    [
        (["a b."], [["a."], ["b."]], ["a."], "references: 2 lines for 1 sources"),
        (["a b."], [["a."]], ["a.", "b."], "mine: 2 lines for 1 sources"),
        (["a b.", ""], [["a."], ["b."]], ["a.", "b."], "sources: line 2 has no text"),
        (["a b.", "c."], [["a."], [" "]], ["a.", "b."], "references: line 2 has no text"),
    ],
)
def test_evaluate_refuses_lines_that_do_not_match(
    sources: list[str], references: list[list[str]], outputs: list[str], problem: str
) -> None:
    with pytest.raises(bitext_pivot.SettingsError, match=problem):
        bitext_pivot.evaluate({"mine": outputs}, sources, references)


def test_evaluate_scores_a_copy_of_the_reference_best() -> None:
    sources = ["It rained, so we stayed at home.", "She sings and he plays the piano."]
    references = [["It rained. <SEP> We stayed at home."], ["She sings. <SEP> He plays the piano."]]
    outputs = {"unchanged": sources, "reference": [line[0] for line in references]}
    scores = bitext_pivot.evaluate(outputs, sources, references, scoring=bitext_pivot.Scoring(samples=10))
    assert scores["reference"]["BLEU"]["score"] == pytest.approx(100)
    assert scores["unchanged"]["SARI"]["score"] < scores["reference"]["SARI"]["score"]
    assert scores["unchanged"]["SARI"]["p_value"] is None


@pytest.mark.system
@pytest.mark.quickstart
def test_the_notebook_and_the_document_run(tmp_path: Path) -> None:
    docs = ROOT / "docs"
    cells = json.loads((docs / "first-corpus.ipynb").read_text(encoding="utf-8"))["cells"]
    blocks = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    blocks += re.findall(r"^```python\n(.*?)^```", (docs / "library.md").read_text(encoding="utf-8"), re.M | re.S)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PREFECT_", "BITEXT_"))}
    blocks.append("import signal\nprint('interrupts:', signal.getsignal(signal.SIGINT) is signal.default_int_handler)")
    home = {
        "BITEXT_PIVOT_HOME": str(tmp_path / "data"), "PREFECT_HOME": str(tmp_path / "prefect"), "MPLBACKEND": "agg",
        "HF_HOME": str(tmp_path / "hub"),
    }  # fmt: skip
    (tmp_path / "prefect").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(blocks)],
        cwd=docs,
        env=clean | home,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(
        r"pairs for training.*\nkept [\w ]+\npasted [\w ]+\nnow overlap 0\.8\nnow pasted 1\.0\n", done.stdout, re.S
    )
    assert "interrupts: True" in done.stdout
