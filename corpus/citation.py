"""How to cite a data set: BibTeX, and its signature in one line, like the signature of a sacrebleu score."""

import importlib.metadata
import re
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

from bitext_pivot.core.settings import key

_NAME = "bitext-pivot"
_OPUS = "tiedemann-2012-parallel"


def signature_line(signature: Mapping[str, Any], corpora: Iterable[str]) -> str:
    """Return a line that identifies a build: `bitext-pivot|v:0.2.0|pair:fr-en|...`.

    `signature` contains all settings and versions that can change the rows of the build (tasks/ahead/check.py). The
    last field of the line, `key`, is a digest of it.
    """
    settings = signature["settings"]
    translation = signature.get("models", {}).get("translate")
    parts = {
        "v": importlib.metadata.version(_NAME),
        "pair": "-".join(filter(None, (settings.get("pivot"), settings["language"]))),
        "corpora": "+".join(corpora),
        "mt": f"{translation['model']}@{translation['revision'][:12]}"
        if translation
        else _words(signature, "engine"),
        "parser": _words(signature, "parser"),
        "filters": settings.get("filters", {}).get("preset"),
        **{
            name: _words(signature, name).removeprefix(f"{name}+")
            for name in filter_citations(signature)
        },
        "key": key(signature),
    }
    return "|".join([_NAME, *(f"{name}:{value}" for name, value in parts.items() if value)])


def filter_citations(signature: Mapping[str, Any]) -> dict[str, str]:
    """Return the citations in a build's signature, by the name of the filter."""
    texts = {name: signature.get(name) for name in signature.get("filters", {})}
    return {name: text for name, text in texts.items() if isinstance(text, str) and text}


def _words(signature: Mapping[str, Any], part: str) -> str:
    """Return the name and version from a part of a signature, without settings such as `beam=4`."""
    return "+".join(takewhile(lambda word: "=" not in word, (signature.get(part) or "").split()))


def bibtex(line: str, paper: str) -> str:
    """Return three BibTeX entries: for the data set, the paper of its method, and OPUS.

    `line` is the result of `signature_line`. `paper` is the key of an entry in corpus/citation.bib.
    """
    version = importlib.metadata.version(_NAME)
    entries = [entry for key in (paper, _OPUS) for entry in _entries(key)]
    dataset = (
        f"@misc{{{_NAME},\n  title = {{{{{_NAME}}}: split-and-rephrase corpora from bitext}},\n"
    )
    dataset += f"  note = {{version {version}; \\texttt{{\\detokenize{{{line}}}}}}}\n}}\n"
    return "\n".join([dataset, *(f"{entry}\n" for entry in entries)])


def arxiv_number(paper: str) -> str:
    """Return the arXiv number of a paper, or "" if the paper is not on arXiv.

    `paper` is the key of an entry in corpus/citation.bib.
    """
    for entry in _entries(paper):
        if match := re.search(r"eprint = {([\d.]+)}", entry):
            return match[1]
    return ""


def _entries(key: str) -> list[str]:
    """Return the entry of corpus/citation.bib with this key, in a list, or an empty list."""
    entries = (
        Path(__file__).with_name("citation.bib").read_text(encoding="utf-8").strip().split("\n\n")
    )
    return [entry for entry in entries if entry.partition("{")[2].startswith(f"{key},")]
