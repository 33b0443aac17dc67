"""Marian checkpoints for the tests of translation."""

import shutil
from pathlib import Path

import pytest
from marian_models import sentences, write_checkpoint


@pytest.fixture(scope="session")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint fr -> en."""
    return write_checkpoint(tmp_path_factory.mktemp("models") / "tiny-fr-en")


@pytest.fixture(scope="session")
def many_targets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that writes Spanish or Portuguese, as a token says."""
    folder = tmp_path_factory.mktemp("models") / "tiny-en-ibero"
    return write_checkpoint(folder, languages=("en", "roa"), tokens=(">>spa<<", ">>por<<"))


@pytest.fixture(scope="session")
def models_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of converted models, shared by the whole session."""
    return tmp_path_factory.mktemp("converted")


@pytest.fixture
def damaged(checkpoint: Path, tmp_path: Path) -> Path:
    """A copy of the checkpoint that a test may damage."""
    return shutil.copytree(checkpoint, tmp_path / "damaged")


@pytest.fixture(scope="session")
def salad() -> list[str]:
    """A hundred and twenty sentences of 2 to 14 words, many of the same length."""
    return sentences(120)
