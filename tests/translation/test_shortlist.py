"""A shortlist holds for every text alike, is told in the signature, and is refused for any other model."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from marian_models import translation

from pairs.errors import SettingsError
from translation.checkpoint import open_checkpoint, target_vocabulary
from translation.engine import Engine
from translation.models import load
from translation.pieces import Pieces, Row
from translation.shortlist import Shortlist, choose, read, write

LETTERS = ["▁", "a", "b", "▁c"]
TARGET = ["<unk>", *LETTERS, "▁the", "ing", "▁cat", "▁dog"]
KNOWN = ["</s>", *TARGET, "▁chat", "a b"]


@pytest.mark.parametrize(
    ("size", "chosen"),
    [
        (5, ["</s>", "▁", "a", "b", "▁c"]),
        (7, ["</s>", "▁", "a", "b", "▁c", "▁cat", "▁chat"]),
        (9, ["</s>", "▁", "a", "b", "▁c", "▁cat", "▁chat", "<unk>", "▁the"]),
        (99, ["</s>", "▁", "a", "b", "▁c", "▁cat", "▁chat", "<unk>", "▁the", "ing", "▁dog"]),
    ],
)
def test_letters_go_before_what_was_seen_and_that_before_the_rest(size: int, chosen: list[str]) -> None:
    seen = Counter({"▁cat": 3, "▁chat": 2, "a": 1, "▁unheard-of": 9, "a b": 9})
    assert choose(seen, TARGET, KNOWN, size) == Shortlist(tuple(chosen))


def test_the_signature_tells_the_pieces_and_not_their_order() -> None:
    assert Shortlist(("a", "b")).signature == Shortlist(("b", "a")).signature
    assert Shortlist(("a", "b")).signature.startswith("2@")
    assert Shortlist(("a", "c")).signature != Shortlist(("a", "b")).signature


def test_its_map_is_one_line_for_every_text() -> None:
    assert Shortlist(("</s>", "▁é")).vmap == b"\t</s> \xe2\x96\x81\xc3\xa9\n"


@pytest.fixture
def some(checkpoint: Path, tmp_path: Path) -> Path:
    """A shortlist of 60 of the checkpoint's 131 entries."""
    return written(checkpoint, tmp_path / "some.json", 60)


def written(checkpoint: Path, path: Path, size: int) -> Path:
    found = open_checkpoint(str(checkpoint))
    pieces = Pieces(checkpoint, prefix="", punctuation="moses", language="fr")
    write(choose(Counter(), pieces.target, target_vocabulary(checkpoint), size), found, path)
    return path


def engine(checkpoint: Path, models_folder: Path, shortlist: Path | None, **settings: Any) -> Any:
    asked = translation(checkpoint, max_tokens=60, shortlist=shortlist, **settings)
    return load(asked, "fr", "en", models_folder=models_folder)


def pieces_of(marian: Any, texts: list[str]) -> list[Row]:
    rows: list[Row] = []
    marian.translate_noting(texts, rows.extend)
    return rows


def test_what_is_written_is_read(checkpoint: Path, some: Path) -> None:
    found = read(some, open_checkpoint(str(checkpoint)))
    assert len(found.pieces) == len(set(found.pieces)) == 60
    assert "</s>" in found.pieces


def test_a_model_writes_nothing_but_its_shortlist(
    checkpoint: Path, models_folder: Path, salad: list[str], some: Path
) -> None:
    allowed = set(json.loads(some.read_text(encoding="utf-8"))["pieces"])
    whole, short = (pieces_of(engine(checkpoint, models_folder, path), salad) for path in (None, some))
    assert {piece for row in short for piece in row} <= allowed
    assert not {piece for row in whole for piece in row} <= allowed


def test_the_whole_vocabulary_as_a_shortlist_changes_nothing(
    checkpoint: Path, models_folder: Path, salad: list[str], tmp_path: Path
) -> None:
    everything = written(checkpoint, tmp_path / "all.json", 1000)
    whole, short = (engine(checkpoint, models_folder, path).translate(salad) for path in (None, everything))
    assert short == whole
    assert len(set(whole)) > 60


def test_a_translation_still_depends_on_the_text_alone(
    checkpoint: Path, models_folder: Path, salad: list[str], some: Path
) -> None:
    marian: Engine = engine(checkpoint, models_folder, some)
    alone = {text: marian.translate([text])[0] for text in salad}
    shuffled = random.Random(1).sample(salad, len(salad))
    assert marian.translate(shuffled) == [alone[text] for text in shuffled]


def test_the_converted_folder_is_for_all_shortlists(checkpoint: Path, models_folder: Path, some: Path) -> None:
    engine(checkpoint, models_folder, some)
    assert [path.name for path in models_folder.rglob("vmap*")] == []


def test_the_signature_has_it_only_where_it_is_set(checkpoint: Path, models_folder: Path, some: Path) -> None:
    whole, short = (engine(checkpoint, models_folder, path).signature for path in (None, some))
    assert "shortlist" not in whole
    assert " shortlist=60@" in short
    assert str(some) not in short


@pytest.mark.parametrize("content", [None, "", "[]", "{}", '{"digest": "x"}', '{"digest": "x", "pieces": 7}'])
def test_a_file_that_is_no_shortlist_is_refused(content: str | None, checkpoint: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(
        SettingsError, match=r"list\.json', which is not a shortlist .*Expected a file that bench.*py wr"
    ):
        read(path, open_checkpoint(str(checkpoint)))


def test_a_shortlist_for_another_model_is_refused(many_targets: Path, models_folder: Path, some: Path) -> None:
    with pytest.raises(SettingsError, match=r"made for tiny-fr-en@\w{16}, and the model is tiny-en-ibero@\w{16}. Make"):
        read(some, open_checkpoint(str(many_targets)))


def test_pieces_that_the_model_does_not_have_are_refused(checkpoint: Path, some: Path) -> None:
    content = json.loads(some.read_text(encoding="utf-8"))
    some.write_text(json.dumps(content | {"pieces": ["▁zzz", *content["pieces"], "▁yyy"]}), encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"2 of its pieces are not in the vocabulary of tiny-fr-en, '▁zzz' the first"
    ):
        read(some, open_checkpoint(str(checkpoint)))


@pytest.mark.parametrize("kind", ["marian-transformers", "apertium", "echo"])
def test_an_engine_without_shortlists_refuses_one(kind: str, checkpoint: Path, models_folder: Path, some: Path) -> None:
    with pytest.raises(SettingsError, match=rf"the engine '{kind}' has no use for it. Leave it empty, or set"):
        engine(checkpoint, models_folder, some, engine=kind)
