def f():
    try:
        return "try"
    finally:
        x = 1
        return "finally"


print(f())
