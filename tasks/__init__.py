"""One file a stage: read a shard, call one pure function, write a shard."""
