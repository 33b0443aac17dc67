"""The stages of `unfuse_text`, for runs in this process and for those that Prefect records."""

from pathlib import Path

from bitext_pivot.core.site import Site
from bitext_pivot.discourse.recipes.discofuse import DISCOFUSE, add_balanced_kind
from bitext_pivot.discourse.tasks.read_documents import read_documents
from bitext_pivot.discourse.tasks.unfuse import balanced_sampler
from bitext_pivot.flows.unfuse_settings import UnfuseText
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.divide import divide_all
from bitext_pivot.tasks.export import export
from bitext_pivot.tasks.run.futures import depth_first


def build(settings: UnfuseText) -> Path:
    """Build a DiscoFuse data set from documents and return its folder."""
    site = Site()
    settings, signature = check(settings, site)
    identities, texts = read_documents(settings, site)
    fused = depth_first(
        texts,
        site,
        DISCOFUSE,
        settings.shard_stages(site),
    )
    recipe = add_balanced_kind(balanced_sampler(fused, settings.balance))
    divided = divide_all(recipe, fused, settings, site)
    return export(recipe, divided, settings, signature, sources=identities)
