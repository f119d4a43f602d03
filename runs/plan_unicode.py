"""Writes crates/vm/src/fold/unicode_data.txt: what `unicodedata` of CPython 3.11 says of characters.

    python3.11 runs/plan_unicode.py > crates/vm/src/fold/unicode_data.txt
"""

import sys
import unicodedata


def ranges(of, usual):
    """Ranges of characters with one property, those with the usual one left out."""
    start = 0
    for code in range(sys.maxunicode + 2):
        here = of(chr(code)) if code <= sys.maxunicode else None
        if here != of(chr(start)):
            if of(chr(start)) != usual:
                yield start, code - 1, of(chr(start))
            start = code


def numbers():
    """Runs of characters whose numbers are one more each, with what kinds of digits they are."""
    run = None
    for code in range(sys.maxunicode + 2):
        text = chr(code) if code <= sys.maxunicode else " "
        value = unicodedata.numeric(text, None)
        kind = "n" if unicodedata.digit(text, None) is None else "d" if unicodedata.decimal(text, None) is None else "c"
        if run and value is not None and run[1] == code - 1 and run[3] == kind and value == run[2] + code - run[0]:
            run[1] = code
            continue
        if run:
            yield run
        run = None if value is None else [code, code, value, kind]


print("# Written by runs/plan_unicode.py. Ranges of characters with their directions (b) and widths (w), those that are mirrored")
print("# (m), and runs of numbers with the first of them, that are decimals (c), digits (d) or neither (n).")
for name, of, usual in (
    ("b", unicodedata.bidirectional, ""),
    ("w", unicodedata.east_asian_width, "N"),
    ("m", unicodedata.mirrored, 0),
):
    for start, end, what in ranges(of, usual):
        print(name, f"{start:x}", f"{end:x}", what)
for start, end, value, kind in numbers():
    print(kind, f"{start:x}", f"{end:x}", repr(value))
