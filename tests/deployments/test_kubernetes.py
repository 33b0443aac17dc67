"""The example for Kubernetes, as far as it can be looked at without one: its parts fit each other and the checkout."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

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
    filled: Any = apply_values(TEMPLATE["job_configuration"], values | {"name": "fr-en", "command": "run", "cpu": "8"})
    pod = filled["job_manifest"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert container["resources"]["requests"] == {"cpu": "8", "memory": "8Gi"}
    assert container["env"]["BITEXT_PIVOT_HOME"] == container["volumeMounts"][0]["mountPath"] == "/data"
    assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == "bitext-pivot-data"
    assert "{{" not in json.dumps(filled["job_manifest"])


def test_the_image_asks_for_extras_and_targets_that_exist() -> None:
    lines = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (extras,) = re.findall(r"'\.\[([\w,]+)\]'", lines)
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras.split(","))
    (target,) = re.findall(r"make (\w+)", lines)
    made = subprocess.run([shutil.which("make") or "make", "-n", target], cwd=ROOT, capture_output=True)
    assert made.returncode == 0
