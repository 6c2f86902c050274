"""Measuring mixgrad against its peers: what a case is, how it is measured, and how results are reported."""
