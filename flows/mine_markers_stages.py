"""The stages of `mine_markers`, for runs in this process and for those that Prefect records."""

from pathlib import Path

from bitext_pivot.core.site import Site
from bitext_pivot.discourse.recipes.discovery import DISCOVERY
from bitext_pivot.discourse.tasks.read_documents import read_documents
from bitext_pivot.discourse.tasks.select import read_marker_report, select_pairs
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.divide import divide_all
from bitext_pivot.tasks.export import export
from bitext_pivot.tasks.run.futures import depth_first


def build(settings: MineMarkers) -> Path:
    """Build a Discovery data set from documents and return its folder."""
    site = Site()
    settings, signature = check(settings, site)
    identities, texts = read_documents(settings, site)
    candidates = depth_first(
        texts,
        site,
        None,
        settings.shard_stages(site),
    )
    selected = select_pairs(candidates, settings.selection)
    divided = divide_all(DISCOVERY, selected, settings, site)
    return export(
        DISCOVERY,
        divided,
        settings,
        signature,
        sources=identities,
        markers=read_marker_report(selected),
    )
