"""The audit of packages: what is not pinned is named, and "not audited" is never taken for "nothing known"."""

import json
from pathlib import Path

import pytest

from audit import packages
from audit.packages import Advisories, Installed, advisories, differences, pinned, report

PINS = {"torch": "2.13.0", "spacy": "3.8.18"}


def written(folder: Path, text: str) -> Path:
    """A file of requirements."""
    path = folder / "constraints.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_versions_are_pinned_by_normalised_name(tmp_path: Path) -> None:
    text = "# why\nTorch==2.13.0\n\nruamel.yaml_clib==0.2.15  # a comment\n--only-binary :all:\nx==1 --hash=sha256:00\n"
    pins = {"torch": "2.13.0", "ruamel-yaml-clib": "0.2.15", "x": "1"}
    assert pinned([written(tmp_path, text)]) == (pins, [])


LOOSE = ["torch>=2", "torch", "torch==2.*", "torch==2,==3", "torch @ https://example.org/torch.whl", "git+ssh://x"]


@pytest.mark.parametrize("line", LOOSE)
def test_a_line_that_pins_no_version_is_a_fault(tmp_path: Path, line: str) -> None:
    pins, (fault,) = pinned([written(tmp_path, f"spacy==3.8.18\n{line}\n")])
    assert pins == {"spacy": "3.8.18"}
    assert fault == f"constraints.txt:2: {line!r} pins no version; expected name==version"


def test_a_package_pinned_twice_is_a_fault(tmp_path: Path) -> None:
    _, faults = pinned([written(tmp_path, "Foo.Bar==1\nfoo-bar==2\n")])
    assert faults == ["constraints.txt:2: foo-bar is pinned twice; keep one line"]


DIFFERENCES = [
    (Installed("torch", "2.13.0"), None),
    (Installed("torch", "2.13.0+cpu"), None),
    (Installed("pip", "24.0"), None),
    (Installed("bitext-pivot", "0.1.0", "file:///somewhere"), None),
    (Installed("torch", "2.13.1"), "torch is 2.13.1, pinned is 2.13.0; run: make setup"),
    (Installed("stranger", "1"), "stranger 1 is installed and not pinned; pin it or uninstall it"),
    (Installed("spacy", "3.8.18", "https://example.org/spacy.whl"),
     "spacy was installed from https://example.org/spacy.whl, not from an index; install its release"),
]  # fmt: skip


@pytest.mark.parametrize(("package", "fault"), DIFFERENCES)
def test_what_is_installed_is_compared_with_what_is_pinned(package: Installed, fault: str | None) -> None:
    assert differences(PINS, [package]) == ([fault] if fault else [])


def test_the_address_of_a_package_from_no_index_is_known() -> None:
    found = packages.environment()
    assert any((one.source or "").startswith("file:") for one in found if one.name == "bitext-pivot")
    assert [one.source for one in found if one.name == "spacy"] == [None]


def asked(folder: Path, answer: str, *, status: int = 0, complaint: str = "") -> list[str]:
    """A program that answers as pip-audit does, when it is asked for exactly the pinned versions."""
    program = folder / "pip-audit"
    program.write_text(
        '#!/bin/sh\nfor last; do :; done\ngrep -q "^torch==2.13.0$" "$last" || exit 9\n'
        f'cat <<END\n{answer}\nEND\necho "{complaint}" >&2\nexit {status}\n'
    )
    program.chmod(0o755)
    return [str(program)]


def answer(*dependencies: dict[str, object]) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


CLEAN = {"name": "torch", "version": "2.13.0", "vulns": []}
UNKNOWN = {"name": "spacy", "skip_reason": "Dependency not found and could not be audited: spacy (3.8.18)"}
BAD = {"name": "torch", "version": "2.13.0", "vulns": [
    {"id": "MADE-UP-1", "fix_versions": ["2.14"], "aliases": []}, {"id": "MADE-UP-2", "fix_versions": []},
]}  # fmt: skip


def test_known_vulnerabilities_are_named_with_the_version_that_mends_them(tmp_path: Path) -> None:
    found = advisories(asked(tmp_path, answer(BAD, CLEAN), status=1), PINS)
    assert found.known == (
        "torch 2.13.0: MADE-UP-1, mended in 2.14", "torch 2.13.0: MADE-UP-2, mended in no version",
    )  # fmt: skip
    assert (found.asked, found.unasked) == (2, "")


def test_a_package_that_the_service_does_not_know_counts_as_not_audited(tmp_path: Path) -> None:
    """Behind a mirror pip-audit 2.10 says `No known vulnerabilities found` and ends well, having asked for nothing."""
    found = advisories(asked(tmp_path, answer(UNKNOWN, CLEAN)), PINS)
    assert found == Advisories((), 1, "nothing is known of 1 of 2: spacy")


def test_without_a_network_nothing_is_audited_and_that_is_said(tmp_path: Path) -> None:
    command = asked(tmp_path, "", status=1, complaint="ConnectionError: no route")
    assert advisories(command, PINS) == Advisories((), 0, f"{command[0]} could not ask: ConnectionError: no route")


def test_without_pip_audit_the_way_to_get_it_is_told() -> None:
    found = advisories(["no-such-program"], PINS)
    assert found.unasked == "no-such-program is not installed (pipx install pip-audit)"


@pytest.mark.parametrize(("faults", "found", "required", "status"), [
    ([], Advisories((), 2), True, 0),
    ([], Advisories((), 0, "no network"), False, 0),
    ([], Advisories((), 0, "no network"), True, 1),
    ([], Advisories(("torch 2: X",), 2), False, 1),
    (["stranger"], Advisories((), 2), False, 1),
])  # fmt: skip
def test_only_findings_fail_and_silence_where_advisories_are_required(
    faults: list[str], found: Advisories, required: bool, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(faults, found, packages=7, required=required) == status
    told = capsys.readouterr().out
    assert "7 packages installed" in told
    assert ("Not audited for known vulnerabilities: no network." in told) == bool(found.unasked)
    assert told.count("FAULT") == len(faults) + len(found.known)


def test_every_pin_of_the_project_is_exact() -> None:
    pins, faults = pinned(packages.PINS)
    assert len(pins) > 150 and faults == []
