"""Settings refuse what they do not know, and keys change exactly when settings do."""

import pytest
from pydantic import Field, ValidationError

from pairs.errors import SettingsError
from pairs.settings import Settings, choose, key


class Overlap(Settings):
    """An example."""

    min_ratio: float = Field(default=0.25, ge=0, le=1, description="Least r.")


def test_a_misspelt_field_is_refused_with_the_name_meant() -> None:
    with pytest.raises(ValidationError, match=r"'min_ration' is no setting of Overlap. Did you mean 'min_ratio'\?"):
        Overlap(min_ration=0.5)


def test_a_field_of_a_nested_group_is_refused_with_its_place() -> None:
    class Chain(Settings):
        """A group with a nested one."""

        advanced: Overlap = Overlap()

    with pytest.raises(ValidationError, match=r"'min_ratio' is no setting of Chain: write advanced\.min_ratio\."):
        Chain.model_validate({"min_ratio": 0.5})


def test_a_former_name_is_refused_with_the_present_one() -> None:
    class Build(Settings):
        """A form."""

        filters: Overlap = Overlap()

    with pytest.raises(
        ValidationError, match=r"'sieve' is no setting of Build any more\. It is now called 'filters'\."
    ):
        Build.model_validate({"sieve": {}})


def test_a_value_out_of_range_is_refused() -> None:
    with pytest.raises(ValidationError, match="less than or equal to 1"):
        Overlap(min_ratio=1.5)


def test_settings_cannot_be_changed_after_they_are_made() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Overlap().min_ratio = 0.5


def test_a_key_is_eight_hexadecimal_digits_of_the_content() -> None:
    assert key(Overlap(), "a") == key(Overlap(min_ratio=0.25), "a")
    assert len({key(Overlap(), "a"), key(Overlap(min_ratio=0.3), "a"), key(Overlap(), "b")}) == 3
    assert len(key("a")) == 8
    assert int(key("a"), 16) >= 0


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'Europrl' is no corpus. Did you mean 'Europarl'\? Known: Books"):
        choose("Europrl", ["Books", "Europarl"], what="corpus")
