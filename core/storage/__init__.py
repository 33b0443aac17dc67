"""Shards, atomic files and their manifests, the row store, locks, and data folders."""
