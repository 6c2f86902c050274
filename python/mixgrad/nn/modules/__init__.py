"""The layers, one file for each family."""
