"""Settings for user-supplied bitext from a path alone, as in `--own memory.tmx`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.texts import table_files
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.text_files import COMPRESSED

_COMPRESSION_EXTENSIONS = ("", *sorted(COMPRESSED))


def settings_from_path(path: str | Path, language: str, pivot: str) -> dict[str, Any]:
    """Return the settings of `CustomBitextSetting` for a path; the corpus gets the name of the file.

    * `news.tmx`, also packed (.gz, .bz2, .xz, .zst): a translation memory
    * `news.en-fr.txt.zip`: a Moses zip as OPUS has it
    * `news.csv`, .tsv, .jsonl, .parquet ...: a table with the columns `en` and `fr`
    * `news`, `news.en` or `news.fr`, with the files `news.en` and `news.fr` (also packed): two line files

    Raises ValueError for any other path.
    """
    path = Path(path)
    if not path.name:
        raise ValueError(f"own {str(path)!r} is a folder: expected a file. Name one.")
    path = path.with_suffix("") if path.suffix in {f".{language}", f".{pivot}"} else path
    plain = path.with_suffix("") if path.suffix in _COMPRESSION_EXTENSIONS[1:] else path
    if plain.suffix == ".tmx":
        return {"kind": "tmx", "name": name_from_stem(plain.stem), "file": path}
    if path.suffix == ".zip":
        return {"kind": "moses", "name": name_from_stem(path.name.partition(".")[0]), "file": path}
    if row_files.ending(path) in table_files.EXTENSIONS:
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
            f"own {str(path)!r} is a folder: documents are not aligned here. Align them with hunalign or vecalign, "
            "write TMX, and name that file (docs/bring-your-own.md#documents)."
        )
    raise ValueError(
        f"own {str(path)!r} is no bitext in {language!r} and {pivot!r}: expected memory.tmx, a Moses .zip, "
        f"a table (.csv, .tsv, .jsonl, .parquet), or {path.name} where {path.name}.{language} and "
        f"{path.name}.{pivot} are text files. "
        """For other names, or one with a comma or a bracket, write JSON: '["a, b.tmx"]' (docs/bring-your-own.md)."""
    )


def replace_paths(entries: Any, read: Callable[[Path], dict[str, Any]]) -> Any:
    """Return entries with the settings that `read` returns in place of paths; what is no list, as it is.

    Raises ValueError, with the paths, if two of them are one corpus, or corpora whose names differ by case only.
    """
    if not isinstance(entries, list | tuple):
        return entries
    settings: list[Any] = []
    paths: dict[str, Path] = {}
    for entry in entries:
        if not isinstance(entry, str | Path):
            settings.append(entry)
            continue
        path = Path(entry)
        values = read(path)
        name = values["name"].casefold()
        if name in paths:
            raise ValueError(
                f"own: {paths[name]} and {path} are both the corpus {values['name']!r}; expected names that differ by "
                "more than case. Rename one, or write JSON with a name (docs/bring-your-own.md)."
            )
        paths[name] = path
        settings.append(values)
    return settings


def _find_line_file(path: Path, language: str) -> Path | None:
    """Return the line file of one language; None when there is none."""
    files = (
        path.with_name(f"{path.name}.{language}{packed}") for packed in _COMPRESSION_EXTENSIONS
    )
    return next((file for file in files if file.is_file()), None)
