# The part of `warnings` that is written in Python.


def warn(message, category=None, stacklevel=1, source=None):
    if _STDERR is not None:
        _throw("warnings that the program reads")


def filterwarnings(action, *args, **kwargs):
    if action == "error":
        _throw("warnings as errors")


def simplefilter(action, *args, **kwargs):
    if action == "error":
        _throw("warnings as errors")


def _deprecated(name, message="", *, remove, _version=None):
    # It warns of a module of the library, which nobody sees.
    pass
