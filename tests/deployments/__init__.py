"""These tests are a package: its fixtures end with it."""
