class Space(dict):
    def items(self):
        print("called")
        return []

    def __iter__(self):
        print("called")
        return iter([])


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Space()


class A(metaclass=Meta):
    z = 3
