"""Settings refuse what they do not know, and keys change exactly when settings do."""

from pathlib import Path

import pytest
from pydantic import Field, ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings, choose, key, local_files


class Overlap(Settings):
    """An example."""

    min_ratio: float = Field(default=0.25, ge=0, le=1)
    """Least r."""


class Chain(Settings):
    """A group with a nested one."""

    filters: Overlap = Overlap()


@pytest.mark.parametrize(
    ("model", "name", "message"),
    [
        (Overlap, "min_ration", r"'min_ration' is no setting of Overlap. Did you mean 'min_ratio'\?"),
        (Chain, "min_ratio", r"'min_ratio' is no setting of Chain: write filters\.min_ratio\."),
    ],
)
def test_an_unknown_field_is_refused_with_the_name_meant(model: type[Settings], name: str, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        model.model_validate({name: 0.5})


def test_a_key_is_eight_hexadecimal_digits_of_the_content() -> None:
    assert key(Overlap(), "a") == key(Overlap(min_ratio=0.25), "a")
    assert len({key(Overlap(), "a"), key(Overlap(min_ratio=0.3), "a"), key(Overlap(), "b")}) == 3
    assert len(key("a")) == 8
    assert int(key("a"), 16) >= 0


class Sources(Settings):
    """Files at several depths."""

    file: Path
    groups: list[Path | str | Overlap] = []
    inner: "Sources | None" = None


def test_the_files_of_settings_are_found_at_any_depth_in_order() -> None:
    inner = Sources(file=Path("c"), groups=["text", Overlap(), Path("d")])
    assert local_files(Sources(file=Path("a"), groups=[Path("b")], inner=inner)) == [Path(name) for name in "abcd"]
    assert local_files(Chain()) == []


def test_an_unknown_name_tells_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'Europrl' is no corpus. Did you mean 'Europarl'\? Known: Books"):
        choose("Europrl", ["Books", "Europarl"], what="corpus")
