"""The section `Rebuild` of a card: what was written is read back, and damage is named."""

from pathlib import Path
from typing import Any

import pytest
from builds import tiny
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.rebuild import read_signature
from bitext_pivot.flows import presets

SIGNATURE: dict[str, Any] = {
    "engine": "marian a@1 ctranslate2=4.8 kernels=onednn",
    "models": {"translate": {"model": "Helsinki-NLP/opus-mt-fr-en", "revision": "a" * 40}},
    "sources": {"Größe/v1": {"sha256": "00"}, "Tiny/v1": {"sha256": "11"}},
    "settings": tiny(),
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)

NAMES = st.text().map(lambda name: f"{name}_")
"""Names that are no fields of a signature, which have types."""


def card(folder: Path, text: str | None = None) -> str:
    path = folder / "README.md"
    path.write_text(
        text or f"# Pairs\n\nText.\n\n{rebuild.rebuild_section(SIGNATURE)}\n\nMore.\n",
        encoding="utf-8",
    )
    return str(path)


def test_a_card_is_read_as_it_was_written(tmp_path: Path) -> None:
    read = read_signature(card(tmp_path))
    assert read.model_dump(exclude_unset=True) == SIGNATURE
    assert presets.load(card(tmp_path)) == tiny()


@given(signature=st.dictionaries(NAMES, JSON, max_size=4))
def test_any_signature_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, signature: Any
) -> None:
    signature["settings"] = {}
    path = card(
        tmp_path_factory.mktemp("card"),
        f"---\nname: x\n---\n{rebuild.rebuild_section(signature)}\n",
    )
    assert read_signature(path).model_dump(exclude_unset=True) == signature


@pytest.mark.parametrize(("old", "new", "words"), [
    ("## Rebuild", "## Signature", "is not the card of a build"),
    ("```json", "```", "is not the card of a build"),
    ("More.", rebuild.rebuild_section(SIGNATURE), "has 2 sections '## Rebuild'"),
    ('"shard_rows": 1', '"shard_rows": 2', "does not match its key"),
    ('"format": 1', '"format": 2', "of format 2, expected 1. Install the version"),
    ('"key":', '"kea":', "is damaged (KeyError: 'key')"),
    ('"format": 1,', '"format": 1', "is damaged (JSONDecodeError"),
])  # fmt: skip
def test_a_card_that_the_build_did_not_write_is_refused(
    old: str, new: str, words: str, tmp_path: Path
) -> None:
    text = Path(card(tmp_path)).read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(SettingsError) as refused:
        read_signature(card(tmp_path, text.replace(old, new)))
    assert words in str(refused.value) and len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("address", ["nothing.md", "http://[::1/README.md", "s3://a/README.md"])
def test_a_card_elsewhere_is_refused_in_a_line(address: str) -> None:
    with pytest.raises(SettingsError, match="download the file"):
        read_signature(address)
