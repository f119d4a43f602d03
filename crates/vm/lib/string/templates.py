# The part of `string` that is written in Python.

# -- templates


def _starts_name(c):
    return "a" <= c <= "z" or "A" <= c <= "Z" or c == "_"


def capwords(s, sep=None):
    return (" " if sep is None else sep).join([x.capitalize() for x in s.split(sep)])


class Template:
    delimiter = "$"
    idpattern = "(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None

    def __init__(self, template):
        self.template = template

    def _filled(self, mapping, safe):
        text = self.template
        mark = self.delimiter
        if hasattr(self, "pattern") or hasattr(self, "flags") or _len(mark) != 1:
            _throw("a template with a pattern of its own")
        out = ""
        at = 0
        while at < _len(text):
            if text[at] != mark:
                out += text[at]
                at += 1
                continue
            braced = text[at + 1 : at + 2] == "{"
            start = end = at + 2 if braced else at + 1
            words = self.idpattern
            if braced and self.braceidpattern is not None:
                words = self.braceidpattern
            if words == Template.idpattern:
                while end < _len(text) and (_starts_name(text[end]) or end > start and "0" <= text[end] <= "9"):
                    end += 1
            else:
                found = _re_find(words, 2, text, start, "match")
                end = start if found is None else found[0][0][1]
            name = text[start:end]
            after = end + 1 if braced else end
            if text[at + 1 : at + 2] == mark:
                out += mark
                at += 2
            elif name == "" or braced and text[end : end + 1] != "}":
                if not safe:
                    lines = text[: at + 1].splitlines(True)
                    column = at + 1 - _len("".join(lines[:-1]))
                    raise ValueError("Invalid placeholder in string: line %d, col %d" % (_len(lines), column))
                out += mark
                at += 1
            else:
                if name in mapping or not safe:
                    out += _str(mapping[name])
                else:
                    out += text[at:after]
                at = after
        return out

    def substitute(self, mapping=None, /, **kwargs):
        return self._filled(kwargs if mapping is None else {**mapping, **kwargs}, False)

    def safe_substitute(self, mapping=None, /, **kwargs):
        return self._filled(kwargs if mapping is None else {**mapping, **kwargs}, True)
