"""The policy stands in every copy of the page, before any script, once, and names what may be asked."""

from pathlib import Path

import policy
import pytest
import serve

PAGE = '<!DOCTYPE html>\n<html>\n  <head>\n    <script src="/assets/index.js"></script>\n  </head>\n</html>\n'


def interface(folder: Path) -> Path:
    """A folder with two copies, as the server makes it."""
    for version in ("v1", "v2"):
        (folder / version).mkdir(parents=True)
        (folder / version / "index.html").write_text(PAGE, encoding="utf-8")
    return folder


def test_the_policy_stands_before_the_first_script_of_every_copy(tmp_path: Path) -> None:
    assert policy.close(interface(tmp_path), "http://127.0.0.1:4200") == 2
    for version in ("v1", "v2"):
        text = (tmp_path / version / "index.html").read_text(encoding="utf-8")
        told, script = (
            text.index("connect-src 'self' http://127.0.0.1:4200 ws://127.0.0.1:4200\">"),
            text.index("<script"),
        )
        assert told < script


def test_a_second_start_says_it_anew_and_not_twice(tmp_path: Path) -> None:
    policy.close(interface(tmp_path), "http://127.0.0.1:4200")
    policy.close(tmp_path, "https://page.example.org")
    text = (tmp_path / "v2" / "index.html").read_text(encoding="utf-8")
    assert text.count("Content-Security-Policy") == 1
    assert "'self' https://page.example.org wss://page.example.org\"" in text
    assert "".join(line for line in text.splitlines(keepends=True) if "Policy" not in line) == PAGE


def test_where_there_is_no_page_none_is_closed(tmp_path: Path) -> None:
    assert policy.close(tmp_path / "missing", "http://127.0.0.1:4200") == 0


def test_the_address_that_browsers_are_told_to_use_may_be_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "https://page.example.org/prefect/api")
    assert serve.Serve(port=4300).addresses == [
        "http://127.0.0.1:4300", "http://localhost:4300", "https://page.example.org",
    ]  # fmt: skip
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "/api")
    assert serve.Serve(port=4300).addresses == ["http://127.0.0.1:4300", "http://localhost:4300"]
