"""Texts of strangers: secrets become stars, control characters become escapes, all else stays."""

import logging
import unicodedata
from collections.abc import Callable, Iterator
from io import StringIO
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core import untrusted
from bitext_pivot.core.errors import BuildError, DamagedError, SettingsError
from bitext_pivot.core.untrusted import safe, shown

SECRET = 'sk-Ge"he/im+ü<&%>-98765'
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "in an address": lambda text: quote(text, safe=""),
    "in a path": quote,
    "glued": lambda text: f"key{text}key",
}


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BITEXT_PIVOT_ENDPOINT_KEY", SECRET)
    return SECRET


@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_secret_is_hidden(spell: Callable[[str], str], secret: str) -> None:
    spelt = spell(secret)
    for text in (shown(f"Wrong key {spelt}, sorry"), safe(f"Wrong key {spelt}, sorry")):
        assert "***" in text and text.startswith("Wrong key ") and text.endswith(", sorry")
        assert "sk-Ge" not in text and "98765" not in text


@pytest.mark.parametrize("name", [
    "BITEXT_PIVOT_ENDPOINT_KEY", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
    "PGPASSWORD", "WANDB_API_KEY", "PREFECT_API_AUTH_STRING", "MLFLOW_TRACKING_PASSWORD", "GITHUB_TOKEN",
])  # fmt: skip
def test_variables_with_a_secret_are_known_by_their_names(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "user:pass-of-mine-1")
    assert shown("user:pass-of-mine-1 and pass-of-mine-1") == "*** and ***"


@pytest.mark.parametrize(("name", "address"), [
    ("BITEXT_PIVOT_OPUS", "https://me:pass-of-mine%2F1@host/opus"), ("HTTPS_PROXY", "http://:pass-of-mine%2F1@proxy:1"),
    ("BITEXT_PIVOT_SERVE_DATABASE", "postgresql://me:pass-of-mine%2F1@host/x"),
    ("PREFECT_SERVER_DATABASE_CONNECTION_URL", "postgresql://host/x?user=me&password=pass-of-mine%2F1"),
    ("BITEXT_PIVOT_BUILDS", "s3://me:pass-of-mine%2F1@bucket/x"), ("PIP_INDEX_URL", "https://pass-of-mine%2F1@host/x"),
    ("BITEXT_PIVOT_ENDPOINT", "https://host/v1?X-Amz-Signature=pass-of-mine%2F1&x=y"),
])  # fmt: skip
def test_passwords_in_addresses_are_known(
    name: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, address)
    assert shown("password pass-of-mine/1 of host") == "password *** of host"
    assert shown(f"no {address}") == f"no {address.replace('pass-of-mine%2F1', '***')}"


@pytest.mark.parametrize("name", ["MY_TOKEN", "BITEXT_PIVOT_ENDPOINT_KEY", "PGPASSWORD"])
@pytest.mark.parametrize("value", ["data", "EMPTY", "true", "", " ", "seven77", "me:data"])
def test_a_short_value_is_a_word_of_any_message(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    text = "data/fr-en and EMPTY, true, seven77, sk-abc***nop"
    assert shown(text) == text


@pytest.mark.parametrize(
    "address", ["https://data@host", "https://me:data@host", "http://:data@proxy:1"]
)
def test_a_short_word_of_an_address_stays(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", address)
    assert shown("data/fr-en") == "data/fr-en"


def test_a_secret_that_was_given_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untrusted, "_given", set())
    untrusted.keep_secret(None, "", "of-a-file-12345")
    untrusted.keep_address("https://me:in-an-address-1@host")
    assert shown("of-a-file-12345 in-an-address-1") == "*** ***"


CONTROLS = [
    *map(chr, (*range(32), *range(127, 160))),
    *"\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff",
]
CONTROLS += ["\ud800", "\udfff", "\ufffe", "\U000e0041"]


@pytest.mark.parametrize("character", CONTROLS, ids=lambda character: f"{ord(character):04x}")
def test_a_control_character_is_escaped_or_a_space(character: str) -> None:
    text = shown(f"a{character}b")
    assert text == "a b" if character.isspace() else text.startswith("a\\") and text.endswith("b")
    assert text.isascii() and text.isprintable()


@pytest.mark.parametrize(
    "text", ["Größe: 5 µm", "日本語", "نَص", "می‌خواهم", "👩‍👩‍👧", "C:\\new\\x1b", "a\u00a0b"]
)
def test_other_characters_stay(text: str) -> None:
    assert safe(text) == text


@given(st.text(), st.integers(10, 300))
def test_what_is_shown_is_one_short_line(text: str, limit: int) -> None:
    line = shown(text, limit)
    assert len(line) <= limit and line == safe(line) and len(line.splitlines()) <= 1
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cs", "Zl", "Zp"}


def test_a_secret_that_is_cut_is_hidden(secret: str) -> None:
    assert "sk-Ge" not in shown("x" * 190 + f" {secret}", 200)
    assert "sk-Ge" not in shown("x" * 9_980 + f" {secret}", 20_000)


@pytest.mark.parametrize("kind", [BuildError, SettingsError, lambda text: DamagedError(None, text)])  # type: ignore[arg-type]
def test_the_message_of_an_error_is_safe(kind: Callable[[str], Exception], secret: str) -> None:
    assert str(kind(f"key {secret}\nline \x1b[31m")) == "key ***\nline \\x1b[31m"


@pytest.fixture
def log() -> Iterator[StringIO]:
    """The log of this process, guarded."""
    factory, stream = logging.getLogRecordFactory(), StringIO()
    handler = logging.StreamHandler(stream)
    logging.getLogger("strange").addHandler(handler)
    untrusted.guard_logs()
    yield stream
    logging.getLogger("strange").removeHandler(handler)
    logging.setLogRecordFactory(factory)


def test_logs_are_safe_with_arguments_and_tracebacks(secret: str, log: StringIO) -> None:
    try:
        try:
            raise ValueError(f"cause {secret}")
        except ValueError as cause:
            raise KeyError(f"error {secret} \x1b") from cause
    except KeyError:
        logging.getLogger("strange").exception("%s said %r \x9b1m", "server", secret)
    text = log.getvalue()
    assert text.startswith("server said '***' \\x9b1m\n") and "cause ***" in text
    assert "Ge" not in text and "\x1b" not in text


def test_an_error_that_nothing_expected_is_printed_safely(
    secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    untrusted.print_traceback(ValueError, ValueError(f"{secret} \x07"), None)
    assert capsys.readouterr().err == "ValueError: *** \\x07\n"
