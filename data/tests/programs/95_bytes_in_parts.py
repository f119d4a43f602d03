import sys

sys.stdout.buffer.write(b"\xc3")
sys.stdout.buffer.write(b"\xa9")
sys.stdout.buffer.write(b"\xff")
sys.stdout.buffer.write(b"\xc3")
x = 1
