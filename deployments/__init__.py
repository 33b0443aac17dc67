"""Run flows, with or without a Prefect server, and serve the Prefect UI on this machine."""
