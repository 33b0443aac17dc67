"""What differs between nested mappings."""

from typing import Any

import pytest

from bitext_pivot.corpus.differences import ABSENT, find_differences


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], []),
        ([{"a": 1}], []),
        ([{"a": 1}, {"a": 1}, {"a": 1}], []),
        ([{"a": {"b": 1, "c": 2}}, {"a": {"b": 3, "c": 2}}], [(("a", "b"), (1, 3))]),
        ([{"a": 1}, {}], [(("a",), (1, ABSENT))]),
        ([{"a": {"b": 1}}, {"a": 2}], [(("a",), ({"b": 1}, 2))]),
        ([1, 2], [((), (1, 2))]),
    ],
)
def test_each_value_that_differs_has_its_path_and_what_each_mapping_has(
    values: list[Any], expected: list[Any]
) -> None:
    assert list(find_differences(*values)) == expected
