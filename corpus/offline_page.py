"""Render a page as one HTML file that loads nothing: it contains its style sheet, its script and its compressed data.

The texts of a corpus are embedded as compressed base64 and are shown as text nodes only. The Content Security Policy
allows the style sheet and the script of the page by their hashes, and nothing else.
"""

import base64
import hashlib
import html
import string
import zlib
from pathlib import Path

_SHARED_STYLE = Path(__file__).with_name("offline_page.css")


def render(folder: Path, title: str, data: str, note: str, **texts: str) -> str:
    """Return an HTML page made of page.html, page.css and all scripts in `folder`.

    `data` is JSON, `note` is a text for the page's help, and `texts` fill further placeholders of page.html. Equal
    arguments give equal bytes.
    """
    style = _SHARED_STYLE.read_text(encoding="utf-8") + (folder / "page.css").read_text(
        encoding="utf-8"
    )
    script = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.js")))
    policy = f"default-src 'none'; connect-src data:; script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    template = string.Template((folder / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=html.escape(title), policy=policy, style=style, script=script, note=html.escape(note),
        data=_compressed(data), **{name: html.escape(text) for name, text in texts.items()},
    )  # fmt: skip


def _compressed(data: str) -> str:
    """Compress `data` with zlib and return the result in base64.

    A lone surrogate becomes a JSON escape.
    """
    return base64.b64encode(zlib.compress(data.encode("utf-8", "backslashreplace"))).decode("ascii")


def _hash(text: str) -> str:
    """Return the hash of an inline script or style in the notation of a Content Security Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
