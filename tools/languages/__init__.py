"""Wrappers of the operators in other languages; tools/generate_languages.py writes them."""
