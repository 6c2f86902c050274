"""Comparison of mixgrad with MXNet 1.9.1: one table of cases, run by both."""
