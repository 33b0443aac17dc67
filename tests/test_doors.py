"""Declared dependencies are imported, each by the file that it names; some are imported by few files, listed here."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = (
    "commands",
    "deployments",
    "flows",
    "tasks",
    "alignments",
    "translation",
    "filters",
    "discourse",
    "corpus",
    "research",
    "syntax",
    "core",
)
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
NOT_IMPORTED = {"opustools", "protobuf", "fastapi", "s3fs", "accelerate", "nvidia-cublas-cu12"}
"""Dependencies of files that do not import them themselves; pyproject.toml has the reasons."""
IMPORTERS = {
    "bert_score": {"filters/neural/reference.py"},
    "ctranslate2": {"translation/kernels.py"},  # it sets a variable that is read during the import
    "huggingface_hub": {
        "core/hub/failures.py", "core/hub/hub_client.py", "corpus/front_matter.py", "corpus/publish.py",
        "corpus/reading.py", "research/models/card.py",
    },
    "lemminflect": {"discourse/inflection.py", "filters/english_words.py", "syntax/main_clauses.py"},
    "matplotlib": {"corpus/plots.py"},
    "orjson": {"corpus/formats.py", "corpus/joining.py"},  # it escapes the line breaks of Unicode
    "pyarrow": {
        "core/storage/arrow.py", "core/storage/received.py", "core/storage/shards.py", "core/text_files.py",
        "corpus/croissant.py", "corpus/data_set_files.py", "corpus/row_output.py", "corpus/schema.py",
        "corpus/verifying.py",
    },
    "safetensors": {"core/hub/weights.py", "research/models/generate.py", "research/models/pair_classifier.py"},
    "simplediff": {"research/metrics/ppdb.py", "syntax/labelling/diffs.py"},
    "spacy": {"syntax/parsing.py"},
    "sqlalchemy": {"deployments/database.py", "deployments/server.py"},
    "upath": {"core/storage/folders.py"},
}  # fmt: skip
"""The only files that import a library: it is heavy, or there is one way to use it."""


def imported(path: Path) -> set[str]:
    """Top-level names that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


