"""Apertium, rule-based and without weights, as a subprocess: one process for many texts.

Texts travel in Apertium's stream format with a NUL behind each, at which every stage empties itself and forgets what
came before (null flush). Behind each text goes `.[#n]`: the full stop that Apertium's own deformatter adds at the end
of a text, and a blank, which comes out as it went in and tells which text this is.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pairs.errors import SettingsError, ShardError
from pairs.settings import choose
from translation.directions import three_letters
from translation.engine import translate_sound

_RESERVED = re.compile(r"([\\\[\]{}^$/@<>])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NAMED_FILE = re.compile(r"/[^\s'\"|]+")
_LONGEST = 10_000  # characters; more is no sentence, and the tagger slows down and drops repeated signs
_PATIENCE = 120.0  # seconds for the start, and as many again for each thousand texts


class Apertium:
    """One direction of Apertium; a word that it does not know stays as it is, without the mark `*`."""

    whole_groups = False

    def __init__(self, mode: str) -> None:
        """Find the program and the mode (`spa-eng`); raises SettingsError when either is not installed."""
        data = _data_folder()
        installed = sorted(path.stem for path in (data / "modes").glob("*.mode"))
        choose(mode, installed, what=f"direction that Apertium has here (apt-get install apertium-{mode}, perhaps)")
        self._command = ["apertium", "-d", str(data), "-f", "none", "-u", "-z", mode]
        self.signature = f"apertium {_version()} {mode}@{_digest(data, mode)}"

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Return one translation a text, in order, blanks run together; raises ShardError when texts are lost."""
        return translate_sound(texts, self._translate, "apertium")

    def _translate(self, texts: list[str]) -> list[str]:
        fit = [text if len(text) <= _LONGEST else "" for text in texts]
        stream = "".join(f"{_escape(text)}.[#{number}]\0" for number, text in enumerate(fit))
        fields = self._run(stream, len(fit)).split("\0")
        return [_unwrap(fields, number) if text else "" for number, text in enumerate(fit)]

    def _run(self, stream: str, texts: int) -> str:
        patience = _PATIENCE * (1 + texts / 1000)
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "AP_SETVAR": ""}
        try:
            done = subprocess.run(
                self._command, input=stream.encode(), capture_output=True, check=True, timeout=patience, env=environment
            )
            return done.stdout.decode()
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
            said = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()[-300:]
            raise ShardError(
                f"Apertium failed on {texts} texts ({error}; it said: {said or 'nothing'}). "
                "Expected one output a text; try its command by hand, mend the installation and run again."
            ) from error


def mode_of(pivot: str, language: str) -> str:
    """Return Apertium's name for a direction: `es`, `en` -> `spa-eng`."""
    return f"{three_letters(pivot)}-{three_letters(language)}"


def _escape(text: str) -> str:
    return _RESERVED.sub(r"\\\1", " ".join(text.split()))


def _unwrap(fields: Sequence[str], number: int) -> str:
    """Take the text out of the field of this number; raises ShardError when the field is not there or another's."""
    mark = f"[#{number}]"
    if number >= len(fields) or not fields[number].endswith(mark):
        raise ShardError(
            f"Apertium lost its place at text {number}: its output there does not end in {mark}, so which output "
            "belongs to which text is not known. Try another version of its language data, or another engine."
        )
    body = fields[number].removesuffix(mark).removesuffix(".")
    return " ".join(_ESCAPED.sub(r"\1", body).split())


def _data_folder() -> Path:
    """Return the folder whose `modes` Apertium reads; raises SettingsError when Apertium is not installed."""
    program = shutil.which("apertium")
    if program is None:
        raise SettingsError(
            "Apertium is not installed: there is no program 'apertium'. Install it with the data of its pair (on "
            "Debian: apt-get install apertium apertium-eng-spa), or choose another translation.engine."
        )
    stated = os.environ.get("APERTIUM_DATADIR")
    return Path(stated) if stated else Path(program).parent.parent / "share" / "apertium"


def _version() -> str:
    done = subprocess.run(["apertium", "-V"], capture_output=True, text=True, check=False)
    return done.stdout.removeprefix("Apertium").strip()


def _digest(data: Path, mode: str) -> str:
    """Return eight digits of the mode's pipeline and of every dictionary and rule file that it names, without paths."""
    pipeline = (data / "modes" / f"{mode}.mode").read_text(encoding="utf-8")
    total = hashlib.sha256(_NAMED_FILE.sub(lambda named: Path(named[0]).name, pipeline).encode())
    for named in map(Path, _NAMED_FILE.findall(pipeline)):
        if named.is_file():
            with named.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()[:8]
