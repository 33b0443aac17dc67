"""Write what was measured, and what it means, into benchmarks/results/README.md.

The commands of benchmarks/page.toml are run, and what they print is kept in benchmarks/results.

usage: python benchmarks/page.py [SECTION...]
       python benchmarks/page.py --from-logs     # measure nothing: write it from benchmarks/results/*.txt

Sections that are not named keep what an earlier run printed, so that one can be measured again on a quiet machine. In a
command `{eval}`, `{ud}`, `{opus}`, `{mt}` are folders of ../shared, `{scratch}` is a temporary one. The first command
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
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent
PRINTED = HERE / "results"
DETAILS = PRINTED / "README.md"
DETAILS_HEAD = """\
# What was measured

docs/quality.md says what to expect; here is every figure with its goal, and what it means. `make quality` writes this
page from the scripts of `benchmarks/` and what they print. In the logs `{{eval}}`, `{{ud}}`, `{{opus}}` and `{{mt}}`
stand for folders of data.

Only a figure on data that the rules had not seen says what to expect of other data. Rules that are younger than a
figure may change it. Times are CPU seconds. Readers are language models; agreement with people is not known.

{table}

| name | what |
|---|---|
| `test` | 300 pairs of BiSECT's published test set, out of EMEA and JRC-Acquis |
| `pool` | 3,644 published pairs of BiSECT out of the same two corpora; `orig` in the logs |
| `wmt` | 1,019 links of WMT news under a commercial translator, cut by a rule |
| `draws` 1 to 6 | pairs labelled by hand: draws 1 to 5 out of `wmt`, draw 6 out of `test` |
| natural links | other links of WMT news |
| `translations` | 119 translations by the quickstart's model: 69 sentences of Tatoeba, 50 of Europarl |

Thresholds were chosen on the even lines of `test`, `pool` and `wmt`. None of these data are part of the repository.
"""
COLUMNS = ("what", "data", "seen by the rules", "goal", "measured", "date")
Section = dict[str, Any]


def processor() -> str:
    """Return the number of processors and their name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} of {names[0] if names else platform.machine()}"


def measure(section: Section, folders: dict[str, str]) -> str:
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


def write(sections: dict[str, Section]) -> None:
    """Write a table of what was measured, and a section for each row of it."""
    rows = [_line(COLUMNS), "|---" * len(COLUMNS) + "|"]
    details = []
    for name, section in sections.items():
        log = _log(name)
        figures = figures_of(name, section, log)
        rows.append(_row(section, figures, log))
        details.append(_text(name, section, figures, log))
    head = DETAILS_HEAD.format(table="\n".join(rows))
    DETAILS.write_text("\n".join([head, *details]), encoding="utf-8")


def _log(name: str) -> str:
    """Return what a section's commands printed, or an empty text if they did not run yet."""
    file = PRINTED / f"{name}.txt"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def figures_of(name: str, section: Section, log: str) -> str:
    """Return the cell of a section with the figures of its log, as many as the cell has places for."""
    if not log:
        return "not measured yet"
    figures = re.findall(section["figure"], log)
    places = section["measured"].count("{}")
    if len(figures) != places:
        sys.exit(
            f"benchmarks/results/{name}.txt has {len(figures)} figures, page.toml has {places} places"
        )
    return str(section["measured"].format(*figures))


def _row(section: Section, figures: str, log: str) -> str:
    date = log.partition(",")[0].partition("\n")[0]
    return _line(
        (section["title"], section["data"], section["seen"], section["goal"], figures, date)
    )


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(name: str, section: Section, figures: str, log: str) -> str:
    """Return what a reader should know, and where what was printed lies."""
    when = log.partition("\n")[0]
    made = "Printed by the commands" if "commands" in section else "The notes of the reading"
    facts = f"Goal: {section['goal']}. Measured: {figures}."
    return (
        f"## {section['title']}\n\n{facts}\n\n{section['about'].strip()}\n\n"
        f"{when}. {made}: [{name}.txt]({name}.txt).\n"
    )


def main() -> None:
    """Measure the named sections, or all, and write the page."""
    sections: dict[str, Section] = tomllib.loads((HERE / "page.toml").read_text(encoding="utf-8"))
    measured = [name for name, section in sections.items() if "commands" in section]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--from-logs", action="store_true", help="measure nothing, write the page from the logs"
    )
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(measured))
    options = parser.parse_args()
    if unknown := set(options.sections) - set(measured):
        parser.error(f"no section {', '.join(sorted(unknown))}; expected {', '.join(measured)}")
    folders = {name: f"../shared/{name}" for name in ("eval", "ud", "opus", "mt")}
    if options.from_logs:
        write(sections)
        return
    for name in options.sections or measured:
        (PRINTED / f"{name}.txt").write_text(measure(sections[name], folders), encoding="utf-8")
        write(sections)


if __name__ == "__main__":
    main()
