"""The ground floor: records, shards, parsing, edits, categories, export, settings, errors."""
