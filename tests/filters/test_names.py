"""Names exchanged, counted by hand."""

import pytest
from factories import flat, parsed

from filters.names import Names

CASES = {
    "the same": ("When Anna/PROPN met Paul/PROPN", "So Anna/PROPN left", "So Paul/PROPN stayed", 0),
    "another": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "So Paul/PROPN stayed", 1),
    "the only one": ("When Anna/PROPN left", "So Maria/PROPN left", "She left", 2),
    "all": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "So Peter/PROPN stayed", 3),
    "all of the halves": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "She stayed", 2),
    "acronyms": ("When AIIRAs/PROPN and ACE/PROPN stopped", "So ARAII/PROPN stopped", "It passed", 0),
    "one left out": ("When Anna/PROPN met Paul/PROPN", "So Anna/PROPN left", "He stayed", 0),
    "one put in": ("When they met", "So Anna/PROPN left", "He stayed", 0),
    "its adjective": ("When Paris/PROPN voted", "The Parisian/PROPN vote", "It passed", 0),
    "no capital": ("When anna/PROPN left", "So maria/PROPN left", "She left", 0),
    "no name": ("When Anna/NOUN left", "So Maria/NOUN left", "She left", 0),
    "the first word": ("Anna/PROPN left", "Maria/PROPN left", "She left", 0),
    "with accents": ("When Émile/PROPN left", "So Zoë/PROPN left", "So Émile/PROPN left", 0),
    "without its accents": ("When Bayón/PROPN and Émile/PROPN left", "So Bayon/PROPN left", "So Emile/PROPN left", 0),
}


@pytest.mark.parametrize("case", CASES)
def test_a_name_in_another_ones_place_counts(case: str) -> None:
    long, first, second, expected = CASES[case]
    assert Names().score([parsed(*map(flat, (long, first, second)))]) == [expected]
