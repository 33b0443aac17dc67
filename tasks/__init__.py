"""One file per stage: read a shard, call one pure function, write a shard."""
