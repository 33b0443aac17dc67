"""Train, apply and evaluate the models of the papers: networks with one interface, one trainer, one card."""
