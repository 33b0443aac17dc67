"""The stages of a build, one per file. Most read a shard of records, call one pure function and write a new shard."""
