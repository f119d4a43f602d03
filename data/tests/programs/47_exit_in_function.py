def main():
    n = 1
    if n:
        exit()
    return n


main()
