def f(a, b,
      c=3):
    return (a +
            b +
            c)


x = f(
    1,
    f(2,
      3),
)
y = [
    1,
    x,
]
text = """one
two"""
if (x > 1 and
        y):
    z = x \
        + 1
