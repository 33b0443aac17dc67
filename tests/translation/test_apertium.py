import os
import shutil
import stat
from pathlib import Path

import pytest
from marian_models import texts

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.translation.apertium import Apertium
from bitext_pivot.translation.models import Translation, load

installed = (
    shutil.which("apertium") is not None and Path("/usr/share/apertium/modes/spa-eng.mode").exists()
)
needs_apertium = pytest.mark.skipif(not installed, reason="needs apertium with apertium-eng-spa")
SPANISH = [
    "El gato negro duerme en la casa de mi madre.",
    "¿Dónde vive el médico nuevo?",
    "Mañana no podré ir al mercado",
    "La lluvia [según dijo] llegará el 3/4, o sea: @ las 5.",
    "Xyzzyqa come pan. Y después bebe agua.",
    "Escribe a ana@ejemplo.es, cuesta 5$ ^hoy^ {aquí} \\ allí <ya>.",
    "Esperamos...",
    "Esperamos…",
    "«Ven», dijo.",
]


@pytest.fixture(scope="module")
def apertium() -> Apertium:
    return Apertium("spa-eng")


def fake(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Apertium:
    """An `apertium` that does what the script says with the texts on its input."""
    program, modes = folder / "bin" / "apertium", folder / "share" / "apertium" / "modes"
    modes.mkdir(parents=True)
    (modes / "spa-eng.mode").write_text("cat")
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\n[ "$1" = -V ] && echo "Apertium 9.9" && exit 0\n{script}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("APERTIUM_DATADIR", raising=False)
    return Apertium("spa-eng")


@needs_apertium
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "El gato negro duerme en la casa de mi madre.",
            "The black cat sleeps in the house of my mother.",
        ),
        ("El gato\r\n\x0bnegro\t", "The black cat"),
        ("La casa", "The house"),
        ("La casa.", "The house."),
        ("La casa...", "The house..."),
        ("gato " * 20_000, ""),
    ],
)
def test_spanish_becomes_english_with_single_spaces_and_final_stop(
    text: str, expected: str, apertium: Apertium
) -> None:
    assert texts(apertium, [text]) == [expected]


@needs_apertium
def test_a_translation_depends_on_the_text_alone(apertium: Apertium) -> None:
    alone = [texts(apertium, [text])[0] for text in SPANISH]
    assert texts(apertium, SPANISH) == alone
    assert texts(apertium, SPANISH[::-1] * 3) == alone[::-1] * 3


@needs_apertium
def test_unknown_words_and_reserved_characters_are_kept_as_they_are(apertium: Apertium) -> None:
    unknown, reserved = texts(apertium, SPANISH[4:6])
    assert "Xyzzyqa" in unknown and "*" not in unknown
    assert [
        sign for sign in ("ana@", "$", "^", "{", "}", "\\", "<", ">") if sign not in reserved
    ] == []


@needs_apertium
@pytest.mark.parametrize("text", ["Vengo.[#1]", "[#0]", "a\\", ".", "[", "\\[#0]", "]\\"])
def test_text_like_the_protocol_does_not_break_it(text: str, apertium: Apertium) -> None:
    first, output, last = texts(apertium, ["El gato.", text, "La casa."])
    assert (first, last) == ("The cat.", "The house.")
    assert output == texts(apertium, [text])[0] != ""


@needs_apertium
def test_the_signature_has_version_and_mode_and_no_folder(
    apertium: Apertium, tmp_path: Path
) -> None:
    assert apertium.signature.startswith("apertium 3.") and " spa-eng@" in apertium.signature
    assert "/" not in apertium.signature
    assert Apertium("eng-spa").signature != apertium.signature
    assert (
        load(Translation(engine="apertium"), "es", "en", models_folder=tmp_path).signature
        == apertium.signature
    )


@needs_apertium
def test_a_direction_that_is_not_installed_lists_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"'fra-eng' is no direction that Apertium has here.*Known: .*spa-eng"
    ):
        load(Translation(engine="apertium"), "fr", "en", models_folder=tmp_path)


def test_without_apertium_the_message_names_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        SettingsError, match=r"not installed.*apt-get install apertium apertium-eng-spa"
    ):
        Apertium("spa-eng")


def test_texts_are_escaped_and_unescaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = ["uno", "[dos]", "tres.", "cuatro\\"]
    assert texts(fake(tmp_path, "cat", monkeypatch), sources) == sources


@pytest.mark.parametrize("script", ["exit 0", "tr -d '\\000'", "head -c 8", "sed 's/#1/#0/'"])
def test_outputs_that_are_lost_or_merged_fail_the_shard(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ShardError, match=r"Apertium lost text [01]: .*\[#[01]\]"):
        fake(tmp_path, script, monkeypatch).translate(["uno", "dos"])


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo 'dictionary missing' >&2; exit 3", r"\(.*exit status 3.*dictionary missing\)"),
        ("printf '\\377'", r"\('utf-8' codec"),
    ],
)
def test_a_failing_program_is_quoted(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ShardError, match=f"Apertium failed on 1 texts {message}"):
        fake(tmp_path, script, monkeypatch).translate(["uno"])


def test_the_signature_changes_with_the_language_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fake(tmp_path, "cat", monkeypatch).signature
    data = tmp_path / "rules.bin"
    mode = tmp_path / "share" / "apertium" / "modes" / "spa-eng.mode"
    signatures = {before}
    for rules in ("old", "new"):
        data.write_text(rules)
        mode.write_text(f"lt-proc '{data}'")
        signatures.add(Apertium("spa-eng").signature)
    assert len(signatures) == 3
    assert not [signature for signature in signatures if str(tmp_path) in signature]
