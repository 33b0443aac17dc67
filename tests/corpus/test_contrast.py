"""Colours of the offline pages: WCAG 2.2 contrast (1.4.3 and 1.4.11) of what stands on what, in light and dark."""

import re
from itertools import product
from pathlib import Path

import pytest

STYLE = (Path(__file__).parents[2] / "corpus" / "offline_page.css").read_text(encoding="utf-8")
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(r"--(\w+): light-dark\(#(\w{6}), #(\w{6})\)", STYLE)
}
GROUNDS = {  # text and the grounds it stands on
    "ink": ("paper", "panel", "chosen", "bar", "hit"),
    "soft": ("paper", "panel", "chosen", "bar", "hit"),
    "accent": ("paper", "panel", "bar", "chosen"),
    "gone": ("paper", "hit"),
    "new": ("paper", "hit"),
}
SHAPES = {"kept": ("panel", "paper"), "lost": ("panel",), "accent": ("panel", "paper", "chosen")}


def luminance(colour: str) -> float:
    """Relative luminance of a colour in hexadecimal, as WCAG defines it."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("one", "other", "expected"), [("000000", "ffffff", 21), ("777777", "ffffff", 4.48)]
)
def test_contrast_as_wcag_has_it(one: str, other: str, expected: float) -> None:
    assert contrast(one, other) == pytest.approx(expected, abs=0.01)


def test_text_has_a_contrast_of_4_5_and_shapes_3() -> None:
    for pairs, least in ((GROUNDS, 4.5), (SHAPES, 3)):
        both = [(name, ground) for name, grounds in pairs.items() for ground in grounds]
        for (name, ground), scheme in product(both, ("light", "dark")):
            assert contrast(COLOURS[name][scheme], COLOURS[ground][scheme]) >= least, (
                name,
                ground,
                scheme,
            )
