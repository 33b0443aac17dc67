"""The Prefect server that a user names; that it learns of a stopped command: tests/flows/test_interrupt.py."""

import re
import sys
import time
from pathlib import Path

import pytest
import web

from bitext_pivot.core.errors import SourceError


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "No Prefect server answers at http://127.0.0.1:9/api"),
        (
            b'"3.4.14"',
            "is not a Prefect server of version 3.8.8 or newer: 3.4.14. Start one with make",
        ),
        (
            b'{"name": "other"}',
            "is not a Prefect server of version 3.8.8 or newer: expected string",
        ),
        (b"<html>", "is not a Prefect server of version 3.8.8 or newer: Expecting value"),
    ],
)
def test_a_named_server_that_is_of_no_use_is_refused_in_a_line(
    answer: bytes | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import prefect
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from bitext_pivot.deployments import named_server

    monkeypatch.setattr(prefect, "__version__", "3.8.8")
    monkeypatch.setattr(named_server, "PATIENCE", 0)
    with web.serve(lambda request: web.Answer(body=answer or b"")) as address:
        url = f"{address if answer else 'http://127.0.0.1:9'}/api"
        monkeypatch.setenv("PREFECT_API_URL", url)
        with (
            temporary_settings({PREFECT_API_URL: url}),
            pytest.raises(SourceError, match=re.escape(words)) as refused,
        ):
            named_server.check_server()
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("url", ["nonsense", "://", "ftp://127.0.0.1/api"])
def test_an_address_that_is_none_is_refused_without_waiting(url: str) -> None:
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from bitext_pivot.deployments import named_server

    with (
        temporary_settings({PREFECT_API_URL: url}),
        pytest.raises(SourceError, match="No Prefect server"),
    ):
        start = time.monotonic()
        named_server.check_server()
    assert time.monotonic() - start < named_server.PATIENCE / 2


URL = "http://127.0.0.1:9/api"
NAMED = {
    ".env": "OTHER=1\nPREFECT_API_URL={url}\n",
    "prefect.toml": '[api]\nurl = "{url}"\n',
    "pyproject.toml": '[tool.prefect.api]\nurl = "{url}"\n',
    "prefect/profiles.toml": 'active = "lab"\n[profiles.lab]\nPREFECT_API_URL = "{url}"\n',
    "mine.toml": 'active = "lab"\n[profiles.lab]\nPREFECT_API_URL = "{url}"\n',
}
"""Files in which Prefect finds the address of a server."""
UNNAMED = {
    "pyproject.toml": '[project]\ndependencies = ["prefect"]\n',
    ".env": "OTHER=http://127.0.0.1:9/api\n",
    "prefect/profiles.toml": 'active = "lab"\n[profiles.lab]\nPREFECT_LOGGING_LEVEL = "DEBUG"\n',
}
"""Files that name no server: Prefect is not asked."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, with Prefect's folder and the profiles of PREFECT_PROFILES_PATH in it."""
    (tmp_path / "prefect").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    return tmp_path


@pytest.mark.parametrize("name", NAMED)
def test_a_server_counts_wherever_prefect_looks_and_a_refusal_says_what_names_it(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.settings import (
        PREFECT_API_URL,
        PREFECT_PROFILES_PATH,
        Settings,
        temporary_settings,
    )

    from bitext_pivot.deployments import named_server
    from bitext_pivot.deployments.server_address import server_address

    path = folder / name
    path.write_text(NAMED[name].format(url=URL), encoding="utf-8")
    if name == "mine.toml":
        monkeypatch.setenv("PREFECT_PROFILES_PATH", str(path))
    with monkeypatch.context() as patch:
        patch.setattr("prefect.settings.get_current_settings", Settings)  # reads the files again
        assert server_address() == URL
    monkeypatch.setattr(named_server, "PATIENCE", 0)
    with (
        temporary_settings({PREFECT_API_URL: URL, PREFECT_PROFILES_PATH: path}),
        pytest.raises(SourceError, match=re.escape(f"{URL}, which {path} names")),
    ):
        named_server.check_server()


@pytest.mark.parametrize("name", UNNAMED)
def test_prefect_is_not_asked_for_a_server_that_nothing_names(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.deployments.server_address import server_address

    (folder / name).write_text(UNNAMED[name], encoding="utf-8")
    monkeypatch.setitem(sys.modules, "prefect.settings", None)
    assert server_address() is None
