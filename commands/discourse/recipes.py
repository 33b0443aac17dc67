"""`unfuse`, `mine` and `explicitate`: their options are the settings of the Prefect form."""

from bitext_pivot.commands.flow_command import RunFlow
from bitext_pivot.flows import presets
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.unfuse_settings import UnfuseText


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
