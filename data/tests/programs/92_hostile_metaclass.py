class Loud(type):
    def __hash__(cls):
        print("hashed")
        return 0

    def __eq__(cls, other):
        return cls.__name__ == other.__name__


class A(metaclass=Loud):
    pass


class Name(str):
    def isidentifier(self):
        print("asked")
        return True

    def __hash__(self):
        print("hashed")
        return str.__hash__(self)


B = type("B", (), {})
B.__name__ = Name("B")
a = A()
b = B()
pairs = [A(), 1]
nested = {1: (a, A)}
