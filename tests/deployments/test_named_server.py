"""The server that PREFECT_API_URL names; that it learns of a stopped command: tests/flows/test_interrupt.py."""

import re

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
