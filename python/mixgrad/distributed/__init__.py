"""Processes of one training (mx.distributed)."""
