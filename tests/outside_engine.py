"""A distribution that offers a translation engine, as pip installs one."""

from pathlib import Path

CODE = """from bitext_pivot.translation.engine import TranslatedText

WORDS = {"fr": {"le": "the", "chat": "cat", "dort": "sleeps"}}


class Glossary:
    def __init__(self, request):
        self._words = WORDS.get(request.pivot, {})

    def translate(self, texts):
        return [TranslatedText(text=self._translated(text), confidence=None) for text in texts]

    def _translated(self, text):
        return " ".join(self._words.get(word.lower(), word) for word in text.split())
"""


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
