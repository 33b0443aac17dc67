"""Training and evaluation of the papers' models: networks of one shape, one trainer, one card."""
