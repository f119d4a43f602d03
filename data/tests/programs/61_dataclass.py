from dataclasses import dataclass, field


@dataclass
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)

    def norm(self):
        return self.x ** 2 + self.y ** 2


p = Point(3, 4)
q = Point(3, 4)
print(p == q, p.norm(), p)
