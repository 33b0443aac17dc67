"""Licences in cards: one of the hub's, or `other` with a name."""

import pytest

from bitext_pivot.core import licences


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], {}),
        (["CC0-1.0"], {"license": "cc0-1.0"}),
        (["CC BY 4.0"], {"license": "cc-by-4.0"}),
        (["CC0-1.0", "cc0-1.0"], {"license": "cc0-1.0"}),
        (["unknown"], {"license": "unknown"}),
        (
            ["Open Government Licence"],
            {"license": "other", "license_name": "open-government-licence"},
        ),
        (["MIT", "CC0-1.0"], {"license": "other", "license_name": "cc0-1.0-and-mit"}),
        (["unknown", "MIT"], {"license": "other", "license_name": "mit-and-unknown"}),
        (["a\nb: c"], {"license": "other", "license_name": "a-b:-c"}),
    ],
)
def test_front_matter(names: list[str], expected: dict[str, str]) -> None:
    found = licences.front_matter(names)
    assert {
        **expected,
        **({"license_link": "README.md"} if "license_name" in expected else {}),
    } == found


@pytest.mark.parametrize(
    ("name", "expected"),
    [("CC-BY-NC-4.0", True), ("cc-by-nd-4.0", True), ("CC0-1.0", False), ("unknown", False)],
)
def test_restrictions(name: str, expected: bool) -> None:
    assert licences.is_restricted(name) is expected
