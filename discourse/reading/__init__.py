"""Readers of running text: documents of one language, and documents that several bitexts share."""
