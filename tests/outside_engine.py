"""A distribution that offers a translation engine, as pip installs one."""

import re
from pathlib import Path

_PAGE = Path(__file__).parents[1] / "docs" / "engines.md"
(CODE,) = re.findall(r"```python\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
"""The example in the documents."""


def install(folder: Path, code: str = CODE, version: str = "1.5") -> None:
    """Write a distribution into a folder that is on the path of modules."""
    about = folder / f"glossaries-{version}.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: glossaries\nVersion: {version}\n", encoding="utf-8"
    )
    (about / "entry_points.txt").write_text(
        "[bitext_pivot.engines]\nglossary = glossaries:Glossary\n", encoding="utf-8"
    )
    (folder / "glossaries.py").write_text(code, encoding="utf-8")
