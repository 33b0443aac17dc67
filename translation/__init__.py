"""Texts in, texts out: engines behind one protocol; nothing here knows records or shards."""
