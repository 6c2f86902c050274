"""Processes that leave in many states, by programs in every language of the packages."""
