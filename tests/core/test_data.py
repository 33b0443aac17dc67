"""JSON of anyone: values, and what is none."""

import pytest

from bitext_pivot.core.data_files import parse_json


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": {"b": 1}, "b": [{"b": 2}, {"b": 3}]}', {"a": {"b": 1}, "b": [{"b": 2}, {"b": 3}]}),
        ("{}", {}),
        ('{"a": 1, "A": 2}', {"a": 1, "A": 2}),
    ],
)
def test_values_are_read(text: str, value: object) -> None:
    assert parse_json(text) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 1}',
        '{"a": 1, "b": 2, "a": 3}',
        '[{"x": {"a": null, "\\u0061": 2}}]',
        '{"": 1, "": 2}',
        "[" * 200_000,
        '{"a": ' * 200_000,
        "9" * 5_000,
        "",
    ],
)
def test_what_is_no_value_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        parse_json(text)
