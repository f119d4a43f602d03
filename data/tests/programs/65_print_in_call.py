def loud(x):
    print("in", x)
    return x


print("out", loud(1), loud(2))
