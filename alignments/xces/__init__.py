"""Streaming readers of OPUS's own formats: XCES link files and XML documents."""
