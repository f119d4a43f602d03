def f():
    try:
        g()
    finally:
        print("cleanup")


def g():
    x = [1]
    return x[3]


f()
