import os
import sys

print("first", sys.stdout.fileno())
written = os.write(1, b"second\n")
written += os.write(sys.stdout.fileno(), "third\n".encode())
try:
    os.write(1, "text")
except TypeError as error:
    print(error)
print(written)
