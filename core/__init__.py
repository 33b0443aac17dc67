"""What all folders share: records, errors, settings, site, progress, tables; storage, hub, languages, reading."""
