"""Module."""


def f():
    """Function."""
    pass


class C:
    """Class."""

    x = 1


f()
