def kind(v):
    match v:
        case 0:
            return "zero"
        case [a, *rest]:
            return "list", a, rest
        case {"k": value}:
            return value
        case str() as s if s:
            return s
        case _:
            return None


print(kind(0), kind([1, 2]), kind({"k": 3}), kind("s"), kind(""))
