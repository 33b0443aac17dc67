import pytest

from bitext_pivot.core.similar import similar

NAMES = ["Europarl", "EUbookshop", "Tatoeba"]


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("Europral", {}, ["Europarl"]),
        ("EUROPARL", {"likeness": 1.0}, ["Europarl"]),
        ("Europral", {"likeness": 0.9}, []),
        ("xyz", {}, []),
        ("", {}, []),
    ],
)
def test_the_nearest_name_comes_first(
    name: str, options: dict[str, float], expected: list[str]
) -> None:
    assert similar(name, iter(NAMES), **options) == expected
