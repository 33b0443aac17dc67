"""`--from-card`: the same bytes from the card alone, or a refusal that names what has changed; the plan of both."""

import json
import shutil
from pathlib import Path

import pytest
from builds import DOCUMENTS, tiny, tree, write_corpus
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.flows.pivot_settings import PivotBitext


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


@pytest.mark.nightly
def test_the_flow_takes_the_settings_of_the_card(tiny_build: Path, home: Path, card: Path) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    folder = pivot_bitext(PivotBitext(pivot="de"), str(card))
    assert folder == home / "fr-en" / tiny_build.name
    assert tree(folder) == tree(tiny_build)


def test_a_replaced_release_is_refused_and_rebuilt_with_preset(
    home: Path,
    card: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    refused: Said,
) -> None:
    monkeypatch.setenv(
        "BITEXT_PIVOT_OPUS", str(write_corpus(tmp_path / "new", {"garden": DOCUMENTS["garden"]}))
    )
    links = "sources: Tiny/v1: OPUS-Tiny/v1/xml/en-fr.xml.gz: sha256: the card has "
    errors = refused("build", "--from-card", str(card))
    assert (
        "OPUS-Tiny/v1/xml/en-fr.xml.gz: bytes: the card has " in errors
        and "Traceback" not in errors
    )
    assert not [*home.glob("fr-en/alignments-*")]
    assert links in refused("plan", "--from-card", str(card))
    assert main(["build", "--preset", str(card)]) == 0


@pytest.mark.nightly
def test_files_that_a_preset_names_are_listed_before_they_are_read(
    server: str,
    home: Path,
    tmp_path: Path,
    done: Said,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)  # a longer path would be broken into lines of its cell
    names = [Path("secret.en"), Path("secret.fr")]
    for path, text in zip(
        names,
        ("The dog slept. It was tired.\n", "The dog slept because it was tired.\n"),
        strict=True,
    ):
        path.write_text(text, encoding="utf-8")
    preset = tmp_path / "preset.json"
    preset.write_text(json.dumps({"settings": tiny(corpora=[], own=["secret"])}), encoding="utf-8")
    printed = "".join(done("plan", "--preset", str(preset)).split())
    assert all(str(path) in printed for path in names)
    assert main(["build", "--preset", str(preset)]) == 0
    lines = [
        record.message for record in caplog.records if record.name.startswith("prefect.task_runs")
    ]
    assert lines[0] == f"Files of this machine that the settings name: {names[0]}, {names[1]}"
    folder = next(home.glob("fr-en/export-*"))
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"| {path} | " in card for path in names)


@pytest.mark.nightly
def test_changed_files_of_ones_own_are_refused(home: Path, tmp_path: Path, refused: Said) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

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
    assert f"files: {tmp_path}/a.en: the card has " in refused("build", "--from-card", path)
    (tmp_path / "test").write_text("y\n", encoding="utf-8")
    assert f"files: {tmp_path}/test: the card has " in refused("build", "--from-card", path)
    (tmp_path / "test").unlink()
    assert "test" in refused("build", "--from-card", path)


@pytest.mark.parametrize(("more", "words"), [
    (["--pivot", "de"], "leave out --pivot"), (["--preset", "fr-en"], "leave out --preset"),
])  # fmt: skip
def test_other_settings_do_not_go_with_a_card(
    more: list[str], words: str, card: Path, refused: Said
) -> None:
    assert words in refused("build", "--from-card", str(card), *more)


def test_a_plan_has_the_settings_of_the_card(home: Path, card: Path, done: Said) -> None:
    from bitext_pivot.flows.plan_bitext import plan_bitext

    printed = done("plan", "--from-card", str(card))
    assert printed.startswith("fr-en: Tiny/v1\n") and "│ translate │ echo" in printed
    plan_bitext(PivotBitext(pivot="de"), str(card))
    assert not home.exists()
