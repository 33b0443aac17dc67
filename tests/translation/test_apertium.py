import os
import shutil
import stat
from pathlib import Path

import pytest

from pairs.errors import SettingsError, ShardError
from translation.apertium import Apertium, mode_of
from translation.models import Translation, load

installed = shutil.which("apertium") is not None and Path("/usr/share/apertium/modes/spa-eng.mode").exists()
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
def test_spanish_becomes_english(apertium: Apertium) -> None:
    assert apertium.translate(SPANISH[:1]) == ["The black cat sleeps in the house of my mother."]


@needs_apertium
def test_a_text_is_translated_alike_alone_together_and_in_any_order(apertium: Apertium) -> None:
    alone = [apertium.translate([text])[0] for text in SPANISH]
    assert apertium.translate(SPANISH) == alone
    assert apertium.translate(SPANISH[::-1] * 3) == alone[::-1] * 3


@needs_apertium
def test_unknown_words_carry_no_mark(apertium: Apertium) -> None:
    written = apertium.translate([SPANISH[4]])[0]
    assert "Xyzzyqa" in written
    assert "*" not in written


@needs_apertium
def test_signs_of_apertium_s_own_format_come_through(apertium: Apertium) -> None:
    written = apertium.translate([SPANISH[5]])[0]
    for sign in ("ana@", "$", "^", "{", "}", "\\", "<", ">"):
        assert sign in written


@needs_apertium
@pytest.mark.parametrize("text", ["Vengo.[#1]", "[#0]", "a\\", ".", "[", "\\[#0]", "]\\"])
def test_a_text_that_looks_like_the_protocol_does_not_break_it(text: str, apertium: Apertium) -> None:
    first, written, last = apertium.translate(["El gato.", text, "La casa."])
    assert (first, last) == ("The cat.", "The house.")
    assert written == apertium.translate([text])[0] != ""


@needs_apertium
@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("El gato\nnegro", "El gato negro"),
        ("El gato\r\n negro\t", "El gato negro"),
        ("El gato\x0bnegro", "El gato negro"),
    ],
)
def test_a_line_break_is_a_blank(text: str, same_as: str, apertium: Apertium) -> None:
    assert apertium.translate([text]) == apertium.translate([same_as])


@needs_apertium
def test_blank_unsound_and_endless_texts_get_nothing_and_disturb_nobody(apertium: Apertium) -> None:
    texts = ["", "El gato.", "\0", "a\0b", "\ud83d", "gato " * 20_000, " ", "La casa."]
    assert apertium.translate(texts) == ["", "The cat.", "", "", "", "", "", "The house."]


@needs_apertium
def test_a_final_stop_is_neither_added_nor_lost(apertium: Apertium) -> None:
    assert [text[-1] for text in apertium.translate(["La casa", "La casa.", "¿La casa?", "La casa..."])] == list("e.?.")


@needs_apertium
def test_the_signature_names_version_and_mode_and_no_place(apertium: Apertium) -> None:
    assert apertium.signature.startswith("apertium 3.")
    assert " spa-eng@" in apertium.signature
    assert "/" not in apertium.signature
    assert Apertium("eng-spa").signature != apertium.signature


@needs_apertium
def test_it_is_found_by_the_codes_of_the_languages(tmp_path: Path) -> None:
    found = load(Translation(engine="apertium"), "es", "en", models_folder=tmp_path)
    assert found.translate(["La casa."]) == ["The house."]


@needs_apertium
def test_a_direction_that_is_not_installed_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"'fra-eng' is no direction that Apertium has here.*Known: .*spa-eng"):
        load(Translation(engine="apertium"), "fr", "en", models_folder=tmp_path)


def test_languages_have_three_letters_in_apertium() -> None:
    assert mode_of("es", "en") == "spa-eng"


def test_without_apertium_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match=r"not installed.*apt-get install apertium apertium-eng-spa"):
        Apertium("spa-eng")


def test_an_engine_that_hands_the_texts_through_gives_them_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["uno", "[dos]", "tres.", "cuatro\\"]
    assert fake(tmp_path, "cat", monkeypatch).translate(texts) == texts


@pytest.mark.parametrize("script", ["exit 0", "tr -d '\\000'", "head -c 8", "sed 's/#1/#0/'"])
def test_outputs_that_are_lost_or_merged_fail_the_shard(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ShardError, match=r"Apertium lost text [01]: .*\[#[01]\]"):
        fake(tmp_path, script, monkeypatch).translate(["uno", "dos"])


def test_a_failing_program_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = fake(tmp_path, "echo 'dictionary missing' >&2; exit 3", monkeypatch)
    with pytest.raises(ShardError, match=r"Apertium failed on 1 texts \(.*exit status 3.*dictionary missing\)"):
        broken.translate(["uno"])


def test_bytes_that_are_no_utf8_fail_the_shard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = fake(tmp_path, "printf '\\377'", monkeypatch)
    with pytest.raises(ShardError, match="Apertium failed on 1 texts"):
        broken.translate(["uno"])


def test_the_signature_changes_with_the_language_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
