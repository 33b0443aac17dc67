"""Translate with Apertium, which is rule-based, as a subprocess: one process for many texts.

Texts are sent in Apertium's stream format, separated by NUL, at which every stage flushes its output and resets its
state (null flush). `.[#n]` follows each text: the full stop that Apertium's own deformatter adds at the end of a text,
and a superblank, which is passed through unchanged and identifies the text.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.settings import choose
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.untrusted import shown
from bitext_pivot.translation.engine import TranslatedText

_RESERVED = re.compile(r"([\\\[\]{}^$/@<>])")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NAMED_FILE = re.compile(r"/[^\s'\"|]+")
_LONGEST = 10_000  # characters; on longer texts the tagger is slow and drops repeated characters
_TIMEOUT = 120.0  # seconds for the start, and as many again for each thousand texts


class Apertium:
    """One direction of Apertium. Unknown words stay as they are, without the prefix `*`."""

    gpus = 0

    def __init__(self, mode: str) -> None:
        """Find the program and the mode (`spa-eng`). Raises SettingsError if either is not installed."""
        data = _data_folder()
        installed = sorted(path.stem for path in (data / "modes").glob("*.mode"))
        choose(
            mode,
            installed,
            what=f"direction that Apertium has here (apt-get install apertium-{mode}, perhaps)",
        )
        self._command = ["apertium", "-d", str(data), "-f", "none", "-u", "-z", mode]
        version = subprocess.run(
            ["apertium", "-V"], capture_output=True, text=True, check=False
        ).stdout
        self.signature = (
            f"apertium {version.removeprefix('Apertium').strip()} {mode}@{_digest(data, mode)}"
        )

    def translate(self, texts: Sequence[str]) -> list[TranslatedText]:
        """Return one translation per text, in order, with single spaces and without confidence.

        Raises ShardError if texts are lost.
        """
        fit = [text if len(text) <= _LONGEST else "" for text in texts]
        escaped = [_RESERVED.sub(r"\\\1", " ".join(text.split())) for text in fit]
        stream = "".join(f"{text}.[#{number}]\0" for number, text in enumerate(escaped))
        fields = self._run(stream, len(fit)).split("\0")
        outputs = [_unwrap(fields, number) if text else "" for number, text in enumerate(fit)]
        return [TranslatedText(text=output, confidence=None) for output in outputs]

    def _run(self, stream: str, texts: int) -> str:
        timeout = _TIMEOUT * (1 + texts / 1000)
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "AP_SETVAR": ""}
        try:
            process = subprocess.run(
                self._command,
                input=stream.encode(),
                capture_output=True,
                check=True,
                timeout=timeout,
                env=environment,
            )
            return process.stdout.decode()
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
            output = (getattr(error, "stderr", None) or b"").decode(errors="replace").strip()[-300:]
            raise ShardError(
                f"Apertium failed on {texts} texts ({shown(error)}; its error output: {shown(output) or 'none'}). "
                "Expected one output per text; try its command by hand, repair the installation and run again."
            ) from error


def _unwrap(fields: Sequence[str], number: int) -> str:
    """Return the text in the field `number`. Raises ShardError if the field is missing or belongs to another text."""
    suffix = f"[#{number}]"
    if number >= len(fields) or not fields[number].endswith(suffix):
        raise ShardError(
            f"Apertium lost text {number}: its output does not end in {suffix}, so outputs cannot be assigned to "
            "texts. Expected one output per text; try another version of its language data, or another engine."
        )
    body = fields[number].removesuffix(suffix).removesuffix(".")
    return " ".join(_ESCAPED.sub(r"\1", body).split())


def _data_folder() -> Path:
    """Return the folder whose `modes` Apertium reads. Raises SettingsError if Apertium is not installed."""
    program = shutil.which("apertium")
    if program is None:
        raise SettingsError(
            "Apertium is not installed: there is no program 'apertium'. Install it with the data of its pair (on "
            "Debian: apt-get install apertium apertium-eng-spa), or choose another translation.engine."
        )
    folder = os.environ.get("APERTIUM_DATADIR")
    return Path(folder) if folder else Path(program).parent.parent / "share" / "apertium"


def _digest(data: Path, mode: str) -> str:
    """Return eight hexadecimal digits of the mode's pipeline and of the contents of all files that it names."""
    pipeline = (data / "modes" / f"{mode}.mode").read_text(encoding="utf-8")
    total = hashlib.sha256(_NAMED_FILE.sub(lambda match: Path(match[0]).name, pipeline).encode())
    for path in map(Path, _NAMED_FILE.findall(pipeline)):
        if path.is_file():
            total.update(bytes.fromhex(atomic.sha256(path)))
    return total.hexdigest()[:8]
