class Stop(Exception):
    pass


STOP = Stop("stop")


def failing():
    try:
        raise STOP
    finally:
        x = 1


def get():
    return STOP


def caught():
    try:
        failing()
    except Stop:
        pass


for f in failing, caught:
    try:
        f()
    except Stop:
        print("caught")
try:
    raise STOP if not caught() else None
except Stop:
    print("again")
raise get()
