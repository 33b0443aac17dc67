"""Stages, forms and resources of the recipes over documents."""
