"""Translation engines and their common protocol.

Engines translate strings and know nothing of records or shards.
"""
