"""Storage: shards (Parquet files of records), atomic writes, manifests, the row store, file locks, data folders."""
