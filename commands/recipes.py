"""`join`, `unfuse`, `mine` and `explicitate`: their options are the settings of the Prefect form."""

from pydantic_settings import CliImplicitFlag

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.unfuse_settings import UnfuseText


class Join(RunFlow, JoinBuilds):
    """Join builds with several pivots into one data set, equal pairs once; print its folder."""

    mixed: CliImplicitFlag[bool] = False
    """Join builds with different filters, parsers, engines or versions; the card lists the differences."""

    FORM = JoinBuilds
    PRESETS = presets.FOLDER / "join"
    FLOW = "join_builds"


class Unfuse(RunFlow, UnfuseText):
    """Build sentence-fusion pairs (DiscoFuse) of documents; print the folder of the data set."""

    FORM = UnfuseText
    PRESETS = presets.FOLDER / "unfuse"
    FLOW = "unfuse_text"


class Mine(RunFlow, MineMarkers):
    """Build pairs of sentences with discourse markers (Discovery) of documents; print the folder of the data set."""

    FORM = MineMarkers
    PRESETS = presets.FOLDER / "mine"
    FLOW = "mine_markers"


class Explicitate(RunFlow, ExplicitateBitext):
    """Label implicit relations of neighbouring sentences (explicitation); print the folder of the data set."""

    FORM = ExplicitateBitext
    PRESETS = presets.FOLDER / "explicitate"
    FLOW = "explicitate_bitext"
