"""Processes that write files and are killed, for tests and soaks."""
