"""`latest` points at the data set that was exported last, as a link or as a text file."""

from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import folders


def data_set(parent: Any, name: str) -> Any:
    folder = parent / name
    folder.mkdir(parents=True)
    (folder / "pairs.jsonl").write_text(name)
    return folder


def test_latest_is_a_relative_link_that_is_replaced(tmp_path: Path) -> None:
    for name in ("export-11111111", "export-22222222"):
        folders.point_latest(data_set(tmp_path / "fr-en", name))
        assert (tmp_path / "fr-en" / "latest" / "pairs.jsonl").read_text() == name
    (tmp_path / "fr-en").rename(tmp_path / "moved")
    assert (tmp_path / "moved" / "latest").readlink() == Path("export-22222222")
    assert (tmp_path / "moved" / "latest" / "pairs.jsonl").read_text() == "export-22222222"
    assert not list((tmp_path / "moved").glob(".*"))


def test_without_links_latest_is_a_text_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1314, "A required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    folders.point_latest(data_set(tmp_path, "export-11111111"))
    assert (tmp_path / "latest.txt").read_text() == "export-11111111\n"
    assert not list(tmp_path.glob(".*")) and not (tmp_path / "latest").exists()


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_latest_that_is_no_link_is_refused(kind: str, tmp_path: Path) -> None:
    latest = tmp_path / "latest"
    if kind == "folder":
        (latest / "pairs").mkdir(parents=True)
    else:
        latest.write_text("mine")
    with pytest.raises(SettingsError, match=f"latest is a {kind}"):
        folders.try_out(tmp_path)
    with pytest.raises(SettingsError, match=f"latest is a {kind}"):
        folders.point_latest(data_set(tmp_path, "export-11111111"))
    assert not latest.is_symlink()


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SettingsError, match="Files cannot be written to .*BITEXT_PIVOT_BUILDS"):
        folders.try_out(tmp_path / "file" / "en-fr")


URLS = ["s3://bucket/corpora", "gs://bucket", "S3:/bucket", "file:///mnt/builds"]


@pytest.mark.parametrize("url", URLS)
def test_a_url_is_not_a_folder(url: str) -> None:
    with pytest.raises(SettingsError, match=r"folder starts with \w+://, expected a folder.*locks"):
        folders.refuse_url(url, "folder")
    folders.refuse_url(Path("c:/x") / url.partition(":")[0], "folder")
