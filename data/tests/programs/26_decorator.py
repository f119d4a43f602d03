def twice(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2

    return wrapper


def tag(name):
    def deco(f):
        f.tag = name
        return f

    return deco


@tag("t")
@twice
def inc(x):
    return x + 1


print(inc(3), inc.tag)
