"""Models, metrics and human assessment: what the papers do with a finished corpus (extra `research`)."""
