"""Licences of corpora, read from `licences.toml`, because OPUS does not list them."""

from pathlib import Path

from bitext_pivot.core.data_files import read_toml

UNKNOWN = "unknown"


def corpus_licence(corpus: str) -> str:
    """Return the licence of a corpus: an SPDX identifier or a short text, or `unknown`."""
    return _entry(corpus).get("licence", UNKNOWN)


def corpus_licence_source(corpus: str) -> str:
    """Return where the licence of a corpus is stated, or a remark if it is `unknown`.

    Returns "" for a corpus that `licences.toml` does not list.
    """
    return _entry(corpus).get("source", "")


def _entry(corpus: str) -> dict[str, str]:
    """Return the entry of a corpus, or of its family (`ELRC-*`), in licences.toml, or {}."""
    family = corpus.partition("-")[0] + "-*"
    return _table().get(corpus) or _table().get(family) or {}


def _table() -> dict[str, dict[str, str]]:
    return read_toml(Path(__file__).with_name("licences.toml"))
