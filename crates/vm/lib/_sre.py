# The native part of `re` that parsers of patterns use.
# Level: methods


def getcodesize():
    return 4


def ascii_iscased(character, /):
    return 65 <= character <= 90 or 97 <= character <= 122


def ascii_tolower(character, /):
    return character + 32 if 65 <= character <= 90 else character


def unicode_tolower(character, /):
    lower = chr(character).lower()
    return ord(lower) if _len(lower) == 1 else character


def unicode_iscased(character, /):
    text = chr(character)
    return text != text.lower() or text != text.upper()


def compile(pattern, flags, code, groups, groupindex, indexgroup):
    _throw("_sre.compile")
