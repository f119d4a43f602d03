def g():
    try:
        yield 1
    except KeyError:
        yield "caught"
    finally:
        print("done")


it = g()
next(it)
a = it.throw(KeyError("k"))
rest = list(it)
