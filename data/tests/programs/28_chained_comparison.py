x = 5
a = 1 < x < 10
b = 1 < x > 7
c = x == 5 or x / 0
d = not a and b
e = "five" if a else "other"
