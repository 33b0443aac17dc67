"""Translation engines and their common protocol.

Engines translate strings. They do not depend on the records or shards of a build.
"""
