import sys

print("a", "b", sep="-", end="!")
print()
print("err", file=sys.stderr)
sys.stdout.write("raw\n")
sys.stdout.buffer.write(b"bytes\n")
print("é\u20ac", "\ud800")
print(*[1, 2], sep="")
