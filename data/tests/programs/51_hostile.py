class Meta(type):
    def __repr__(cls):
        print("called")

    def __instancecheck__(cls, other):
        print("called")


class Bad(metaclass=Meta):
    def __repr__(self):
        print("called")
        return "x"

    __str__ = __repr__

    def __hash__(self):
        return 1

    @property
    def __class__(self):
        print("called")
        return int


class Int(int):
    def __repr__(self):
        print("called")
        return "x"


class List(list):
    def __iter__(self):
        print("called")
        return iter([])

    def __len__(self):
        print("called")
        return 0


class Dict(dict):
    def items(self):
        print("called")
        return []


b = Bad()
values = [b, Int(3), List([1]), Dict(k=1), {1: b}, (Bad,)]
i = Int(4)
