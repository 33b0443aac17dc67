import pytest
from factories import alignment

from bitext_pivot.alignments.screening.duplicates import DuplicateScreen

BASE = ("Café 1.", "It rained.", "We left.")


@pytest.mark.parametrize(
    ("texts", "languages", "ignore_numbers", "is_equal"),
    [
        (BASE, "fr en", False, True),
        (("Cafe\u0301 1.", "It rained.", "We left."), "fr en", False, True),
        (("  Café\u00a01. ", "It\trained.", "We left."), "fr en", False, True),
        (("Ca\u00adfé 1.", "\ufeffIt rained.", "We\u200b left."), "fr en", False, True),
        (("café 1.", "It rained.", "We left."), "fr en", False, False),
        (("Café 2.", "It rained.", "We left."), "fr en", False, False),
        (("Café 1.", "We left.", "It rained."), "fr en", False, False),
        (("Café 1.", "It rained. We", "left."), "fr en", False, False),
        (("Café 1. It rained.", "", "We left."), "fr en", False, False),
        (BASE, "es en", False, False),
        (("Café 1,250.5.", "It rained.", "We left."), "fr en", True, True),
        (("Café x.", "It rained.", "We left."), "fr en", True, False),
    ],
)
def test_key(
    texts: tuple[str, str, str], languages: str, ignore_numbers: bool, is_equal: bool
) -> None:
    key = DuplicateScreen(ignore_numbers=ignore_numbers).key
    assert (
        key(alignment(*texts, languages=languages, number=2)) == key(alignment(*BASE))
    ) == is_equal
