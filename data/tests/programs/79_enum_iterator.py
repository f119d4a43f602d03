import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Up:
    def __init__(self, top):
        self.n, self.top = 0, top

    def __iter__(self):
        return self

    def __next__(self):
        if self.n >= self.top:
            raise StopIteration
        self.n += 1
        return self.n


print([c.name for c in Color], list(Up(2)))
