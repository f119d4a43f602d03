s = list(range(6))
a = s[1:4]
b = s[::-2]
s[1:3] = ["x"]
del s[-1], s[0]
t = "hello"[1:-1]
