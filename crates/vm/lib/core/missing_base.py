# The replacement of base classes that a program lacks.
# Level: methods


class _MissingBase:
    """It takes whatever it is given, and keeps what it is given by keyword."""

    def __init__(self, *arguments, **keywords):
        for name, value in keywords.items():
            setattr(self, name, value)

    def __init_subclass__(cls, **keywords):
        pass

    def __class_getitem__(cls, item):
        return cls

    def __call__(self, *arguments, **keywords):
        # Like `torch.nn.Module`.
        forward = getattr(self, "forward", None)
        return _part_of(self, "()") if forward is None else forward(*arguments, **keywords)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        return False

    def __getitem__(self, key):
        return _part_of(self, "[]")

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter(_part_of(self, "[]"))

    def __len__(self):
        return 2

    def __bool__(self):
        return True


def _called_back(function, arguments, keywords):
    """A framework calls a function that was handed to it."""
    result = function(*arguments, **keywords)
    if hasattr(result, "send"):
        for _ in range(3):
            result.send(None)
