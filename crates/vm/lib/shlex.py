# The part of `shlex` that is written in Python.

_shlex_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"


def quote(s):
    if not s:
        return "''"
    for c in s:
        if c not in _shlex_SAFE:
            return "'" + s.replace("'", "'\"'\"'") + "'"
    return s


def join(split_command):
    return " ".join([quote(arg) for arg in split_command])


def split(s, comments=False, posix=True):
    if s is None:
        raise ValueError("s argument must not be None")
    if not posix or not isinstance(s, str):
        _throw("a command that is split in another way")
    words = []
    word = None
    # The open quote, and whether the previous character is a backslash.
    quote = ""
    escaped = False
    i = 0
    while i < _len(s):
        c = s[i]
        i += 1
        if escaped:
            if quote != "" and c != "\\" and c != quote:
                word += "\\"
            word += c
            escaped = False
        elif quote != "":
            if c == quote:
                quote = ""
            elif c == "\\" and quote == '"':
                escaped = True
            else:
                word += c
        elif c in " \t\r\n":
            if word is not None:
                _push(words, word)
            word = None
        elif comments and c == "#":
            if word is not None:
                _push(words, word)
            word = None
            while i < _len(s) and s[i - 1] != "\n":
                i += 1
        else:
            word = "" if word is None else word
            if c in "'\"":
                quote = c
            elif c == "\\":
                escaped = True
            else:
                word += c
    if escaped:
        raise ValueError("No escaped character")
    if quote != "":
        raise ValueError("No closing quotation")
    if word is not None:
        _push(words, word)
    return words
