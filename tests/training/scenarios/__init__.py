"""Pieces of training code as MXNet users write them, run by real MXNet once and by mixgrad in every test run.

A scenario is a function of the imported package that returns numbers, text and lists of them. It is called
``<module>.<function>``; those that take a case are called once per entry of the module's ``CASES``.
"""
