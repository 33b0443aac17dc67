"""PostgreSQL by one setting: `make serve` works on it, names its log if it cannot work, and shows no password."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from builds import DOCUMENTS, tiny, write_corpus
from postgres import PASSWORD, QUOTED, USER, Postgres, postgres
from pydantic import SecretStr
from served import Page, served

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.deployments import database, serve

SECRETS = (PASSWORD, QUOTED)


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A PostgreSQL for these tests."""
    with postgres() as server:
        yield server


def refusal(address: str) -> str:
    """Return the message for an address, which never has the password."""
    with pytest.raises(SettingsError) as refused:
        database.server_variables(SecretStr(address), {})
    chain = f"{refused.value} {refused.value.__cause__}"
    assert not any(secret in chain for secret in SECRETS)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    return str(refused.value)


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "",
        "mysql://u:p%40ss%2Fword%3A77@h/d",
        "postgresql://u:p%40ss%2Fword%3A77@h:port/d",
    ],
)
def test_another_kind_of_address_is_refused(address: str) -> None:
    assert re.search(
        r"BITEXT_PIVOT_SERVE_DATABASE cannot be read .* Expected postgresql://user:password@host:5432/database",
        refusal(address),
    )


@pytest.mark.parametrize(
    "kind", ["postgresql", "postgres", "postgresql+psycopg2", "postgresql+asyncpg"]
)
def test_the_address_becomes_prefects_setting_with_its_driver(kind: str) -> None:
    place = f"{USER}:{QUOTED}@127.0.0.1:5432/prefect"
    found = database.server_variables(
        SecretStr(f"{kind}://{place}"), {"PGPASSWORD": "x", "HOME": "/h"}
    )
    assert found == {database.VARIABLE: f"postgresql+asyncpg://{place}", "PGPASSWORD": "x"}


def test_without_setting_it_is_sqlite_whose_address_is_kept() -> None:
    assert database.server_variables(None, {}) == {}
    address = "sqlite+aiosqlite:////data/prefect.db"
    assert database.server_variables(SecretStr(address), {}) == {database.VARIABLE: address}


def test_the_setting_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(database.SETTING, f"postgresql://{USER}:{QUOTED}@db/prefect")
    settings = serve.PrefectServer()
    assert settings.database is not None
    assert QUOTED in settings.database.get_secret_value() and QUOTED not in repr(settings)


def test_worker_and_runs_never_get_the_password() -> None:
    variables = {
        "PATH": "/bin",
        "PGPASSWORD": "x",
        "PREFECT_SERVER_DATABASE_PASSWORD": "x",
        database.SETTING: "x",
    }
    assert database.worker_variables(variables) == {"PATH": "/bin"}


@pytest.mark.nightly
def test_a_wrong_password_ends_the_server_and_the_reason_is_in_its_log(
    server: Postgres, tmp_path: Path
) -> None:
    page = Page(tmp_path, **{database.SETTING: server.address("prefect", "wrong-secret")})
    assert re.search(
        r"ended .*\. The reason is at the end of \S+server\.log", page.command("serve", fails=True)
    )
    log = (tmp_path / "prefect" / "server.log").read_text(encoding="utf-8")
    assert "password authentication failed" in log[-1000:] and "wrong-secret" not in log


@pytest.fixture(scope="module")
def page(server: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page on PostgreSQL, as `make serve` brings it."""
    opus = write_corpus(tmp_path_factory.mktemp("opus"), DOCUMENTS)
    setting = {database.SETTING: server.address("prefect"), "PREFECT_WORKER_QUERY_SECONDS": "1"}
    with served(tmp_path_factory.mktemp("page"), BITEXT_PIVOT_OPUS=str(opus), **setting) as page:
        yield page


@pytest.mark.nightly
def test_a_build_runs_on_postgresql_and_the_password_is_nowhere(
    page: Page, server: Postgres, tmp_path: Path
) -> None:
    run = page.run("fr-en", tiny(), tmp_path / "home")
    page.completes(run)
    assert server.sql("SELECT state_name FROM flow_run", "prefect") == "Completed"
    assert not list((page.home / "prefect").glob("*.db"))
    shown = [
        *page.command_lines(),
        *_files_of(page.home),
        *_files_of(tmp_path),
        *_answers(page),
    ]
    assert len(shown) > 20
    assert [text for text in shown if any(secret in text for secret in SECRETS)] == []
    assert not any(secret in json.dumps(page.part("worker").environ()) for secret in SECRETS)


def _files_of(folder: Path) -> Iterator[str]:
    yield from (
        path.read_bytes().decode(errors="replace") for path in folder.rglob("*") if path.is_file()
    )


def _answers(page: Page) -> Iterator[str]:
    for path in ("admin/settings", "admin/version", "health"):
        yield json.dumps(page.ask("GET", path))
    yield json.dumps(page.ask("POST", "logs/filter", {}))
    yield json.dumps(page.ask("POST", "flow_runs/filter", {}))
