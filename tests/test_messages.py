"""The golden file of messages has those of tests that are there."""

import re
from pathlib import Path

from messages import read

TESTS = Path(__file__).parent


def test_every_message_is_that_of_a_test() -> None:
    missing = [
        (file, case)
        for file, cases in read().items()
        for case in cases
        if f"def {re.split(r'[ [(]', case)[0]}(" not in (TESTS / file).read_text(encoding="utf-8")
    ]
    assert missing == []
