"""Graphs that real MXNet 1.9.1 exported, of GluonCV's networks and in the manner of its examples."""
