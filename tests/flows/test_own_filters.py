"""A build with a filter of the user's own: its verdicts and signature, and new verdicts after its code changed."""

import base64
import json
import re
import zlib
from pathlib import Path

import pytest
from builds import rows, tiny

from bitext_pivot.flows.pivot_settings import PivotBitext

CODE = '''
from bitext_pivot.filters.base import RuleFilter


class NoWord(RuleFilter):
    """The number of texts with a word."""

    max_texts: int = 0
    """Maximum number of them."""

    def measure(self, pair):
        return sum("{word}" in text for text in pair.texts)
'''


def build(path: Path, word: str) -> Path:
    """Build Tiny/v1 with a filter that rejects a word; return the data set."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    path.write_text(CODE.replace("{word}", word), encoding="utf-8")
    filters = {"preset": "rules", "own": [f"{path}:NoWord"]}
    form = tiny(filters=filters, export={"formats": ["jsonl"]})
    return pivot_bitext(PivotBitext.model_validate(form))


def test_a_build_has_the_filter_and_changed_code_gives_new_verdicts(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.py"
    monkeypatch.setenv("BITEXT_PIVOT_FILTERS", json.dumps([f"{path}:NoWord"]))
    folder, changed = build(path, "teacher"), build(path, "no such word")
    rejected = [row for row in rows(folder, "rejected") if row["rejected_by"] == "no_word"]
    assert rejected and all("teacher" in row["long"] for row in rejected)
    assert all(row["scores"]["no_word"] == 0 for row in rows(folder))
    assert not any(row["rejected_by"] == "no_word" for row in rows(changed, "rejected"))
    signatures = []
    for data_set in (folder, changed):
        stats = json.loads((data_set / "stats.json").read_text(encoding="utf-8"))
        signatures.append(stats["signature"]["filters"]["no_word"])
        assert "filter no_word" in {step["name"] for step in stats["funnel"]}
    assert len({*signatures}) == 2 and all("own.py " in text for text in signatures)
    page = (folder / "inspector.html").read_text(encoding="utf-8")
    data = re.search(r'id="data"[^>]*>([^<]+)<', page)
    assert data is not None
    assert "no_word" in json.loads(zlib.decompress(base64.b64decode(data[1])))["limits"]
