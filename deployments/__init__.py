"""Prefect's server on this machine, its work pool and the deployments."""
