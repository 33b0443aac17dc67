"""What may reach the server."""

import socket

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.deployments import serve
from bitext_pivot.deployments.access import PASSWORD, check_host, check_port

OPEN = [
    ("0.0.0.0", ""),
    ("::", ""),
    ("192.0.2.7", "nocolon"),
    ("example.org", ""),
    ("::", "user:"),
    ("::", ":secret"),
]


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


def test_a_free_port_is_accepted_and_a_foreign_address_refused() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    check_port("127.0.0.1", port)
    with pytest.raises(
        SettingsError,
        match=rf"cannot listen on 192\.0\.2\.7, port {port} \(.*BITEXT_PIVOT_SERVE_HOST",
    ):
        check_port("192.0.2.7", port)


@pytest.mark.parametrize("port", ["abc", "0"])
def test_a_wrong_value_names_its_variable(port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_SERVE_PORT", port)
    with pytest.raises(SettingsError, match=r"^BITEXT_PIVOT_SERVE_PORT: expected"):
        serve.run("status")


def test_pages_of_the_public_address_may_use_the_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "https://page.example.org/prefect/api")
    assert serve.PrefectServer(port=4300).addresses == [
        "http://127.0.0.1:4300", "http://localhost:4300", "https://page.example.org",
    ]  # fmt: skip
    monkeypatch.setenv("PREFECT_SERVER_UI_API_URL", "/api")
    assert serve.PrefectServer(port=4300).addresses == [
        "http://127.0.0.1:4300",
        "http://localhost:4300",
    ]
