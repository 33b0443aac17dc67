"""What all stages share: keys and shards, progress, artifacts, checks, models, plans."""
