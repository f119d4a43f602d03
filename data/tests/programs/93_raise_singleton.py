class Stop(Exception):
    pass


STOP = Stop("stop")


def get(xs):
    if not xs:
        raise STOP
    return xs.pop()


try:
    get([])
except Stop:
    print("empty")
y = get([1])
z = get([])
