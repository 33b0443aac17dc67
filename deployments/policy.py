"""What the page's script may ask: a content security policy in each copy of the page that the server hands out.

Prefect's interface fetches a configuration from elsewhere when it is opened. No setting turns that off, so the browser
is told not to. The server copies the interface to a folder that is named for it, and there the policy is written in.
"""

from pathlib import Path

from pairs.storage import atomic

_HEAD = "<head>\n"
_POLICY = '<meta http-equiv="Content-Security-Policy" content="connect-src '


def close(interface: Path, *addresses: str) -> int:
    """Let every copy of the page below `interface` ask its own server and these addresses alone; return how many.

    A copy that has a policy gets the new one. An address is `http://host:port`; its web sockets are meant too.
    """
    allowed = [address for http in addresses for address in (http, http.replace("http", "ws", 1))]
    policy = _POLICY + " ".join(["'self'", *allowed]) + '">\n'
    pages = list(interface.glob("*/index.html"))
    for page in pages:
        lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
        text = "".join(line for line in lines if not line.startswith(_POLICY))
        atomic.write_text(page, text.replace(_HEAD, _HEAD + policy, 1))
    return len(pages)
