"""Published files of a build: export, card, plots, examples, and files of existing pairs."""
