"""Files of pairs as others write them: each line is a pair or has a problem, or the file is refused."""

import tomllib
from pathlib import Path

import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import PairLine, read_column, read_pairs
from bitext_pivot.core.storage import atomic

CASES = tomllib.loads(Path(__file__).with_name("files.toml").read_text(encoding="utf-8"))


def outcome(line: PairLine) -> str:
    if line.pair is None:
        return f"{line.number}: {line.problem}"
    return f"{line.number}, id {line.pair.id}: {' | '.join(line.pair.texts)}"


@pytest.mark.parametrize("name", CASES)
def test_every_line_is_read_or_has_a_problem(name: str, tmp_path: Path, golden: Golden) -> None:
    case = CASES[name]
    columns = case.get("columns")
    path = tmp_path / case["file"]
    atomic.write_text(path, case["text"])
    try:
        if "read" in case:
            found = read_column(path, case["read"], columns)
        else:
            found = [*map(outcome, read_pairs(path, "en", columns))]
    except SettingsError as error:
        found = [f"refused: {error}"]
    golden.same("\n".join(found))
