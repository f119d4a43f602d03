# `argparse`: parts of texts and of a usage message.
# Level: methods


def _squeezed(text):
    """The text in one line, with one space for each run of blanks."""
    for c in "\t\n\x0b\x0c\r":
        if c in text:
            text = text.replace(c, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip()


def _closes(text, at, bracket):
    """Where the part ends that a bracket opens: behind closing brackets before a blank; -1 if nowhere in the line."""
    size = _len(text)
    end = text.find(bracket, at + 1)
    line = text.find("\n", at + 1)
    while end >= 0 and (line < 0 or end < line):
        while end < size and text[end] == bracket:
            end += 1
        if end == size or text[end].isspace():
            return end
        end = text.find(bracket, end)
    return -1


def _usage_parts(text):
    """The parts of a usage that stay in one line."""
    parts = []
    size = _len(text)
    at = 0
    while at < size:
        c = text[at]
        if c.isspace():
            at += 1
            continue
        end = -1
        if c == "(":
            end = _closes(text, at, ")")
        elif c == "[":
            end = _closes(text, at, "]")
        if end < 0:
            end = at + 1
            while end < size and not text[end].isspace():
                end += 1
        parts.append(text[at:end])
        at = end
    if " ".join(parts) != text:
        raise AssertionError()
    return parts


def _without_empty(text):
    """The text without brackets that hold nothing."""
    if "[]" not in text and "()" not in text and "[ " not in text and "( " not in text and "(]" not in text and "[)" not in text:
        return text
    kept = ""
    at = 0
    size = _len(text)
    while at < size:
        c = text[at]
        at += 1
        if c == "[" or c == "(":
            end = at
            while end < size and text[end] == " ":
                end += 1
            if end < size and text[end] in "])":
                at = end + 1
                continue
        kept += c
    return kept


def _insert(inserts, at, text, glue):
    if at in inserts:
        inserts[at] += glue
    else:
        inserts[at] = text


def _missed(action):
    """What CPython asks for where a list has not an argument: the text of it, for an error that is not seen."""
    if _classof(action).__repr__ is not _AttributeHolder.__repr__:
        _repr(action)
        return
    for value in (action.const, action.default, action.type, action.choices):
        if _own(value) and not hasattr(value, "__name__"):
            _repr(value)
