xs = list(range(300))
s = "ab" * 300
q = ["'" * 600, 1]
d = {i: -i for i in range(258)}
deep = []
for _ in range(10):
    deep = [deep]
