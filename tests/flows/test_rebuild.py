"""`build --from-card`: the same bytes from the card alone, or a refusal that names what has changed."""

import shutil
from pathlib import Path

import pytest
from builds import DOCUMENTS, tiny, tree, write_corpus

from bitext_pivot import main
from corpus.rebuild import Card
from flows.pivot_bitext import PivotBitext, pivot_bitext


@pytest.fixture
def card(built: Path, home: Path, tmp_path: Path) -> Path:
    """The card of a data set of which nothing else is left."""
    path = tmp_path / "README.md"
    shutil.copy(built / "README.md", path)
    shutil.rmtree(home)
    return path


def test_a_card_alone_gives_the_same_bytes_again(tiny_build: Path, home: Path, card: Path) -> None:
    assert main(["build", "--from-card", str(card)]) == 0
    assert tree(home / "fr-en" / tiny_build.name) == tree(tiny_build)


def test_the_flow_takes_the_settings_of_the_card_and_not_those_of_the_form(
    tiny_build: Path, home: Path, card: Path
) -> None:
    folder = pivot_bitext(PivotBitext(pivot="de"), str(card))
    assert folder == home / "fr-en" / tiny_build.name
    assert tree(folder) == tree(tiny_build)


def test_a_replaced_release_is_refused_and_built_as_something_else_with_preset(
    home: Path, card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(write_corpus(tmp_path / "new", {"garden": DOCUMENTS["garden"]})))
    assert main(["build", "--from-card", str(card)]) == 2
    errors = capsys.readouterr().err
    assert "sources: Tiny/v1: sha256: the card has " in errors and "Traceback" not in errors
    assert not [*home.glob("fr-en/alignments-*")]
    assert main(["build", "--preset", str(card)]) == 0


@pytest.mark.parametrize(("name", "value", "line"), [
    ("corpus.rebuild.version", lambda name: "0.0.0", "versions: pyarrow: the card has "),
    ("tasks.check.device.processor", lambda choice: "abacus", "versions: processor: the card has "),
    ("translation.engine.Echo.signature", "echo 2", "engine: the card has echo, here is 2"),
])  # fmt: skip
def test_what_has_changed_on_the_machine_is_named_before_anything_is_read(
    name: str, value: object, line: str, home: Path, card: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(name, value)
    assert main(["build", "--from-card", str(card)]) == 2
    assert line in capsys.readouterr().err
    assert not [*home.glob("fr-en/alignments-*")]


def test_changed_files_of_ones_own_are_refused(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contents = {
        "a.en": "The dog slept. It was tired.\n",
        "a.fr": "The dog slept because it was tired.\n",
        "test": "x\n",
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    own = {
        "kind": "lines",
        "name": "Own",
        "language_file": str(tmp_path / "a.en"),
        "pivot_file": str(tmp_path / "a.fr"),
    }
    form = tiny(own=[own], corpora=[], division={"contamination": [str(tmp_path / "test")]})
    path = str(pivot_bitext(PivotBitext.model_validate(form)) / "README.md")
    assert main(["build", "--from-card", path]) == 0
    (tmp_path / "a.en").write_text("The cat slept. It was tired.\n", encoding="utf-8")
    assert main(["build", "--from-card", path]) == 2
    assert "sources: Own/v1: sha256: the card has " in capsys.readouterr().err
    (tmp_path / "test").write_text("y\n", encoding="utf-8")
    assert main(["build", "--from-card", path]) == 2
    assert f"division: {tmp_path}/test: the card has " in capsys.readouterr().err
    (tmp_path / "test").unlink()
    assert main(["build", "--from-card", path]) == 2
    assert "test" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "words"), [
    (["--pivot", "de"], "leave out pivot"), (["--preset", "fr-en"], "leave out preset"),
])  # fmt: skip
def test_other_settings_do_not_go_with_a_card(
    more: list[str], words: str, card: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--from-card", str(card), *more]) == 2
    assert words in capsys.readouterr().err


def test_a_card_in_an_object_store_is_read(card: Path) -> None:
    import fsspec

    fsspec.filesystem("memory").pipe_file("/set/README.md", card.read_bytes())
    assert Card.at("memory://set/README.md").signature == Card.at(str(card)).signature
