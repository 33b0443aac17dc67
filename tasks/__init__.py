"""The stages of all recipes, one per file: each reads a shard, calls one pure function and writes a shard."""
