"""Writes crates/vm/src/machine/own_members.txt: what classes of the language have in their own `__dict__`, and `dir(builtins)`.

    python3.11 runs/plan_members.py > crates/vm/src/machine/own_members.txt
"""

import builtins

CLASSES = "bool bytearray bytes classmethod complex dict float frozenset int list property range set slice staticmethod str tuple".split()

for name in CLASSES:
    print(name, *vars(getattr(builtins, name)))
# A prompt binds `_`; programs see no such name.
print("builtins", *(name for name in dir(builtins) if name != "_"))
