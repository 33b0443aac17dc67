"""Pages of one HTML file that load nothing: styles, script and compressed data are inside.

Texts of a corpus reach a page as compressed base64 and are shown as text nodes only. The Content Security Policy allows
the page's one script and one style sheet, by their hashes.
"""

import base64
import hashlib
import html
import string
import zlib
from pathlib import Path

_SHARED_STYLE = Path(__file__).with_name("offline_page.css")


def render(folder: Path, title: str, data: str, note: str, **texts: str) -> str:
    """Return the page of page.html, page.css and all scripts in `folder`; the same texts give the same bytes.

    `data` is JSON; `note` is text for the page's help, `texts` are other placeholders of page.html.
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
    """Return zlib's format in base64. A lone surrogate becomes its escape in JSON."""
    return base64.b64encode(zlib.compress(data.encode("utf-8", "backslashreplace"))).decode("ascii")


def _hash(text: str) -> str:
    """Return the hash of an inline script or style as a Content Security Policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
