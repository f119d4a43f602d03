def main():
    value = 3
    print(valeu)


main()
