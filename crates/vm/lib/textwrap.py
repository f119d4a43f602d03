# Text wrapped to lines. `_wrap_pieces` replaces the regular expressions of CPython's textwrap.
# Level: methods


def _blank(text):
    """The text with a space for each character that counts as a blank."""
    for c in "\t\n\x0b\x0c\r":
        if c in text:
            text = text.replace(c, " ")
    return text


def _letter(c):
    return c.isalpha() or c == "_" or (c.isalnum() and not c.isdecimal())


def _word(c):
    return c.isalnum() or c == "_"


def _mark(c):
    return c.isalnum() or (c != "" and c in "_!\"'&.,?")


def _dash(text, at):
    """Where a dash of two or more hyphens ends that stands between words, else -1."""
    if text[at : at + 2] != "--" or at == 0 or not _mark(text[at - 1]):
        return -1
    rest = text[at:]
    end = at + _len(rest) - _len(rest.lstrip("-"))
    return end if _word(text[end : end + 1]) else -1


def _hyphen(text, at):
    """Whether a word may break behind the hyphen at a place."""
    if at < 2 or not _letter(text[at - 1]):
        return False
    if not _letter(text[at - 2]) and not (at >= 3 and text[at - 2] == "-" and _letter(text[at - 3])):
        return False
    if not _letter(text[at + 1 : at + 2]):
        return False
    second = text[at + 2 : at + 3]
    return _letter(text[at + 3 : at + 4]) if second == "-" else _letter(second)


def _cut(text, at, stop, pieces):
    """The pieces of a word with hyphens."""
    while at < stop:
        end = _dash(text, at) if text[at] == "-" else -1
        if end < 0:
            hyphen = text.find("-", at + 1, stop)
            end = stop
            while hyphen >= 0:
                if _hyphen(text, hyphen):
                    end = hyphen + 1
                    break
                if _dash(text, hyphen) >= 0:
                    end = hyphen
                    break
                hyphen = text.find("-", hyphen + 1, stop)
        pieces.append(text[at:end])
        at = end


def _pieces(text, hyphens):
    """Words and blanks in turn."""
    pieces = []
    at = 0
    start = 0
    for word in _blank(text).split(" "):
        if word != "":
            if at > start:
                pieces.append(text[start:at])
            end = at + _len(word)
            if hyphens and "-" in word:
                _cut(text, at, end, pieces)
            else:
                pieces.append(text[at:end])
            at = end
            start = end
        at += 1
    if _len(text) > start:
        pieces.append(text[start:])
    return pieces


def _sentence(piece):
    """Whether a piece ends a sentence."""
    if piece[-1:] in ('"', "'"):
        piece = piece[:-1]
    return piece[-1:] in (".", "!", "?") and "a" <= piece[-2:-1] <= "z"


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
                 fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True,
                 tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _munge_whitespace(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = _blank(text)
        return text

    def _split(self, text):
        return _pieces(text, self.break_on_hyphens is True)

    def _fix_sentence_endings(self, chunks):
        i = 0
        while i < _len(chunks) - 1:
            if chunks[i + 1] == " " and _sentence(chunks[i]):
                chunks[i + 1] = "  "
                i += 2
            else:
                i += 1

    def _handle_long_word(self, reversed_chunks, cur_line, cur_len, width):
        room = 1 if width < 1 else width - cur_len
        if self.break_long_words:
            end = room
            chunk = reversed_chunks[-1]
            if self.break_on_hyphens and _len(chunk) > room:
                hyphen = chunk.rfind("-", 0, room)
                if hyphen > 0 and chunk[:hyphen].strip("-") != "":
                    end = hyphen + 1
            cur_line.append(chunk[:end])
            reversed_chunks[-1] = chunk[end:]
        elif not cur_line:
            cur_line.append(reversed_chunks.pop())

    def _wrap_chunks(self, chunks):
        lines = []
        most = self.max_lines
        drop = self.drop_whitespace
        if self.width <= 0:
            raise ValueError("invalid width " + _repr(self.width) + " (must be > 0)")
        if most is not None:
            indent = self.subsequent_indent if most > 1 else self.initial_indent
            if _len(indent) + _len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        chunks.reverse()
        while chunks:
            line = []
            size = 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - _len(indent)
            if drop and lines and chunks[-1].strip() == "":
                chunks.pop()
            while chunks:
                long = _len(chunks[-1])
                if size + long > width:
                    break
                line.append(chunks.pop())
                size += long
            if chunks and _len(chunks[-1]) > width:
                self._handle_long_word(chunks, line, size, width)
                size = 0
                for chunk in line:
                    size += _len(chunk)
            if drop and line and line[-1].strip() == "":
                size -= _len(line.pop())
            if not line:
                continue
            last = not chunks or (drop and _len(chunks) == 1 and not chunks[0].strip())
            if most is None or _len(lines) + 1 < most or (last and size <= width):
                lines.append(indent + "".join(line))
                continue
            self._shorten(lines, line, size, indent, width)
            break
        return lines

    def _shorten(self, lines, line, size, indent, width):
        """The last line, with the placeholder."""
        while line:
            if line[-1].strip() and size + _len(self.placeholder) <= width:
                line.append(self.placeholder)
                lines.append(indent + "".join(line))
                return
            size -= _len(line.pop())
        if lines:
            before = lines[-1].rstrip()
            if _len(before) + _len(self.placeholder) <= self.width:
                lines[-1] = before + self.placeholder
                return
        lines.append(indent + self.placeholder.lstrip())

    def _split_chunks(self, text):
        return self._split(self._munge_whitespace(text))

    def wrap(self, text):
        chunks = self._split_chunks(text)
        if self.fix_sentence_endings:
            self._fix_sentence_endings(chunks)
        return self._wrap_chunks(chunks)

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    if not isinstance(text, str):
        raise TypeError("expected string or bytes-like object, got '" + _classof(text).__name__ + "'")
    lines = []
    margin = None
    for line in text.split("\n"):
        bare = line.lstrip(" \t")
        if bare == "":
            lines.append("")
            continue
        lines.append(line)
        lead = line[: _len(line) - _len(bare)]
        if margin is None or margin.startswith(lead):
            margin = lead
        elif not lead.startswith(margin):
            same = 0
            while lead[same] == margin[same]:
                same += 1
            margin = margin[:same]
    if margin:
        size = _len(margin)
        lines = [line[size:] for line in lines]
    return "\n".join(lines)


def indent(text, prefix, predicate=None):
    lines = []
    for line in text.splitlines(True):
        wanted = line.strip() if predicate is None else predicate(line)
        lines.append(prefix + line if wanted else line)
    return "".join(lines)
