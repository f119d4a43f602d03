# Texts for HTML and back.

_html_NAMES = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\xa0", "copy": "\xa9", "reg": "\xae",
    "AMP": "&", "LT": "<", "GT": ">", "QUOT": '"',
}
# What the numbers 128 to 159 stand for.
_html_ODD = (
    "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
    "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178"
)


def html__escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quote:
        s = s.replace('"', "&quot;").replace("'", "&#x27;")
    return s


def _html_number(n):
    if n == 0 or 0xD800 <= n <= 0xDFFF or n > 0x10FFFF:
        return "\ufffd"
    if 128 <= n <= 159:
        return _html_ODD[n - 128]
    if n == 13:
        return "\r"
    if n < 32 and n not in (9, 10, 12) or n == 127 or 0xFDD0 <= n <= 0xFDEF or n & 0xFFFE == 0xFFFE:
        return ""
    return chr(n)


def _html_reference(rest):
    """What the text behind an ampersand stands for and where it goes on."""
    if rest[:1] == "#":
        hexadecimal = rest[1:2] in ("x", "X")
        start = 2 if hexadecimal else 1
        digits = "0123456789abcdefABCDEF" if hexadecimal else "0123456789"
        end = _len(rest) - _len(rest[start:].lstrip(digits))
        if end > start:
            text = _html_number(int(rest[start:end], 16 if hexadecimal else 10))
            return text, end + 1 if rest[end : end + 1] == ";" else end
    end = 0
    while end < 32 and rest[end : end + 1] != "" and rest[end] not in "\t\n\f <&#;":
        end += 1
    name = rest[:end]
    if not ("a" <= name[:1] <= "z" or "A" <= name[:1] <= "Z"):
        return "&", 0
    if rest[end : end + 1] == ";" and name in _html_NAMES:
        return _html_NAMES[name], end + 1
    if rest[end : end + 1] != ";" and name in _html_NAMES and name != "apos":
        return _html_NAMES[name], end
    _throw("names of characters in HTML")


def html__unescape(s):
    parts = s.split("&")
    result = [parts[0]]
    for rest in parts[1:]:
        text, at = _html_reference(rest)
        result.append(text)
        result.append(rest[at:])
    return "".join(result)
