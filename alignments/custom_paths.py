"""Derive the settings of the user's own bitext from a path alone, as in `--own memory.tmx`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.texts import table_files
from bitext_pivot.core import text_files
from bitext_pivot.core.text_files import COMPRESSED

_COMPRESSION_EXTENSIONS = ("", *sorted(COMPRESSED))


def settings_from_path(path: str | Path, language: str, pivot: str) -> dict[str, Any]:
    """Return the settings of a `CustomBitext` for a path. The file name becomes the corpus name.

    * `news.tmx`: a translation memory, which may be compressed (.gz, .bz2, .xz, .zst)
    * `news.en-fr.txt.zip`: a Moses zip in the layout of OPUS
    * `news.csv`, .tsv, .jsonl, .parquet ...: a table with the columns `en` and `fr`
    * `news`, `news.en` or `news.fr`: the two line files `news.en` and `news.fr`, which may be compressed

    Raises ValueError for any other path.
    """
    path = Path(path)
    if not path.name:
        raise ValueError(f"own {str(path)!r} is a folder; expected a file. Name a file.")
    path = path.with_suffix("") if path.suffix in {f".{language}", f".{pivot}"} else path
    plain = path.with_suffix("") if path.suffix in _COMPRESSION_EXTENSIONS[1:] else path
    if plain.suffix == ".tmx":
        return {"kind": "tmx", "name": name_from_stem(plain.stem), "file": path}
    if path.suffix == ".zip":
        return {"kind": "moses", "name": name_from_stem(path.name.partition(".")[0]), "file": path}
    if text_files.extension(path) in table_files.EXTENSIONS:
        return {"kind": "table", "name": name_from_stem(plain.stem), "file": path}
    language_file, pivot_file = _find_line_file(path, language), _find_line_file(path, pivot)
    if language_file and pivot_file:
        return {
            "kind": "lines",
            "name": name_from_stem(path.name),
            "language_file": language_file,
            "pivot_file": pivot_file,
        }
    if path.is_dir():
        raise ValueError(
            f"own {str(path)!r} is a folder; expected a file, because documents are not aligned. Align them with "
            "hunalign or vecalign, write TMX, and name that file (docs/bring-your-own.md#documents)."
        )
    raise ValueError(
        f"own {str(path)!r} is not bitext in {language!r} and {pivot!r}; expected memory.tmx, a Moses .zip, "
        f"a table (.csv, .tsv, .jsonl, .parquet), or {path.name} where {path.name}.{language} and "
        f"{path.name}.{pivot} are text files. "
        """For other names, or one with a comma or a bracket, write JSON: '["a, b.tmx"]' (docs/bring-your-own.md)."""
    )


def replace_paths(entries: Any, read: Callable[[Path], dict[str, Any]]) -> Any:
    """Return the list `entries`, in which each path is replaced by the settings that `read` returns.

    A value that is not a list is returned unchanged, so that pydantic refuses it. Raises ValueError if two paths lead
    to corpus names that are equal or differ only in case.
    """
    if not isinstance(entries, list | tuple):
        return entries
    settings: list[Any] = []
    paths: dict[str, Path] = {}
    for entry in entries:
        if not isinstance(entry, str | Path):
            if isinstance(entry, dict):
                entry = {"kind": "", **entry}  # without a kind, pydantic lists the kinds
            settings.append(entry)
            continue
        path = Path(entry)
        values = read(path)
        name = values["name"].casefold()
        if name in paths:
            raise ValueError(
                f"own: {paths[name]} and {path} would both be named {values['name']!r}; expected names that differ in "
                "more than case. Rename one file, or write JSON with a name (docs/bring-your-own.md)."
            )
        paths[name] = path
        settings.append(values)
    return settings


def _find_line_file(path: Path, language: str) -> Path | None:
    """Return the file with the lines of one language, or None if it does not exist.

    For the path `news` and `en`, it is `news.en` or a compressed file such as `news.en.gz`.
    """
    files = (
        path.with_name(f"{path.name}.{language}{packed}") for packed in _COMPRESSION_EXTENSIONS
    )
    return next((file for file in files if file.is_file()), None)
