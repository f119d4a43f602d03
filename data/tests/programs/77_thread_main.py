import sys
import threading


def main():
    total = 0
    for i in range(3):
        total += i
    print(total)


sys.setrecursionlimit(10 ** 6)
threading.Thread(target=main).start()
