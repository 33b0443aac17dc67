"""Licences as the Hugging Face hub writes them, for cards (README.md) of data sets and models."""

from collections.abc import Collection
from typing import Any

UNKNOWN = "unknown"
_RESTRICTIONS = ("-NC", "-ND")
_HUB_LICENCES = {
    "apache-2.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-nc-4.0", "cc-by-nc-sa-4.0", "cc-by-sa-3.0",
    "cc-by-sa-4.0", "cc0-1.0", "mit", "mpl-2.0", "odc-by", UNKNOWN,
}  # fmt: skip


def front_matter(licences: Collection[str]) -> dict[str, Any]:
    """Return the licence fields for the front matter of a card (README.md).

    The licence is `other`, with a name, if there are several licences or if the hub does not know the licence.
    """
    names = sorted({"-".join(name.lower().split()) for name in licences})
    if not names:
        return {}
    if names[0] in _HUB_LICENCES and len(names) == 1:
        return {"license": names[0]}
    return {"license": "other", "license_name": "-and-".join(names), "license_link": "README.md"}


def is_restricted(licence: str) -> bool:
    """Return True for a licence that forbids commercial use or derived works."""
    return any(restriction in licence.upper() for restriction in _RESTRICTIONS)
