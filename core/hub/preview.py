"""The required files of a model: their names and sizes, and which files have to be downloaded."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

Choose = Callable[[Sequence[str]], Sequence[str]]
"""A function that selects the required files of a model from the names of all its files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The required files of a model, before any of them is downloaded or loaded."""

    commit: str | None
    """Commit of the repository on the hub, 40 hexadecimal digits; None for a folder or a package."""
    sizes: Mapping[str, int]
    """Size of each file in bytes, by name."""
    missing: Sequence[str]
    """Names of the files that have to be downloaded."""

    @classmethod
    def of(cls, folder: Path, choose: Choose, commit: str | None = None) -> Self:
        """Return the required files of a model in a local folder; `choose` selects them."""
        names = choose(sorted(path.name for path in folder.iterdir() if path.is_file()))
        return cls(
            commit=commit,
            sizes={name: (folder / name).stat().st_size for name in names},
            missing=[],
        )

    @property
    def bytes(self) -> int:
        """Total size of the required files, in bytes."""
        return sum(self.sizes.values())

    @property
    def download(self) -> int:
        """Total size of the missing files, in bytes; 0 if all files are on this machine."""
        return sum(self.sizes[name] for name in self.missing)
