"""What of a model is needed, how large it is, and what of it is not here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

Choose = Callable[[Sequence[str]], Sequence[str]]
"""Given the names of all files of a model, return those that are needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Needed files of a model with their sizes in bytes, and those still to be downloaded."""

    commit: str | None
    """Commit of the hub's repository, 40 hexadecimal digits; None for a folder or a package."""
    sizes: Mapping[str, int]
    missing: Sequence[str]

    @classmethod
    def of(cls, folder: Path, choose: Choose, commit: str | None = None) -> Self:
        """Return the needed ones among the files of a folder."""
        names = choose(sorted(path.name for path in folder.iterdir() if path.is_file()))
        return cls(
            commit=commit,
            sizes={name: (folder / name).stat().st_size for name in names},
            missing=[],
        )

    @property
    def bytes(self) -> int:
        """Size of all needed files."""
        return sum(self.sizes.values())

    @property
    def download(self) -> int:
        """Bytes to be downloaded; 0 if all files are on this machine."""
        return sum(self.sizes[name] for name in self.missing)
