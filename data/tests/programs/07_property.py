class Square:
    def __init__(self, side):
        self._side = side

    @property
    def area(self):
        return self._side ** 2

    @staticmethod
    def unit():
        return Square(1)

    @classmethod
    def double(cls, other):
        return cls(other._side * 2)


s = Square.double(Square.unit())
print(s.area)
