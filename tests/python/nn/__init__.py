"""Modules and optimisers in PyTorch's habits."""
