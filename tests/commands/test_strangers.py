"""Presets and cards of strangers: they set fields of the form, nothing else; outputs replace nothing by surprise."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from messages import Said
from pydantic import BaseModel

from bitext_pivot.commands.flow_command import FromPreset
from bitext_pivot.commands.main import main
from bitext_pivot.commands.output import check_output
from bitext_pivot.commands.run import commands_model
from bitext_pivot.core.standard_output import screen
from bitext_pivot.corpus.rebuild import rebuild_section


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
    # The option of models names a preset of filters.
    assert sorted(with_option) == sorted([*TAKES_PRESETS, "models"])
    assert {"save", "trial", "job-script", "preset", "force"} <= {option for _, option in OPTIONS}


TEXTS: dict[str, Callable[[dict[str, Any]], str]] = {
    ".toml": lambda settings: "".join(
        f"{name} = {json.dumps(value)}\n" for name, value in settings.items()
    ),
    ".json": lambda settings: json.dumps({"settings": settings}),
    ".md": lambda settings: rebuild_section({"settings": settings, "sources": {}}),
}


@pytest.mark.parametrize(("command", "option"), OPTIONS)
@pytest.mark.parametrize("ending", TEXTS)
def test_a_preset_or_card_sets_fields_of_the_form_only(
    command: str, option: str, ending: str, tmp_path: Path, refused: Said
) -> None:
    (tmp_path / "victim").write_text("mine\n")
    preset = tmp_path / f"stranger{ending}"
    preset.write_text(TEXTS[ending]({option: value(option, tmp_path)}), encoding="utf-8")
    assert f"{option!r} is not a setting" in refused(command, "--preset", str(preset))
    assert (tmp_path / "victim").read_text() == "mine\n"


WRITING = ["plan", "judge", "evaluate", "apply", "sample"]
RULES = {"judge": ["--filters.preset", "rules"], "evaluate": [], "plan": []}
PLAN = ["plan", "--pivot", "fr", "--corpora", "Everyday/v1", "--save"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with pairs, and what must not be replaced."""
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("It rained, and we left.\tIt rained. <SEP> We left.\n")
    (tmp_path / "hard-link.tsv").hardlink_to(pairs)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("pairs.tsv")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "read-only").write_text("mine\n")
    (tmp_path / "read-only").chmod(0o400)
    return tmp_path


def writing(command: str, folder: Path, out: Path) -> list[str]:
    """Return a command that reads pairs.tsv of a folder and writes a file."""
    pairs = str(folder / "pairs.tsv")
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


OTHER_ENDINGS = [
    ("judge", "out.xlsx"), ("judge", "out.arrow"), ("judge", "out.txt"), ("judge", "out.tsv.gz"),
    ("judge", "out.parquet.gz"), ("apply", "out.xlsx"), ("apply", "out.arrow"), ("apply", "out.tsv"),
    ("plan", "out.toml"), ("plan", "out"), ("sample", "out.pdf"),
]  # fmt: skip
REPLACED = ["link", "dangling", "fifo", "folder", "read-only"]
REFUSED = [
    *((command, name, "has no ending that is written") for command, name in OTHER_ENDINGS),
    *((command, name, "there is no folder") for command in WRITING for name in ("none/out", "pairs.tsv/out")),
    *((command, name, name) for command in WRITING for name in REPLACED),
    *((command, name, "is also an input") for command in ("judge", "apply", "evaluate")
      for name in ("pairs.tsv", "hard-link.tsv", "folder/../pairs.tsv")),
]  # fmt: skip


def states(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """Return what changes when something below a folder is replaced or written."""
    found = {path: path.lstat() for path in folder.rglob("*")}
    return {path: (one.st_ino, one.st_mode, one.st_mtime_ns) for path, one in found.items()}


@pytest.mark.parametrize(("command", "name", "words"), REFUSED)
def test_an_output_replaces_nothing_and_is_written_by_its_ending(
    command: str, name: str, words: str, folder: Path, refused: Said
) -> None:
    before = states(folder)
    assert words in refused(*writing(command, folder, folder / name))
    assert states(folder) == before


def test_saved_settings_replace_a_file_only_by_force(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    refused: Said,
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(tmp_path / "nothing"))
    out = tmp_path / "build.json"
    main([*PLAN, str(out)])
    first = out.read_text()
    assert json.loads(first) == {"settings": {"corpora": ["Everyday/v1"]}}
    out.write_text("# my own notes\n")
    capsys.readouterr()
    assert "--force" in refused(*PLAN, str(out))
    assert out.read_text() == "# my own notes\n"
    main([*PLAN, str(out), "--force"])
    assert out.read_text() == first


def test_an_output_named_minus_goes_to_standard_output(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(screen, "stderr", False)
    monkeypatch.chdir(folder)
    for command in ("judge", "evaluate", "plan"):
        assert main([*writing(command, folder, Path("-")), *RULES[command]]) in {0, 2}
        printed = capfd.readouterr()
        assert json.loads(printed.out) and printed.err
    assert not (folder / "-").exists()


def test_leftovers_of_killed_commands_are_deleted(folder: Path) -> None:
    left, in_use = (
        folder / f".out.jsonl.{number}-{'0' * 32}.partial" for number in (2**31 - 1, os.getpid())
    )
    left.touch()
    in_use.touch()
    check_output(folder / "out.jsonl", option="--output")
    assert in_use.exists() and not left.exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["judge", ""], "the name is empty"),
        (
            ["evaluate", "a", "--source", "b", "--references", "c", "--layer", "3"],
            "add --bertscore",
        ),
        (
            ["plan", "--own", '[{"name": "x"}]'],
            "'kind' to be one of 'lines', 'moses', 'tmx', 'table'",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(words: list[str], problem: str, refused: Said) -> None:
    assert problem in refused(*words)
