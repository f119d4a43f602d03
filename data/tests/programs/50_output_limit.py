line = "x" * 512
while True:
    print(line * 100)
