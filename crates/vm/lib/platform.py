# The part of `platform` that is written in Python.


def python_implementation():
    return "CPython"


def system():
    return "Linux"


def machine():
    return _unknown("platform.machine()", _architecture())


def node():
    return _unknown("platform.node()", "codexec")


def processor():
    return _unknown("platform.processor()", "")


def python_version():
    return _unknown("platform.python_version()", "3.11.7")


def python_version_tuple():
    return _unknown("platform.python_version_tuple()", ("3", "11", "7"))


def python_branch():
    return ""


def python_revision():
    return ""
