"""`bitext-pivot show` opens the newest inspector of the data folder, or of a folder that is named."""

import os
import webbrowser
from pathlib import Path

import pytest
from messages import Said

from bitext_pivot.commands.main import main

PAGES = [  # from the oldest to the newest
    "demo/fr-en/latest",
    "data/fr-en/0a1b",
    "data/fr-en/latest",
    "data/discofuse-en/latest",
    "other/es-en/latest",
    "demo/es-en/latest",
    "data/fr-en/empty",
]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked to open."""
    addresses: list[str] = []

    def opens(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", opens)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BITEXT_PIVOT_HOME", raising=False)
    monkeypatch.delenv("BITEXT_PIVOT_BUILDS", raising=False)
    return addresses


def write(folders: list[str]) -> None:
    """Write an inspector to each folder, one second after the other."""
    for second, folder in enumerate(folders):
        page = Path(folder) / "inspector.html"
        page.parent.mkdir(parents=True)
        page.write_text("<html>", encoding="utf-8")
        os.utime(page, (second, second))


@pytest.mark.parametrize(("number", "arguments", "folder"), [
    (1, [], "demo/fr-en/latest"),
    (3, [], "data/fr-en/latest"),
    (4, [], "data/discofuse-en/latest"),
    (5, [], "data/discofuse-en/latest"),  # `other` is not the data folder
    (6, [], "demo/es-en/latest"),
    (6, ["data"], "data/discofuse-en/latest"),
    (6, ["data/fr-en"], "data/fr-en/latest"),
    (7, ["data/fr-en"], "data/fr-en/latest"),  # the newest kept no row
    (7, ["data/fr-en/empty"], "data/fr-en/empty"),
    (2, ["data/fr-en"], "data/fr-en/0a1b"),
    (6, ["data/fr-en/0a1b"], "data/fr-en/0a1b"),
    (6, ["data/fr-en/0a1b/inspector.html"], "data/fr-en/0a1b"),
    (6, ["other"], "other/es-en/latest"),
])  # fmt: skip
def test_the_newest_page_is_opened(
    opened: list[str],
    capsys: pytest.CaptureFixture[str],
    number: int,
    arguments: list[str],
    folder: str,
) -> None:
    write(PAGES[:number])
    assert main(["show", *arguments]) == 0
    page = Path(folder) / "inspector.html"
    assert opened == [page.resolve().as_uri()]
    assert capsys.readouterr().out.splitlines()[0].endswith(str(page))


def test_the_folder_of_builds_is_searched(
    opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(PAGES)
    monkeypatch.setenv("BITEXT_PIVOT_BUILDS", "other")
    Path("demo/es-en/latest/inspector.html").unlink()
    assert main(["show"]) == 0
    assert opened == [Path("other/es-en/latest/inspector.html").resolve().as_uri()]


def test_without_a_browser_the_path_is_printed(
    opened: list[str], monkeypatch: pytest.MonkeyPatch, done: Said
) -> None:
    write(PAGES)
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert "No browser was found" in done("show")
    assert opened == []


@pytest.mark.parametrize("arguments", [[], ["none"], ["data/fr-en"]])
def test_what_has_no_page_is_refused(
    opened: list[str], refused: Said, arguments: list[str]
) -> None:
    Path("data/fr-en/latest").mkdir(parents=True)
    assert "There is no inspector.html in " in refused("show", *arguments)
    assert opened == []


def test_a_url_is_refused(opened: list[str], refused: Said) -> None:
    assert "folder starts with s3://, expected a folder" in refused("show", "s3://bucket/corpora")
    assert opened == []
