# The part of `keyword` that is written in Python.

kwlist = (
    "False None True and as assert async await break class continue def del elif else except finally for from global if import "
    "in is lambda nonlocal not or pass raise return try while with yield"
).split()


def iskeyword(word, /):
    return word in kwlist
