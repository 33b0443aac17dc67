"""The ground floor: records, errors, settings, site, progress, tables; storage, syntax, labelling, checkpoints."""
