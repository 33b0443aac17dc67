"""Shards, atomic files, the row store, locks, and folders for builds."""
