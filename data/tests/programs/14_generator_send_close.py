def echo():
    last = None
    try:
        while True:
            last = yield last
    finally:
        print("closed")


g = echo()
next(g)
print(g.send(5))
g.close()
