"""Tables as programs write them: each is read right or refused, and no pair is silently different."""

import tomllib
from pathlib import Path

import pytest

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.white_space import squeezed

DIALECTS = tomllib.loads(Path(__file__).with_name("dialects.toml").read_text(encoding="utf-8"))
PAIRS = {
    ("It rained, and we left.", "It rained.", "We left."),
    ('She said "no", and left.', 'She said "no".', "She left."),
    ("Tom's cat ran; it hid.", "Tom's cat ran.", "It hid."),
    ("It snowed,\nso we stayed.", "It snowed.", "We stayed."),
    ('"No," he said, and left.', '"No," he said.', "He left."),
    ("The path is C:\\new, and it works.", "The path is C:\\new.", "It works."),
    ('"We came, and we saw."', '"We came."', '"We saw."'),
    ("Chloé ran, and we left.", "Chloé ran.", "We left."),
}
"""The pairs of every table; one more row, without a second half, is unreadable."""


@pytest.mark.parametrize("name", DIALECTS)
def test_a_table_of_a_program_is_right_or_refused(name: str, tmp_path: Path) -> None:
    dialect = DIALECTS[name]
    path = tmp_path / dialect["file"]
    path.write_bytes(dialect["text"].encode(dialect.get("encoding", "utf-8")))
    try:
        lines = [*read_pairs(path, "en")]
    except SettingsError:
        lines = []
    pairs = [line.pair.texts for line in lines if line.pair]
    assert {*pairs} <= {tuple(map(squeezed, pair)) for pair in PAIRS}
    assert (len(pairs), len(lines) - len(pairs)) == (dialect["right"], dialect.get("unreadable", 0))
