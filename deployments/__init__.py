"""The Prefect server of this machine with its work pool and deployments, and runs of recipes with or without it."""
