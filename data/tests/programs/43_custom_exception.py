class Custom(Exception):
    def __str__(self):
        return "never called " + str(1 / 0)


def f():
    raise Custom("x")


f()
