"""Models, metrics and human assessment of the papers' systems: what is made of finished corpora."""
