"""Allocations that fail on demand, in any program: what the tests and the soak share."""
