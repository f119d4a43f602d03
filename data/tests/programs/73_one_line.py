a = 1; b = 2; print(a + b)
if a: c = 3; d = 4
for i in range(2): a += i
while b: b -= 1
def f(x): return x + 1
class C: pass
f(a)
