text = input()
letter = input()
count = 0
for c in text:
    if c == letter:
        count += 1
print(letter, count)
print(text.upper())
