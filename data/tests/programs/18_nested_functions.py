def outer(x):
    def middle(y):
        def inner(z):
            return x + y + z

        return inner(1)

    return middle(10)


print(outer(100))
