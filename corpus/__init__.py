"""Published files of a build: export, card, examples, and files of existing pairs."""
