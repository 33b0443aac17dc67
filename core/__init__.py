"""Modules that all other packages use: records, errors, settings, progress, storage, models of the hub, reading."""
