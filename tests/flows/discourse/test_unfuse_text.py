"""The flow over documents against a real Prefect server."""

from pathlib import Path
from typing import Any

import pytest
from builds import files_without_checksum, rows

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.flows.unfuse_settings import UnfuseText

DOCUMENTS = {
    "garden.txt": "We planted a tree because the garden was bare. However, nobody watered it.\n",
    "harbour.txt": "Paul kept the old boat in a barn. He sold it in May.\nDid you stay because it rained?\n",
}


def settings(folder: Path, **changes: Any) -> UnfuseText:
    for name, text in DOCUMENTS.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    parser = {"pipeline": "quickstart/models/spacy-en-ud"}
    values = {
        "own": [str(folder)],
        "parser": parser,
        "shard_rows": 1,
        "fusion": {"controls": 0},
        **changes,
    }
    return UnfuseText.model_validate(values)


@pytest.fixture(scope="module")
def folder(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of an undisturbed build."""
    from bitext_pivot.flows.unfuse_text import unfuse_text

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(Path(__file__).parents[3])
        patch.setenv("BITEXT_PIVOT_HOME", str(tmp_path_factory.mktemp("unfuse")))
        return unfuse_text(settings(tmp_path_factory.mktemp("documents") / "days"))


@pytest.mark.quickstart
def test_documents_become_fused_pairs(folder: Path) -> None:
    assert folder.parent.name == "discofuse-en" and (folder.parent / "latest").resolve() == folder
    pairs = {row["id"].rpartition("/")[2]: row for row in rows(folder)}
    labels = {name: (row["discourse_type"], row["connective"]) for name, row in pairs.items()}
    assert labels == {
        "garden.txt:1": ("SINGLE_CONN_INNER", "because"),
        "garden.txt:1-2": ("PAIR_CONN", "however ,"),
        "harbour.txt:1-2": ("PAIR_ANAPHORA", ""),
    }
    assert {row["rejected_by"] for row in rows(folder, "rejected")} == {"question"}
    assert {row["id"] for row in rows(folder, "balanced")} <= {row["id"] for row in pairs.values()}
    assert files_without_checksum(folder) == set()


def test_all_problems_are_in_one_message_before_anything_is_read(
    home: Path, tmp_path: Path
) -> None:
    from bitext_pivot.flows.unfuse_text import unfuse_text

    form = settings(tmp_path / "days", own=["gone"], parser={"pipeline": "no_such_model"})
    with pytest.raises(
        SettingsError, match=r"(?s)'gone' of gone is not there.*'no_such_model' is not installed"
    ):
        unfuse_text(form)
    assert not home.exists()


def test_a_language_without_connectives_is_refused() -> None:
    with pytest.raises(ValueError, match="no lists of connectives for 'fi'"):
        UnfuseText(language="fi")
