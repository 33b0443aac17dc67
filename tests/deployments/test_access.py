"""What may reach the server, and the policy in every copy of its page."""

import socket
from pathlib import Path

import pytest
import serve
from access import PASSWORD, check_host, check_port, restrict_page

from pairs.errors import SettingsError

PAGE = '<!DOCTYPE html>\n<html>\n  <head>\n    <script src="/assets/index.js"></script>\n  </head>\n</html>\n'
OPEN = [("0.0.0.0", ""), ("::", ""), ("192.0.2.7", "nocolon"), ("example.org", ""), ("::", "user:"), ("::", ":secret")]


@pytest.mark.parametrize(("host", "password"), OPEN)
def test_an_address_that_others_can_reach_needs_a_password(host: str, password: str) -> None:
    message = r"anyone who reaches it can run code here\. Set PREFECT_SERVER_API_AUTH_STRING"
    with pytest.raises(SettingsError, match=message):
        check_host(host, {PASSWORD: password})


@pytest.mark.parametrize(("host", "password"), [
    ("127.0.0.1", ""), ("localhost", ""), ("::1", ""), ("0.0.0.0", "user:secret"),
])  # fmt: skip
def test_this_machine_or_a_password_is_enough(host: str, password: str) -> None:
    check_host(host, {PASSWORD: password})


def test_a_free_port_is_accepted_and_an_address_of_another_machine_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    check_port("127.0.0.1", port)
    with pytest.raises(SettingsError, match=rf"cannot listen on 192\.0\.2\.7, port {port} \(.*BITEXT_PIVOT_SERVE_HOST"):
        check_port("192.0.2.7", port)


def test_every_copy_of_the_page_has_the_latest_policy_once_before_its_first_script(tmp_path: Path) -> None:
    for version in ("v1", "v2"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "index.html").write_text(PAGE, encoding="utf-8")
    restrict_page(tmp_path, "http://127.0.0.1:4200")
    restrict_page(tmp_path, "https://page.example.org", "http://127.0.0.1:4300")
    for version in ("v1", "v2"):
        text = (tmp_path / version / "index.html").read_text(encoding="utf-8")
        allowed = "connect-src 'self' https://page.example.org wss://page.example.org http://127.0.0.1:4300 ws://127."
        assert text.index(allowed) < text.index("<script") and text.count("Content-Security-Policy") == 1
        assert "".join(line for line in text.splitlines(keepends=True) if "Policy" not in line) == PAGE


def test_the_page_may_connect_to_the_address_that_browsers_are_told_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "https://page.example.org/prefect/api")
    assert serve.Serve(port=4300).addresses == [
        "http://127.0.0.1:4300", "http://localhost:4300", "https://page.example.org",
    ]  # fmt: skip
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "/api")
    assert serve.Serve(port=4300).addresses == ["http://127.0.0.1:4300", "http://localhost:4300"]
