class Managed:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, value, trace):
        print("exit", kind is None)
        return True


with Managed("a") as m, Managed("b"):
    x = 1
with Managed("c"):
    1 / 0
y = 2
