"""Shards, atomic files, the row store, locks, and folders on file systems and object stores."""
