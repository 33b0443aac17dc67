"""One line of JSON for each row."""

import json

from bitext_pivot.corpus.formats import json_line


def test_line_breaks_of_unicode_stay_in_their_line() -> None:
    line = json_line({"long": "a\u2028b\u2029c\x85d\ne"})
    assert len(line.splitlines()) == 1
    assert json.loads(line)["long"] == "a\u2028b\u2029c\x85d\ne"
