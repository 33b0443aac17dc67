"""The tests of flows are a package: its fixtures end with it."""
