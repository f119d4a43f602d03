class Table:
    size = 2
    cells = [0 for _ in range(size)]
    names = {
        k: k * 2
        for k in
        "ab"
    }

    def rows(self):
        return [lambda: x for x in self.cells]


print(len(Table().rows()), Table.names)
