"""What all stages share: keys and shards, progress, artifacts, models, the examples of a training."""
