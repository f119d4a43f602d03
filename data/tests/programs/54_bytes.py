b = b"ab\n\x00\xff"
c = b[0]
d = bytearray(b"xy")
e = b.hex()
m = b"q" * 600
