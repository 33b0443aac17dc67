"""The wheel: one import name, every module and data file in it, and commands that run where there is no clone."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
QUICKSTART = ROOT / "quickstart"
PARSER = QUICKSTART / "models" / "spacy-en-ud"
MODEL = QUICKSTART / "models" / "marian-frdees-en"
NOT_PACKAGED = ("kubernetes/",)
"""Files below the folders that only a clone has."""


def tracked() -> list[str]:
    """All files of the repository that are not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    paths = subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    return [path for path in paths if path and (ROOT / path).is_file()]


def folders() -> dict[str, str]:
    """The names of the packages by folder, as pyproject.toml maps them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "setuptools"
    ]
    return {folder: name.replace(".", "/") for name, folder in settings["package-dir"].items()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built out of the tracked files."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone, so its files are not known")
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    packaged = [*folders(), "pyproject.toml", "README.md", "LICENSE"]
    for path in tracked():
        if path.startswith(tuple(packaged)):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, source / path)
    options = [
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "--wheel-dir",
        str(target),
    ]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *options, str(source)],
        check=True,
        capture_output=True,
    )
    return next(target.glob("*.whl"))


@pytest.mark.system
def test_the_wheel_has_every_file_of_the_folders_under_one_name(wheel: Path) -> None:
    expected = {
        f"{name}{path.removeprefix(folder)}"
        for path in tracked()
        for folder, name in folders().items()
        if path.startswith(f"{folder}/") and not any(part in path for part in NOT_PACKAGED)
    }
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert files == expected
    assert "bitext_pivot/py.typed" in files


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """Call a command of a fresh environment, in an empty folder with an empty home."""
    from served import free_port

    environment = tmp_path_factory.mktemp("environment") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    packages = next((environment / "lib").glob("python*/site-packages"))
    installed = Path(sys.prefix) / packages.relative_to(environment)
    ignore = shutil.ignore_patterns("*bitext_pivot*", "distutils-precedence.pth")
    shutil.copytree(
        installed, packages, copy_function=os.link, symlinks=True, ignore=ignore, dirs_exist_ok=True
    )
    pip = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--quiet", str(wheel)], check=True)
    folder, home = tmp_path_factory.mktemp("empty"), tmp_path_factory.mktemp("home")
    variables = {
        "HOME": str(home), "PATH": "/usr/bin:/bin", "HF_HUB_OFFLINE": "1",
        "BITEXT_PIVOT_SERVE_PORT": str(free_port()), "OMP_NUM_THREADS": "1",
    }  # fmt: skip

    def command(*arguments: str | Path) -> str:
        """Return what `bitext-pivot` prints; it must succeed."""
        done = subprocess.run(
            [environment / "bin" / "bitext-pivot", *arguments], cwd=folder, env=variables, timeout=600,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        assert "Traceback" not in done.stdout
        return done.stdout

    command.folder = folder  # type: ignore[attr-defined]
    yield command
    command("stop")


@pytest.mark.nightly
def test_commands_run_where_there_is_no_clone(run: Any) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run("--version").strip() == f"bitext-pivot {project['version']}"
    assert "Europarl" in run("catalogue", "fr", "en")
    models = ("--translation.model", MODEL, "--parser.pipeline", PARSER)
    assert "UN/v20090831" in run("plan", "--preset", "first-fr-en", *models)


@pytest.mark.nightly
def test_the_filter_of_the_document_runs(run: Any) -> None:
    text = (ROOT / "docs" / "filters.md").read_text(encoding="utf-8")
    code, command = re.findall(r"```(?:python|sh)\n(.*?)```", text, re.DOTALL)[:2]
    (run.folder / "my_filters.py").write_text(code, encoding="utf-8")
    short, first, second = "The museum opened.", "The museum opened early.", "The dog ran away."
    rows = (
        ("The museum opened early and the dog ran away.", first, second),
        (f"{short[:-1]} and the museum closed.", short, "The museum closed."),
    )
    lines = [f"{long}\t{one} <SEP> {two}\n" for long, one, two in rows]
    (run.folder / "pairs.tsv").write_text("".join(lines), encoding="utf-8")
    options = command.split()[1:]
    models = ("--parser.pipeline", PARSER, "--filters.preset", "rules", "--output", "own.jsonl")
    run(*options, *models)
    judged = (run.folder / "own.jsonl").read_text(encoding="utf-8").splitlines()
    scores = [json.loads(line)["scores"]["no_museum"] for line in judged]
    assert scores == [2, 3]


@pytest.mark.nightly
def test_the_server_starts_and_stops(run: Any) -> None:
    assert "Ready after" in run("serve")
    assert "stopped" in run("stop")
