"""The catalogue of OPUS: corpora, releases, sizes and licences, from the database of opustools."""
