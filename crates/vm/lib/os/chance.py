# Random bytes of the operating system, which the sandbox draws from a generator.
# Level: methods

import random


def urandom(size, /):
    return random._urandom(size)
