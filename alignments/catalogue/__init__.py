"""What OPUS has: corpora, releases, sizes, licences, from the database that opustools ships."""
