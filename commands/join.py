"""`join`: its options are the settings of the Prefect form."""

from pydantic_settings import CliImplicitFlag

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets
from bitext_pivot.flows.join_settings import JoinBuilds


class Join(RunFlow, JoinBuilds):
    """Join builds with several pivots into one data set, equal pairs once; print its folder."""

    mixed: CliImplicitFlag[bool] = False
    """Join builds with different filters, parsers, engines or versions; the card lists the differences."""

    FORM = JoinBuilds
    PRESETS = presets.FOLDER / "join"
    FLOW = "join_builds"
