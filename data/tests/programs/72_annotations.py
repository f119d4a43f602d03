from typing import List, Optional

x: int = 1
y: "str"
z: List[int] = [x]


def f(a: int, b: Optional[str] = None) -> str:
    c: float = a / 2
    return str(c)


f(1)
