"""Presets and cards of strangers: they set fields of the form, nothing else; outputs replace nothing by surprise."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from pydantic import BaseModel

from bitext_pivot.commands.flow_command import FromPreset
from bitext_pivot.commands.main import main
from bitext_pivot.commands.run import commands_model
from bitext_pivot.corpus.rebuild import section


def commands() -> Iterator[tuple[str, type[BaseModel]]]:
    """Yield all commands by name."""
    for name, field in commands_model().model_fields.items():
        classes = [
            part for part in getattr(field.annotation, "__args__", ()) if isinstance(part, type)
        ]
        yield name, next(part for part in classes if issubclass(part, BaseModel))


TAKES_PRESETS = [name for name, command in commands() if issubclass(command, FromPreset)]
OPTIONS = [
    (name, field.alias or option)
    for name, command in commands()
    if issubclass(command, FromPreset)
    for option, field in command.model_fields.items()
    if option not in command.FORM.model_fields
]


def value(option: str, folder: Path) -> Any:
    """Return what a stranger would write for an option."""
    return {"trial": 3, "job-script": True, "force": True}.get(option, str(folder / "victim"))


def test_all_commands_with_presets_are_known() -> None:
    with_option = [name for name, command in commands() if "preset" in command.model_fields]
    assert sorted(with_option) == sorted(
        [*TAKES_PRESETS, "models"]
    )  # of models it is the name of a filter preset
    assert {"save", "trial", "job-script", "from-card", "preset", "force"} <= {
        option for _, option in OPTIONS
    }


@pytest.mark.parametrize("ending", [".toml", ".json", ".md"])
@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_a_preset_sets_fields_of_the_form_only(
    command: str, option: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "victim").write_text("mine\n")
    settings = {option: value(option, tmp_path)}
    texts = {
        ".toml": tomli_w.dumps(settings),
        ".json": json.dumps({"settings": settings}),
        ".md": section({"settings": settings}),
    }
    preset = tmp_path / f"stranger{ending}"
    preset.write_text(texts[ending], encoding="utf-8")
    assert main([command, "--preset", str(preset)]) == 2
    assert f"{option!r} is no setting of" in capsys.readouterr().err
    assert (tmp_path / "victim").read_text() == "mine\n"


@pytest.mark.parametrize("command", ["build", "plan"])
@pytest.mark.parametrize(
    "option", sorted({option for name, option in OPTIONS if name in {"build", "plan"}})
)
def test_a_card_sets_fields_of_the_form_only(
    command: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "victim").write_text("mine\n")
    card = tmp_path / "README.md"
    card.write_text(
        section({"settings": {option: value(option, tmp_path)}, "sources": {}}), encoding="utf-8"
    )
    assert main([command, "--from-card", str(card)]) == 2
    assert f"{option!r} is no setting of" in capsys.readouterr().err
    assert (tmp_path / "victim").read_text() == "mine\n"


@pytest.mark.parametrize(
    "signature",
    [
        {},
        {"settings": []},
        {"settings": "x"},
        {"settings": {}, "sources": []},
        {"settings": {}, "sources": {"A/v1": "x"}},
        {"settings": {}, "versions": "x"},
        {"settings": {}, "files": ["x"]},
    ],
    ids=str,
)
@pytest.mark.parametrize("option", ["--from-card", "--preset"])
def test_a_card_of_another_shape_is_refused_in_lines(
    option: str, signature: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    card = tmp_path / "README.md"
    card.write_text(section(signature), encoding="utf-8")
    assert main(["plan", option, str(card)]) == 2
    message = capsys.readouterr().err
    assert "is damaged" in message and len(message.splitlines()) <= 2


PLAN = ["plan", "--pivot", "fr", "--corpora", "Everyday/v1", "--save"]


def unusual(kind: str, path: Path) -> None:
    """Make a file that must not be replaced."""
    if kind == "link":
        path.with_name("target").write_text("mine\n")
        path.symlink_to("target")
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    elif kind == "FIFO":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "read-only":
        path.write_text("mine\n")
        path.chmod(0o400)


def writing(command: str, folder: Path, out: Path) -> list[str]:
    """Return a command that reads pairs.tsv of a folder and writes a file."""
    pairs = str(folder / "pairs.tsv")
    (folder / "pairs.tsv").write_text("It rained, and we left.\tIt rained. <SEP> We left.\n")
    arguments = {
        "plan": [*PLAN, str(out), "--force"],
        "judge": ["judge", pairs, "--output", str(out)],
        "evaluate": [
            "evaluate",
            pairs,
            "--source",
            pairs,
            "--references",
            pairs,
            "--json",
            str(out),
        ],
        "apply": ["apply", str(folder / "model"), pairs, "--output", str(out)],
        "sample": ["sample", str(folder), "--output", str(out)],
    }
    return arguments[command]


@pytest.mark.parametrize("name", ["none/out", "pairs.tsv/out"])
@pytest.mark.parametrize("command", ["plan", "judge", "evaluate", "apply", "sample"])
def test_no_folder_is_made_for_an_output(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(writing(command, tmp_path, tmp_path / name)) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.tsv"]


OTHER_ENDINGS = [
    ("judge", "out.xlsx"), ("judge", "out.arrow"), ("judge", "out.txt"), ("judge", "out.tsv.gz"),
    ("judge", "out.parquet.gz"), ("apply", "out.xlsx"), ("apply", "out.arrow"), ("apply", "out.tsv"),
    ("plan", "out.json"), ("plan", "out"), ("sample", "out.pdf"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "name"), OTHER_ENDINGS)
def test_an_ending_that_is_not_written_is_refused(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(writing(command, tmp_path, tmp_path / name)) == 2
    assert "has no ending that is written" in capsys.readouterr().err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("kind", ["link", "dangling link", "FIFO", "folder", "read-only"])
@pytest.mark.parametrize("command", ["plan", "judge", "evaluate", "apply", "sample"])
def test_what_is_no_plain_file_is_not_replaced(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    unusual(kind, out)
    before = out.lstat()
    assert main(writing(command, tmp_path, out)) == 2
    assert str(out) in capsys.readouterr().err
    after = out.lstat()
    assert (after.st_ino, after.st_mode, after.st_mtime_ns) == (
        before.st_ino,
        before.st_mode,
        before.st_mtime_ns,
    )


@pytest.mark.parametrize("command", ["judge", "apply", "evaluate"])
@pytest.mark.parametrize("name", ["pairs.tsv", "hard-link.tsv", "folder/../pairs.tsv"])
def test_an_input_is_not_replaced(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("It rained, and we left.\tIt rained. <SEP> We left.\n")
    (tmp_path / "hard-link.tsv").hardlink_to(pairs)
    before, out = pairs.read_bytes(), tmp_path / name
    assert main(writing(command, tmp_path, out)) == 2
    assert "is also an input" in capsys.readouterr().err
    assert pairs.read_bytes() == before


def test_saved_settings_replace_a_file_only_by_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(tmp_path / "nothing"))
    out = tmp_path / "build.toml"
    main([*PLAN, str(out)])
    first = out.read_text()
    assert 'corpora = [\n    "Everyday/v1",\n]' in first
    out.write_text("# my own notes\n")
    capsys.readouterr()
    assert main([*PLAN, str(out)]) == 2
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "# my own notes\n"
    main([*PLAN, str(out), "--force"])
    assert out.read_text() == first


@pytest.mark.parametrize("option", ["--preset", "--from-card"])
@pytest.mark.parametrize("path", ["/dev/zero", "{folder}/fifo", "{folder}"])
def test_what_never_ends_is_not_read(
    path: str, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert main(["plan", option, path.format(folder=tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
