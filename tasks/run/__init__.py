"""Code that all stages share: paths of shards, runs and workers, progress, reports, models and resources."""
