"""A fresh clone with an environment of its own, and mirrors of OPUS and of the model hub with the quickstart's data."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import documents
import hubs
import web

ROOT = Path(__file__).parents[1]
MODELS, OPUS = ROOT / "quickstart" / "models", ROOT / "quickstart" / "opus"
INDEX = re.compile(r"(?:PIP|UV)_\w+|SSL_CERT_\w+|(?i:https?_proxy|no_proxy)")
"""Variables by which this machine reaches its package index; pip's configuration and its cache are in the home."""
PIPELINE = "en_core_web_sm"
PAIRS = (
    "It was raining, so we stayed at home.\tIt was raining. <SEP> We stayed at home.\n"
    "The dog barked because the postman rang twice.\tThe postman rang twice. <SEP> The dog barked.\n"
)
INIT = """\
from spacy.util import load_model_from_init_py

def load(**options):
    return load_model_from_init_py(__file__, **options)
"""


class Clone:
    """A clone in a folder of its own with an empty home; commands run there see only what a new user has set."""

    def __init__(self, folder: Path, addresses: dict[str, str]) -> None:
        self.root = folder / "clone"
        self.output = folder / "output.txt"
        programs = [str(Path(sys.base_prefix) / "bin"), "/usr/bin", "/bin"]
        self.environment = {
            "HOME": str(folder / "home"),
            "PATH": os.pathsep.join(programs),
            **addresses,
        }
        (folder / "home").mkdir()

    def run(self, commands: Sequence[str], within: float, **environment: str) -> tuple[int, str]:
        """Run commands in one shell, which ends with the first that fails; return its status and what was printed."""
        script = "\n".join(
            ["set -o pipefail", "trap 'echo \"failed: $BASH_COMMAND\"' ERR", *commands]
        )
        # A file, because a server started here would keep a pipe open.
        with self.output.open("wb") as output:
            done = subprocess.run(
                ["bash", "-e", "-c", script], cwd=self.root, env=self.environment | environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, timeout=within,
            )  # fmt: skip
        return done.returncode, self.output.read_text(encoding="utf-8", errors="replace")

    def set_up(self) -> None:
        """Clone the tracked files as they are now, install as `make` does, add a stand-in for spaCy's pipeline."""
        # `git stash create` makes a commit of uncommitted changes without stashing them.
        commit = _git("stash", "create") or "HEAD"
        _git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(self.root))
        subprocess.run(
            ["git", "checkout", "--quiet", _git("rev-parse", commit)], cwd=self.root, check=True
        )
        if (ROOT / ".venv" / ".setup").exists():
            self._copy_environment()
        index = {name: value for name, value in os.environ.items() if INDEX.fullmatch(name)}
        index["HOME"] = os.environ["USERS_HOME"]
        wheel = pipeline_wheel(self.root.parent)
        status, printed = self.run(
            ["make setup", f".venv/bin/pip install --quiet --no-deps {wheel}"], 1800, **index
        )
        assert status == 0, printed[-3_000:]
        (self.root / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
        sources, references = zip(*(line.split("\t") for line in PAIRS.splitlines()), strict=True)
        files = {
            "test.src": sources,
            "test.dst": references,
            "outputs.txt": references,
            "other.txt": sources,
        }
        for name, lines in files.items():
            (self.root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _copy_environment(self) -> None:
        """Copy the environment that `make setup` made in this repository, minutes faster than to install it again.

        The files are hard links, except those that contain the repository's path.
        """
        old, new = ROOT / ".venv", self.root / ".venv"
        shutil.copytree(old, new, symlinks=True, copy_function=_link)
        files = [
            new / "pyvenv.cfg",
            *(new / "bin").glob("*"),
            *new.glob("lib/python*/site-packages/__editable__*"),
        ]
        for path in files:
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            if bytes(ROOT) in content:
                mode = path.stat().st_mode
                path.unlink()
                path.write_bytes(content.replace(bytes(ROOT), bytes(self.root)))
                path.chmod(mode)
        (new / ".setup").unlink()
        (new / ".setup").touch()  # newer than the files of the clone


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another disk
        shutil.copy2(source, target)


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", "-c", "user.name=tests", "-c", "user.email=tests@localhost", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def pipeline_wheel(folder: Path) -> Path:
    """Write the quickstart's parser as a wheel by the name of spaCy's small English pipeline."""
    meta = json.loads((MODELS / "spacy-en-ud" / "meta.json").read_text(encoding="utf-8"))
    meta |= {"name": PIPELINE.removeprefix("en_"), "version": "3.8.0"}
    inside, about = f"{PIPELINE}/{PIPELINE}-3.8.0", f"{PIPELINE}-3.8.0.dist-info"
    path = folder / f"{PIPELINE}-3.8.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file in (MODELS / "spacy-en-ud").rglob("*"):
            if file.is_file() and file.name != "meta.json":
                wheel.write(file, f"{inside}/{file.relative_to(MODELS / 'spacy-en-ud')}")
        wheel.writestr(f"{PIPELINE}/__init__.py", INIT)
        for place in (PIPELINE, inside):
            wheel.writestr(f"{place}/meta.json", json.dumps(meta))
        wheel.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {PIPELINE}\nVersion: 3.8.0\n"
        )
        wheel.writestr(
            f"{about}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{about}/RECORD", "")
    return path


def write_hub(root: Path) -> Path:
    """Write the quickstart's model under the names of OPUS-MT, in the layout of 2020; other formats are traps.

    There is a model for French, the default, and for each language whose model the commands of the documents name.
    """

    import torch
    from safetensors.torch import load_file

    named = re.findall(
        r"Helsinki-NLP/(opus-mt-\w+-en)", "".join(block.text for block in documents.blocks())
    )
    for model in {"opus-mt-fr-en", *named}:
        folder = root / "Helsinki-NLP" / model
        shutil.copytree(
            MODELS / "marian-frdees-en",
            folder,
            ignore=shutil.ignore_patterns("CARD.md", "*.safetensors"),
        )
        weights = load_file(MODELS / "marian-frdees-en" / "model.safetensors")
        torch.save(weights, folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
        for name in ("README.md", "metadata.json", "rust_model.ot", "tf_model.h5"):
            (folder / name).write_text("Nothing reads this.", encoding="utf-8")
    return root


def _everyday(name: str) -> str:
    """Return a file of the quickstart's bitext for one of any corpus, release and language; French if there is none."""
    name = re.sub(r"^OPUS-[^/]+/[^/]+/", "OPUS-Everyday/v1/", name)
    return name if (OPUS / name).exists() else re.sub(r"(/en-|/raw/)\w+\.", r"\1fr.", name)


@contextmanager
def fresh(folder: Path, **environment: str) -> Iterator[Clone]:
    """Yield a clone that is set up, with both mirrors up as long as the block lasts."""
    with (
        hubs.serve(write_hub(folder / "hub")) as hub,
        web.serve(web.files(OPUS, _everyday)) as address,
    ):
        clone = Clone(
            folder, {"HF_ENDPOINT": hub.address, "BITEXT_PIVOT_OPUS": address, **environment}
        )
        clone.set_up()
        try:
            yield clone
        finally:
            clone.run(["make stop"], 300)
