"""The section `Rebuild` of a card: what was written is read back, damage and changes are named."""

import json
from pathlib import Path
from typing import Any

import pytest
from builds import tiny
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.corpus import rebuild
from bitext_pivot.corpus.rebuild import Card, merged
from bitext_pivot.flows.pivot_settings import PivotBitext

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
        text or f"# Pairs\n\nText.\n\n{rebuild.section(SIGNATURE)}\n\nMore.\n", encoding="utf-8"
    )
    return str(path)


def test_a_card_is_read_as_it_was_written(tmp_path: Path) -> None:
    read = Card.at(card(tmp_path))
    assert read.signature == SIGNATURE
    read.compare(SIGNATURE)
    assert read.settings(PivotBitext()) == PivotBitext.model_validate(tiny())


@given(signature=st.dictionaries(NAMES, JSON, max_size=4))
def test_any_signature_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, signature: Any
) -> None:
    signature["settings"] = {}
    path = card(
        tmp_path_factory.mktemp("card"), f"---\nname: x\n---\n{rebuild.section(signature)}\n"
    )
    assert Card.at(path).signature == signature


def test_without_a_card_nothing_is_refused_and_the_form_counts() -> None:
    form = PivotBitext(pivot="de")
    assert Card.at("").settings(form) is form
    Card.at("").compare(SIGNATURE)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("## Rebuild", "## Signature", "is no card of a build"),
    ("```json", "```", "is no card of a build"),
    ("More.", rebuild.section(SIGNATURE), "has 2 sections '## Rebuild'"),
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
        Card.at(card(tmp_path, text.replace(old, new)))
    assert words in str(refused.value) and len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("address", ["nothing.md", "http://[::1/README.md", "s3://a/README.md"])
def test_a_card_elsewhere_is_refused_in_a_line(address: str) -> None:
    with pytest.raises(SettingsError, match=r"cannot be read .* download the file\.$"):
        Card.at(address)


@pytest.mark.parametrize("recorded", [["Tiny/v1", 5], "aa", {"en": 5}, {}])
def test_what_a_card_has_in_place_of_a_group_is_compared(recorded: Any) -> None:
    """Anybody can write a card; in those of running text a source is a list."""
    known = {"Tiny/v1": {"en": {"bytes": 7}}}
    assert merged({"Tiny/v1": recorded}, known) == known


@pytest.mark.parametrize(("path", "value", "line"), [
    (["engine"], "marian a@1 ctranslate2=4.9 kernels=onednn",
     "engine (marian a@1 kernels=onednn): the card has ctranslate2=4.8, here is ctranslate2=4.9"),
    (["models", "translate", "revision"], "bb",
     f"models: translate: revision: the card has {'a' * 40}, here is bb"),
    (["sources", "Größe/v1", "sha256"], "22", "sources: Größe/v1: sha256: the card has 00, here is 22"),
    (["sources", "New/v2"], "33", "sources: New/v2: the card has nothing, here is 33"),
    (["settings", "shard_rows"], 7, "settings: shard_rows: the card has 1, here is 7"),
    (["versions"], {"python": "3.13"}, "versions: the card has nothing, here is {'python': '3.13'}"),
])  # fmt: skip
def test_each_change_is_named_in_a_line(
    path: list[str], value: Any, line: str, tmp_path: Path
) -> None:
    changed = json.loads(json.dumps(SIGNATURE))
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    with pytest.raises(SettingsError) as refused:
        Card.at(card(tmp_path)).compare(changed)
    assert str(refused.value).splitlines()[1:] == [line]


def test_settings_that_this_version_does_not_have_are_named(tmp_path: Path) -> None:
    text = rebuild.section({**SIGNATURE, "settings": {"shard_rowz": 3}})
    with pytest.raises(SettingsError, match=r"cannot be used here:\n.*'shard_rowz' is no setting"):
        Card.at(card(tmp_path, text)).settings(PivotBitext())