def plain(requirement: str) -> str:
    """Name of a distribution in normal form, without its version."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", requirement)[0]).lower()


def named() -> dict[str, list[str]]:
    """The files that pyproject.toml names for each dependency, those of the extras included."""
    project = PYPROJECT.partition("[project.scripts]")[0]
    lines = re.findall(r'^    ("[^"\n]+"),  # ([\w./]+)', project, re.MULTILINE)
    lines += re.findall(r"^\w+ = \[(.+)\]  # (.+)$", project, re.MULTILINE)
    return {
        plain(name): files.split(", ")
        for names, files in lines
        for name in re.findall(r'"([^"]+)"', names)
    }


def importers() -> dict[str, set[str]]:
    """The files that import each distribution."""
    installed = packages_distributions()
    found: dict[str, set[str]] = {}
    for path in FILES:
        for module in (
            imported(path)
            - sys.stdlib_module_names
            - {"bitext_pivot", *FOLDERS, *(file.stem for file in FILES)}
        ):
            for name in installed.get(module, [module]):
                found.setdefault(plain(name), set()).add(str(path.relative_to(ROOT)))
    return found


def test_every_dependency_is_imported_by_the_files_that_it_names() -> None:
    project, files = tomllib.loads(PYPROJECT)["project"], importers()
    assert {*map(plain, project["dependencies"])} <= named().keys()
    assert [
        file for paths in named().values() for file in paths if not (ROOT / file).exists()
    ] == []
    unused = {
        name: paths
        for name, paths in named().items()
        if not any(file.startswith(tuple(paths)) for file in files.get(name, ()))
    }
    assert unused.keys() == NOT_IMPORTED


def test_every_import_is_a_dependency_of_its_file() -> None:
    declared = {*map(plain, tomllib.loads(PYPROJECT)["project"]["dependencies"])}
    stray = [
        (name, file)
        for name, files in importers().items()
        for file in files
        if name not in declared and not file.startswith(tuple(named().get(name, ["nowhere"])))
    ]
    assert stray == []


@pytest.mark.parametrize("library", IMPORTERS)
def test_a_library_is_imported_by_its_files_alone(library: str) -> None:
    files = {str(path.relative_to(ROOT)) for path in FILES if library in imported(path)}
    assert files == IMPORTERS[library]


def test_extras_that_are_missing_are_named_as_they_are_declared() -> None:
    extras = tomllib.loads(PYPROJECT)["project"]["optional-dependencies"]
    required = {
        (str(call.args[0].value), str(call.args[1].value))
        for path in FILES
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "extras.require"
        and isinstance(call.args[0], ast.Constant) and isinstance(call.args[1], ast.Constant)
    }  # fmt: skip
    loaded_by_path = {"cuda"}
    assert {extra for _, extra in required} == extras.keys() - {"dev"} - loaded_by_path
    installed = packages_distributions()
    for module, extra in required:
        assert {*map(plain, installed.get(module, [module]))} & {*map(plain, extras[extra])}, module


OPENERS = {
    "core/storage/received.py": "the gate: files that somebody else may have written",
    "core/text_files.py": "text files that a user names, behind core/input_files.py",
    "core/damage.py": "a table of the package",
    "core/data.py": "tables of the package; JSON texts that were read before",
    "core/hub/processor.py": "/proc/cpuinfo",
    "core/storage/atomic.py": "files that are written here; the value of a checksum",
    "core/storage/store.py": "rows of a store, each with its checksum",
    "alignments/catalogue/entries.py": "lists that its own query makes",
    "alignments/catalogue/opusdata.py": "the catalogue of the package opustools",
    "alignments/download/part.py": "the part of a download",
    "discourse/reading/multiway.py": "rows of a file written here",
    "alignments/screening/boilerplate.py": "a table of the package",
    "alignments/sizes.py": "archives, whose readers have limits of their own",
    "alignments/texts/lines.py": "members of a zip",
    "alignments/xces/links.py": "archives, whose readers have limits of their own",
    "alignments/xces/sentences.py": "members of a zip",
    "alignments/zips.py": "archives, whose readers have limits of their own",
    "translation/apertium.py": "a mode of the program that is installed",
    "translation/cached.py": "rows of a store",
    "filters/neural/bertscore.py": "keys of a store",
    "filters/neural/judge.py": "keys of a store",
    "filters/neural/known_good.py": "a table of the package",
    "corpus/citation.py": "a table of the package",
    "corpus/croissant.py": "a table of the package",
    "corpus/offline_page.py": "pages of the package",
    "corpus/rebuild.py": "a card that the user names, behind `refuse_others`",
    "research/metrics/fkgl.py": "a dictionary of the package",
    "research/models/card.py": "a table of the package",
    "tasks/run/artifacts.py": "plots that this run has written",
    "tasks/run/targets.py": "the parts of a key, as JSON has them",
    "core/outside.py": "a file of code that the command line of the user names",
    "core/servers.py": "a log that is written here",
    "commands/main.py": "the null device",
    "commands/show.py": "a browser",
    "deployments/processes.py": "states of the server, readable for the user only",
}
"""The only files that open a file or parse JSON, each with what it is."""


def opens(path: Path) -> bool:
    """Return True if a file of code opens a file, reads one or parses JSON."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            name = called.rpartition(".")[2]
            if name in {"open", "read_text", "read_bytes"} or called in {"json.load", "json.loads"}:
                return True
    return False


def test_what_others_wrote_is_opened_by_one_module() -> None:
    opening = {str(path.relative_to(ROOT)) for path in FILES if opens(path)}
    assert sorted(opening - OPENERS.keys()) == []
    unused = OPENERS.keys() - opening - {"core/text_files.py"}  # its openers are in a table
    assert sorted(unused) == []
