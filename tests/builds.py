"""Settings and corpora of the builds that several test files make."""

import gzip
import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bitext_pivot.tasks.run.targets import read_key

QUICKSTART = Path(__file__).parents[1] / "quickstart"
DOCUMENTS = {
    "garden": (
        ["The gardener planted a tree and he watered the roses."],
        ["The gardener planted a tree.", "Then he watered the roses."],
    ),
    "school": (
        ["The teacher opened the window.", "The room was too warm."],
        ["The teacher opened the window because the room was too warm."],
    ),
    "list": (
        ["The farmer sold his old horse and bought a tractor."],
        ["A list of things.", "He bought a tractor."],
    ),
    "alone": (["This sentence is aligned with one."], ["This sentence is aligned with one."]),
}
"""Documents of the corpus Tiny/v1: both sides are English, so that the engine echo translates them well."""
FIVE = DOCUMENTS | {
    "market": (
        ["My sister went to the market and she bought ten eggs."],
        ["My sister went to the market.", "She bought ten eggs there."],
    ),
    "dog": (
        ["The old dog slept in the kitchen.", "It was tired."],
        ["The old dog slept in the kitchen because it was tired."],
    ),
}
"""Documents for a build of five shards."""


def tree(folder: Path) -> dict[str, bytes]:
    """Return all files of a data set, by their path in it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def files_without_checksum(folder: Path) -> set[str]:
    """Return the files of a data set that SHA256SUMS does not list, or with another digest; two have none."""
    listed = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    lines = {
        f"{hashlib.sha256(data).hexdigest()}  {name}": name for name, data in tree(folder).items()
    }
    without = {name for line, name in lines.items() if line not in listed}
    return without - {"SHA256SUMS", "manifest.json"}


def rows(folder: Path, kind: str = "pairs") -> list[dict[str, Any]]:
    """Return the rows of a data set of the kind `pairs` or `rejected`, in order."""
    files = sorted((folder / kind).glob("*.jsonl"))
    return [
        json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()
    ]


READ = {
    "input", "corpus", "release", "source", "sources", "records", "candidates", "shards", "held out",
}  # fmt: skip
"""Parts of the keys of shards that say what was read."""


def unlisted_parts(form: Any, site: Any, *builds: str) -> list[str]:
    """Return the parts of the keys of shards in folders of builds that no stage of the recipe has."""
    parts = {stage.writes: READ | stage.parts.keys() for stage in form.stages(site)}
    shards = [path for name in builds for path in site.build_folder(name).glob("*/*.parquet")]
    assert shards
    unlisted = set()
    for path in shards:
        key = read_key(path)
        assert key
        listed = parts.get(path.parent.name.rpartition("-")[0], READ)
        unlisted |= {f"{path.parent.name}: {part}" for part in key.keys() - listed}
    return sorted(unlisted)


def unnoticed_changes(form: Any, site: Any, monkeypatch: Any) -> list[str]:
    """Change each part of the key of each stage of a finished build; return those with which it counts as finished."""
    from bitext_pivot.tasks.ahead.inventory import finished_before

    stages = list(form.stages(site))
    missed = []
    for number, stage in enumerate(stages):
        for part in stage.parts:
            another = stage._replace(parts={**stage.parts, part: "another"})
            changed = [*stages[:number], another, *stages[number + 1 :]]
            with monkeypatch.context() as patch:
                patch.setattr(type(form), "stages", lambda *_, changed=changed: changed)
                if finished_before(form, site) is not None:
                    missed.append(f"{stage.name}: {part}")
    assert stages
    return missed


def quickstart(**changes: Any) -> dict[str, Any]:
    """Return settings of a build of the quickstart's French bitext with its own models."""
    return {
        "pivot": "fr", "corpora": ["Everyday/v1"], "shard_rows": 40,
        "translation": {"model": "quickstart/models/marian-frdees-en"},
        "parser": {"pipeline": "quickstart/models/spacy-en-ud"}, "filters": {"preset": "strict"}, **changes,
    }  # fmt: skip


def tiny(**changes: Any) -> dict[str, Any]:
    """Return settings of a build of the corpus Tiny/v1 with the engine echo, one alignment per shard."""
    return {
        "corpora": ["Tiny/v1"], "shard_rows": 1, "translation": {"engine": "echo"},
        "parser": {"pipeline": str(QUICKSTART / "models" / "spacy-en-ud")}, "filters": {"preset": "rules"},
        "screening": {"language": {"enabled": False}}, **changes,
    }  # fmt: skip


def write_corpus(
    opus: Path, documents: Mapping[str, tuple[list[str], list[str]]], foreign: str = "fr"
) -> Path:
    """Write Tiny/v1 of English and another language with one link per document, in OPUS' layout; return `opus`."""
    root = opus / "OPUS-Tiny" / "v1"
    for name in ("xml", "raw"):
        (root / name).mkdir(parents=True, exist_ok=True)
    groups = []
    for name, sides in documents.items():
        targets = ";".join(" ".join(str(n) for n, _ in enumerate(side, 1)) for side in sides)
        head = f'<linkGrp fromDoc="en/{name}.xml.gz" toDoc="{foreign}/{name}.xml.gz">'
        groups.append(f'{head}\n<link xtargets="{targets}" />\n</linkGrp>')
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<cesAlign version="1.0">',
        *groups,
        "</cesAlign>\n",
    ]
    (root / "xml" / f"en-{foreign}.xml.gz").write_bytes(
        gzip.compress("\n".join(lines).encode(), mtime=0)
    )
    for place, language in enumerate(("en", foreign)):
        with zipfile.ZipFile(root / "raw" / f"{language}.zip", "w") as archive:
            for name, sides in documents.items():
                inner = "".join(f'<s id="{n}">{text}</s>' for n, text in enumerate(sides[place], 1))
                archive.writestr(f"Tiny/raw/{language}/{name}.xml", f"<document>{inner}</document>")
    return opus
