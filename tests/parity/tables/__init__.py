"""The parity cases, one module per family of operators."""
