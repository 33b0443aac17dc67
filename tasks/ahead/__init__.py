"""Steps before a build: checks, the plan, the inventory of finished shards, a trial of the translations."""
