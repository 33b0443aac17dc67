"""Audit of what is installed: exactly what constraints.txt pins, from an index, and without known vulnerabilities.

    python audit/packages.py [--require-advisories]

The first two need no network and are what CI runs. Advisories come from pip-audit (PyPA), asked only where it is
installed; where it cannot ask, or knows nothing of a package, that is said: "not audited" is never taken for "none
known", and with --require-advisories it fails.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PINS = (ROOT / "constraints.txt", ROOT / "quickstart" / "encoder.txt")
OURS = frozenset({"bitext-pivot"})
TOOLS = frozenset({"pip", "setuptools", "wheel"})
"""What a new virtual environment brings by itself; it runs at installation alone."""
PATIENCE = 600  # seconds for all advisories


@dataclass(frozen=True, slots=True)
class Installed:
    """A package of the environment; `source` is the address it was installed from when that is no index."""

    name: str
    version: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Advisories:
    """What pip-audit found: a line a vulnerability, how many packages it knows of, and why not all were asked for."""

    known: tuple[str, ...] = ()
    asked: int = 0
    unasked: str = ""


def pinned(files: Iterable[Path]) -> tuple[dict[str, str], list[str]]:
    """Return the versions that requirement files pin, by normalised name, and the lines that pin none or again."""
    pins: dict[str, str] = {}
    faults = []
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            text = line.partition("#")[0].replace("\\", "").strip()
            if not text or text.startswith("--"):
                continue
            name, version = _pin(text)
            if version is None:
                faults.append(f"{file.name}:{number}: {text!r} pins no version; expected name==version")
            elif name in pins:
                faults.append(f"{file.name}:{number}: {name} is pinned twice; keep one line")
            else:
                pins[name] = version
    return pins, faults


def _pin(text: str) -> tuple[str, str | None]:
    """Return name and version of a requirement; no version unless it is one exact version."""
    try:
        asked = Requirement(text.partition(" --")[0])
    except InvalidRequirement:
        return text, None
    exact = [one.version for one in asked.specifier if one.operator == "==" and "*" not in one.version]
    return canonicalize_name(asked.name), exact[0] if len(asked.specifier) == len(exact) == 1 else None


def environment() -> list[Installed]:
    """Return the packages of the environment that runs this."""
    return [Installed(canonicalize_name(one.metadata["Name"]), one.version, _source(one)) for one in distributions()]


def _source(package: Distribution) -> str | None:
    """Return the address of direct_url.json (PEP 610), which packages from an index lack."""
    told = package.read_text("direct_url.json")
    return None if told is None else str(json.loads(told)["url"])


def differences(pins: Mapping[str, str], installed: Iterable[Installed]) -> list[str]:
    """Return a line for each installed package that is not pinned, is another version, or comes from no index.

    What is pinned and not installed is no fault: another system may need it.
    """
    faults = []
    for package in sorted(installed, key=lambda one: one.name):
        pin = pins.get(package.name)
        if package.name in OURS | TOOLS:
            continue
        if pin is None:
            faults.append(f"{package.name} {package.version} is installed and not pinned; pin it or uninstall it")
        elif package.version.partition("+")[0] != pin:  # torch's build without CUDA is 2.13.0+cpu
            faults.append(f"{package.name} is {package.version}, pinned is {pin}; run: make setup")
        if package.source:
            faults.append(f"{package.name} was installed from {package.source}, not from an index; install its release")
    return faults


def advisories(command: Sequence[str], pins: Mapping[str, str]) -> Advisories:
    """Ask pip-audit for the pinned packages; what it could not ask is told, whatever it calls that itself."""
    if shutil.which(command[0]) is None:
        return Advisories(unasked=f"{command[0]} is not installed (pipx install pip-audit)")
    options = ["--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off", "--requirement"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as asked:
        asked.writelines(f"{name}=={version}\n" for name, version in pins.items())
        asked.flush()
        try:
            done = subprocess.run(
                [*command, *options, asked.name], capture_output=True, text=True, timeout=PATIENCE, check=False
            )
            return _told(json.loads(done.stdout)["dependencies"])
        except subprocess.TimeoutExpired:
            return Advisories(unasked=f"{command[0]} did not end within {PATIENCE} s")
        except (ValueError, KeyError, TypeError):
            last = (done.stderr.strip().splitlines() or ["no answer"])[-1]
            return Advisories(unasked=f"{command[0]} could not ask: {last[:200]}")


def _told(packages: Sequence[Mapping[str, Any]]) -> Advisories:
    """Read pip-audit's answer; a package that its service does not know has `skip_reason` and no `vulns`."""
    known = [
        f"{one['name']} {one['version']}: {flaw['id']}, mended in {', '.join(flaw['fix_versions']) or 'no version'}"
        for one in packages
        for flaw in one.get("vulns", ())
    ]
    skipped = [str(one["name"]) for one in packages if "skip_reason" in one]
    some = ", ".join(skipped[:5]) + " ..." * (len(skipped) > 5)
    unasked = f"nothing is known of {len(skipped)} of {len(packages)}: {some}" if skipped else ""
    return Advisories(tuple(known), len(packages) - len(skipped), unasked)


def report(faults: Sequence[str], found: Advisories, *, packages: int, required: bool) -> int:
    """Print what was found; return 1 when there is something to mend, else 0."""
    lines = [f"FAULT {fault}" for fault in (*faults, *found.known)]
    lines.append(f"{packages} packages installed; {len(faults)} differ from what is pinned.")
    lines.append(f"{found.asked} audited for known vulnerabilities; {len(found.known)} found.")
    lines += [f"Not audited for known vulnerabilities: {found.unasked}."] if found.unasked else []
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return int(bool(faults or found.known or (required and found.unasked)))


def main(arguments: Sequence[str]) -> int:
    """Audit this environment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--require-advisories", action="store_true", help="fail where advisories cannot be asked for")
    required = parser.parse_args(arguments).require_advisories
    pins, faults = pinned(PINS)
    packages = environment()
    found = advisories(["pip-audit"], pins)
    return report([*faults, *differences(pins, packages)], found, packages=len(packages), required=required)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
