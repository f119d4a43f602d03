# The part of `platform` that is written in Python.


def python_implementation():
    return "CPython"


def system():
    return "Linux"
