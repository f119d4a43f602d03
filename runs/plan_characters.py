"""Writes crates/vm/src/fold/characters.txt: what CPython 3.11 says of characters.

    python3.11 runs/plan_characters.py > crates/vm/src/fold/characters.txt
"""

import unicodedata

# What a character is, one bit each; `crates/vm/src/fold/characters.rs` names them in the same order.
TESTS = [
    str.islower,
    str.isupper,
    lambda c: unicodedata.category(c) == "Lt",
    # Cased: what follows in a title is no first letter. Ignorable: a final sigma looks past it.
    lambda c: (c + "a").title()[-1] == "a",
    lambda c: ("A" + c + "Σ").lower()[-1] == "ς" and (c + "Σ").lower()[-1] != "ς",
    str.isalpha,
    str.isdecimal,
    str.isdigit,
    str.isnumeric,
    str.isprintable,
    str.isidentifier,
    lambda c: ("a" + c).isidentifier(),
]
CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def ranges():
    """Ranges of characters with the same bits."""
    runs = []
    for code in CODES:
        bits = sum(1 << at for at, test in enumerate(TESTS) if test(chr(code)))
        if runs and runs[-1][1:] == [code - 1, bits]:
            runs[-1][1] = code
        else:
            runs.append([code, code, bits])
    return [run for run in runs if run[2]]


def changed(code):
    """Lower, upper and title case, and the folded case. The lower case of a sigma depends on where it stands."""
    c = chr(code)
    return ("σ", c, c, "σ") if c == "Σ" else (c.lower(), c.upper(), c.title(), c.casefold())


def cases():
    """Ranges of characters, in steps of one or two, that change by the same; others one by one, as texts."""
    single, texts = {}, []
    for code in CODES:
        new = changed(code)
        if all(len(text) == 1 for text in new):
            if any(text != chr(code) for text in new):
                single[code] = tuple(ord(text) - code for text in new)
        else:
            texts.append((code, new))
    rows = []
    while single:
        first, by = next(iter(single.items()))
        runs = []
        for step in (1, 2):
            end = first
            while single.get(end + step) == by:
                end += step
            runs.append(range(first, end + 1, step))
        longest = max(runs, key=len)
        rows.append((first, longest[-1], longest.step, by))
        for code in longest:
            del single[code]
    return rows, texts


print("# Written by runs/plan_characters.py. Ranges of characters with their properties (p), ranges that change case by a")
print("# number to lower, upper, title and folded case (c), and characters that become several (s).")
for start, end, bits in ranges():
    print(f"p {start:x} {end:x} {bits:x}")
changes, several = cases()
for start, end, step, by in changes:
    print(f"c {start:x} {end:x} {step}", *by)
for code, new in several:
    print(f"s {code:x}", *(",".join(f"{ord(c):x}" for c in text) for text in new))
