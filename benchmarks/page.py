"""docs/quality.md: every figure of pairs, filters, labels, parsers and speed, each by the script that measures it.

usage: python benchmarks/page.py [--shared ../shared] [SECTION...]

Each section of benchmarks/page.toml asks a question, says what was asked for and what the original or the peer has, and
names commands. A section's commands run one after the other, and what they print becomes the section's text, with the
day, the processor and the load at its beginning. Sections that are not named keep what an earlier run printed, so that
one can be measured anew on a quiet machine. In a command `{eval}`, `{ud}`, `{opus}`, `{mt}` are folders of --shared,
`{scratch}` one that is thrown away. Stops at the first command that fails; nothing of its section is changed then.
"""

import argparse
import datetime
import os
import platform
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
PRINTED = ROOT / "docs" / "quality"
PAGE = ROOT / "docs" / "quality.md"


def processor() -> str:
    """Return the name of the processor and how many of it there are."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} of {names[0] if names else platform.machine()}"


def measure(section: dict[str, Any], folders: dict[str, str]) -> str:
    """Run a section's commands and return what they print, with when and where at the top."""
    load = os.getloadavg()[0]
    parts = [f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {processor()}, load {load:.1f} at the start"]
    with tempfile.TemporaryDirectory() as scratch:
        for command in section["commands"]:
            words = shlex.split(command.format(scratch=scratch, **folders))
            print(f"  {command}", file=sys.stderr)
            ran = subprocess.run([sys.executable, *words], check=False, cwd=ROOT, capture_output=True, text=True)
            if ran.returncode:
                sys.exit(f"{command}\nfailed:\n{ran.stderr[-2000:]}")
            if ran.stdout.strip():
                printed = re.sub(r"\n{3,}", "\n\n", ran.stdout.strip("\n")).replace(scratch, "{scratch}")
                parts.append(f"$ python {command}\n{printed}")
    return "\n\n".join(parts) + "\n"


def page(sections: dict[str, dict[str, Any]]) -> str:
    """Return the page: what is asked for, and what was printed."""
    lines = [
        "# What was measured", "",
        "Written by `make quality`, from what the scripts in `benchmarks/` print; the questions are in",
        "`benchmarks/page.toml`. `{eval}`, `{ud}`, `{opus}` and `{mt}` are folders of real data, which are not part of",
        "the repository. Times are CPU seconds unless a line says otherwise.", "",
    ]  # fmt: skip
    for name, section in sections.items():
        printed = PRINTED / f"{name}.txt"
        text = printed.read_text(encoding="utf-8") if printed.exists() else "not measured yet\n"
        lines += [f"## {section['title']}", "", section["asked"].strip(), "", f"```text\n{text}```", ""]
    return "\n".join(lines)


def main() -> None:
    """Measure the sections named, all of them when none is, and write the page."""
    sections: dict[str, dict[str, Any]] = tomllib.loads((HERE / "page.toml").read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared", help="folder of the real data")
    parser.add_argument("--no-run", action="store_true", help="only write the page anew from what was printed")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(sections))
    options = parser.parse_args()
    if wrong := set(options.sections) - set(sections):
        parser.error(f"no section {', '.join(sorted(wrong))}; there are {', '.join(sections)}")
    folders = {name: os.path.relpath(options.shared / name, ROOT) for name in ("eval", "ud", "opus", "mt")}
    PRINTED.mkdir(parents=True, exist_ok=True)
    for name in [] if options.no_run else options.sections or sections:
        print(name, file=sys.stderr)
        (PRINTED / f"{name}.txt").write_text(measure(sections[name], folders), encoding="utf-8")
        PAGE.write_text(page(sections), encoding="utf-8")
    PAGE.write_text(page(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
