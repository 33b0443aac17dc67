"""Write docs/quality.md: run the commands of benchmarks/page.toml and keep what they print.

usage: python benchmarks/page.py [--shared ../shared] [SECTION...]

Sections that are not named keep what an earlier run printed, so that one can be measured again on a quiet machine. In a
command `{eval}`, `{ud}`, `{opus}`, `{mt}` are folders of --shared and `{scratch}` is a temporary one. The first command
that fails ends the program, and its section stays as it was. A section without commands was written by hand.
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
HEAD = """\
# What was measured

How good and how fast bitext-pivot is: each goal, the figure that was measured, and what the command printed.

| what | goal | measured |
|---|---|---|
{table}

Written by `make quality`: the sections below hold what the scripts of `benchmarks/` printed, with date and machine.
`{{eval}}`, `{{ud}}`, `{{opus}}` and `{{mt}}` are folders of real data that are not part of the repository. Times are
CPU seconds unless a line says otherwise.
"""


def processor() -> str:
    """Return the number of processors and their name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} of {names[0] if names else platform.machine()}"


def measure(section: dict[str, Any], folders: dict[str, str]) -> str:
    """Run a section's commands and return what they print, below date, machine and load."""
    load = os.getloadavg()[0]
    parts = [
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}, {processor()}, load {load:.1f} at the start"
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for command in section["commands"]:
            print(f"  {command}", file=sys.stderr)
            words = shlex.split(command.format(scratch=scratch, **folders))
            done = subprocess.run(
                [sys.executable, *words], check=False, cwd=ROOT, capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"{command}\nfailed:\n{done.stderr[-2000:]}")
            printed = re.sub(r"\n{3,}", "\n\n", done.stdout.strip("\n")).replace(
                scratch, "{scratch}"
            )
            parts.append(f"$ python {command}\n{printed}")
    return "\n\n".join(parts) + "\n"


def page(sections: dict[str, dict[str, Any]]) -> str:
    """Return the document: a table of goals and figures, then what was printed."""
    rows, parts = [], []
    for name, section in sections.items():
        file = PRINTED / f"{name}.txt"
        printed = file.read_text(encoding="utf-8") if file.exists() else "not measured yet\n"
        if "figure" in section:
            link = re.sub(r"[^\w -]", "", section["title"].lower()).replace(" ", "-")
            figures = ", ".join(re.findall(section["figure"], printed)) or "-"
            rows.append(f"| [{section['title']}](#{link}) | {section['goal']} | {figures} |")
        goal = f"Goal: {section['goal']}.\n\n" if "goal" in section else ""
        parts.append(
            f"## {section['title']}\n\n{goal}{section['about'].strip()}\n\n```text\n{printed}```\n"
        )
    return "\n".join([HEAD.format(table="\n".join(rows)), *parts])


def main() -> None:
    """Measure the named sections, or all, and write the document."""
    sections: dict[str, dict[str, Any]] = tomllib.loads(
        (HERE / "page.toml").read_text(encoding="utf-8")
    )
    measured = [name for name, section in sections.items() if "commands" in section]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--shared", type=Path, default=ROOT.parent / "shared", help="folder of the real data"
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(measured))
    options = parser.parse_args()
    if unknown := set(options.sections) - set(measured):
        parser.error(f"no section {', '.join(sorted(unknown))}; expected {', '.join(measured)}")
    folders = {
        name: os.path.relpath(options.shared / name, ROOT) for name in ("eval", "ud", "opus", "mt")
    }
    for name in options.sections or measured:
        (PRINTED / f"{name}.txt").write_text(measure(sections[name], folders), encoding="utf-8")
        PAGE.write_text(page(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
