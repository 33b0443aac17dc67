"""`--preset README.md`: the same bytes from the card alone, and what is said of all that has changed since."""

import json
import shutil
from pathlib import Path

import pytest
from builds import tiny, tree
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.corpus import rebuild


@pytest.fixture
def card(built: Path, home: Path, tmp_path: Path) -> Path:
    """The card of a data set of which nothing else is left."""
    path = tmp_path / "README.md"
    shutil.copy(built / "README.md", path)
    shutil.rmtree(home)
    return path


def test_a_card_alone_gives_the_same_bytes_again(
    tiny_build: Path, home: Path, card: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert main(["build", "--preset", str(card)]) == 0
    assert tree(home / "fr-en" / tiny_build.name) == tree(tiny_build)
    assert "Changed since" not in caplog.text


def test_a_release_that_is_gone_is_refused_by_name(
    card: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Said
) -> None:
    (tmp_path / "mirror").mkdir()
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(tmp_path / "mirror"))
    assert "Tiny/v1" in refused("build", "--preset", str(card))


def test_other_versions_are_listed_in_one_warning(
    card: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, done: Said
) -> None:
    now = rebuild.package_versions()
    newer = {**now, "pyarrow": "99.1", "spacy": "99.2"}
    monkeypatch.setattr(rebuild, "package_versions", lambda: newer)
    done("plan", "--preset", str(card))
    (line,) = [line for line in caplog.messages if "Changed since" in line]
    changes = f"pyarrow {now['pyarrow']} (now 99.1), spacy {now['spacy']} (now 99.2)"
    assert line == f"Changed since {card} was written: {changes}. The rows may differ."


@pytest.mark.nightly
def test_files_that_a_preset_names_are_listed_before_they_are_read(
    server: str,
    home: Path,
    tmp_path: Path,
    done: Said,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level("INFO", "bitext_pivot")
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
    first, *_ = [line for line in caplog.messages if "secret.en" in line]
    assert first == f"Local files that the settings name: {names[0]}, {names[1]}"
    folder = next(home.glob("fr-en/export-*"))
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"| {path} | " in card for path in names)


@pytest.mark.nightly
def test_changed_files_are_named_in_a_warning_and_missing_ones_are_refused(
    home: Path, tmp_path: Path, refused: Said, caplog: pytest.LogCaptureFixture
) -> None:
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
    preset = tmp_path / "preset.json"
    preset.write_text(json.dumps({"settings": form}), encoding="utf-8")
    assert main(["build", "--preset", str(preset)]) == 0
    card = str(next(home.glob("fr-en/export-*")) / "README.md")
    assert main(["build", "--preset", card]) == 0
    assert "Changed since" not in caplog.text
    (tmp_path / "a.en").write_text("The cat slept. It was tired.\n", encoding="utf-8")
    assert main(["build", "--preset", card]) == 0
    assert f"{card} was written: contents of {tmp_path}/a.en. The rows may differ." in caplog.text
    (tmp_path / "test").unlink()
    assert str(tmp_path / "test") in refused("build", "--preset", card)


def test_a_plan_has_the_settings_of_the_card(home: Path, card: Path, done: Said) -> None:
    printed = done("plan", "--preset", str(card))
    assert printed.startswith("fr-en: Tiny/v1\n") and "│ translate │ echo" in printed
    assert not home.exists()
