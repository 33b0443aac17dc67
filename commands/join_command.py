"""`bitext-pivot join`. Its options are the settings that Prefect's UI shows as a form."""

from pydantic_settings import CliImplicitFlag

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets
from bitext_pivot.flows.join_settings import JoinBuilds


class Join(RunFlow, JoinBuilds):
    """Join builds with several pivot languages into one data set without duplicates, and print its folder."""

    mixed: CliImplicitFlag[bool] = False
    """Allow builds with different filters, parsers, engines or versions. The card lists the differences."""

    FORM = JoinBuilds
    PRESETS = presets.FOLDER / "join"
    FLOW = "join_builds"
