# The part of `abc` that is written in Python.


def update_abstractmethods(cls):
    # Abstract methods are looked up when an instance is created.
    return cls



def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function


class abstractproperty:
    def __new__(cls, getter, *rest):
        return property(abstractmethod(getter), *rest)


class abstractclassmethod:
    def __new__(cls, function):
        return classmethod(abstractmethod(function))


class abstractstaticmethod:
    def __new__(cls, function):
        return staticmethod(abstractmethod(function))
