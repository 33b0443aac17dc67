"""The tasks that train a model: read the examples, train, score, write the card."""
