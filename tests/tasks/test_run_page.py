"""A run's name."""

from datetime import date
from types import SimpleNamespace

import pytest


@pytest.mark.parametrize(("title", "name", "shown"), [
    ("fr-en: Europarl/v8", "wise-otter", "fr-en: Europarl/v8, {today}"),
    ("fr-en: Europarl/v8, TED2020/v1", "Tasty-Otter", "fr-en: Europarl/v8, TED2020/v1, {today}"),
    ("el-en: A/v1, B/v1, C/v1, D/v1, E/v1", "wise-otter", "el-en: A/v1, B/v1, C/v1 and 2 more, {today}"),
    ("fr-en: Europarl/v8", "first try with Europarl", "first try with Europarl"),
    ("fr-en: Europarl/v8", "my-build", "my-build"),
    ("fr-en: Europarl/v8", "première", "première"),
    ("fr-en: Europarl/v8", "Tasty-experiment", "Tasty-experiment"),
    ("fr-en: Europarl/v8", "otter", "otter"),
])  # fmt: skip
def test_a_typed_name_stays_and_a_generated_one_gives_way(
    title: str, name: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks import run_page

    run = SimpleNamespace(name=name, parameters={"settings": SimpleNamespace(title=title)})
    monkeypatch.setattr(run_page, "runtime", SimpleNamespace(flow_run=run))
    assert run_page.run_name() == shown.format(today=date.today())


def test_a_build_from_a_card_and_a_plan_are_named_after_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks import run_page

    form = SimpleNamespace(title="fr-en: Europarl/v8", folder="fr-en")
    for card, build, plan in (("a/README.md", "a/README.md", "a/README.md"), ("", form.title, "fr-en")):
        run = SimpleNamespace(name="wise-otter", parameters={"settings": form, "from_card": card})
        monkeypatch.setattr(run_page, "runtime", SimpleNamespace(flow_run=run))
        assert (run_page.run_name(), run_page.plan_name()) == (f"{build}, {date.today()}", f"plan {plan}")


def test_every_name_of_the_server_is_known_as_generated() -> None:
    from prefect.utilities.names import generate_slug

    from tasks import run_page

    assert all(run_page.is_generated(generate_slug(2)) for _ in range(300))
