def f(flag):
    if flag:
        v = 1
    w = 2
    return v


f(True)
f(False)
