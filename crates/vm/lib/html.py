# Escaping and unescaping of text for HTML.
# Level: methods

_NAMES = {
    "amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'",
    "AMP": "&", "LT": "<", "GT": ">", "QUOT": '"',
}
# Names that need no semicolon, for the characters from 160 on, and names that need one.
_LATIN = (
    "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute "
    "micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring "
    "AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml "
    "times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil "
    "egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash "
    "ugrave uacute ucirc uuml yacute thorn yuml"
)
_OTHERS = (
    "OElig oelig Scaron scaron Yuml fnof circ tilde Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa "
    "Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta epsilon zeta eta "
    "theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega thetasym upsih "
    "piv ensp emsp thinsp zwnj zwj lrm rlm ndash mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger bull "
    "hellip permil prime Prime lsaquo rsaquo oline frasl euro image weierp real trade alefsym larr uarr rarr darr "
    "harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic "
    "prop infin ang and or cap cup int there4 sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes "
    "perp sdot lceil rceil lfloor rfloor lang rang loz spades clubs hearts diams"
)
_CHARACTERS = (
    "\u0152\u0153\u0160\u0161\u0178\u0192\u02c6\u02dc\u0391\u0392\u0393\u0394\u0395\u0396\u0397\u0398\u0399\u039a\u039b"
    "\u039c\u039d\u039e\u039f\u03a0\u03a1\u03a3\u03a4\u03a5\u03a6\u03a7\u03a8\u03a9\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6"
    "\u03b7\u03b8\u03b9\u03ba\u03bb\u03bc\u03bd\u03be\u03bf\u03c0\u03c1\u03c2\u03c3\u03c4\u03c5\u03c6\u03c7\u03c8\u03c9"
    "\u03d1\u03d2\u03d6\u2002\u2003\u2009\u200c\u200d\u200e\u200f\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2020"
    "\u2021\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u203e\u2044\u20ac\u2111\u2118\u211c\u2122\u2135\u2190\u2191\u2192"
    "\u2193\u2194\u21b5\u21d0\u21d1\u21d2\u21d3\u21d4\u2200\u2202\u2203\u2205\u2207\u2208\u2209\u220b\u220f\u2211\u2212"
    "\u2217\u221a\u221d\u221e\u2220\u2227\u2228\u2229\u222a\u222b\u2234\u223c\u2245\u2248\u2260\u2261\u2264\u2265\u2282"
    "\u2283\u2284\u2286\u2287\u2295\u2297\u22a5\u22c5\u2308\u2309\u230a\u230b\u27e8\u27e9\u25ca\u2660\u2663\u2665\u2666"
)
for _i, _name in enumerate(_LATIN.split()):
    _NAMES[_name] = chr(160 + _i)
_LONGER = {}
for _i, _name in enumerate(_OTHERS.split()):
    _LONGER[_name] = _CHARACTERS[_i]
# The characters of the numbers 128 to 159.
_ODD = (
    "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f"
    "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178"
)


def escape(s, quote=True):
    s = s.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if quote:
        s = s.replace('"', "&quot;").replace("'", "&#x27;")
    return s


def _number(n):
    if n == 0 or 0xD800 <= n <= 0xDFFF or n > 0x10FFFF:
        return "\ufffd"
    if 128 <= n <= 159:
        return _ODD[n - 128]
    if n == 13:
        return "\r"
    if n < 32 and n not in (9, 10, 12) or n == 127 or 0xFDD0 <= n <= 0xFDEF or n & 0xFFFE == 0xFFFE:
        return ""
    return chr(n)


def _reference(rest):
    """What the text behind an ampersand stands for and where it goes on."""
    if rest[:1] == "#":
        hexadecimal = rest[1:2] in ("x", "X")
        start = 2 if hexadecimal else 1
        digits = "0123456789abcdefABCDEF" if hexadecimal else "0123456789"
        end = _len(rest) - _len(rest[start:].lstrip(digits))
        if end > start:
            text = _number(int(rest[start:end], 16 if hexadecimal else 10))
            return text, end + 1 if rest[end : end + 1] == ";" else end
    end = 0
    while end < 32 and rest[end : end + 1] != "" and rest[end] not in "\t\n\f <&#;":
        end += 1
    name = rest[:end]
    if not ("a" <= name[:1] <= "z" or "A" <= name[:1] <= "Z"):
        return "&", 0
    if rest[end : end + 1] == ";" and name in _NAMES:
        return _NAMES[name], end + 1
    if rest[end : end + 1] == ";" and name in _LONGER:
        return _LONGER[name], end + 1
    if rest[end : end + 1] != ";" and name in _NAMES and name != "apos":
        return _NAMES[name], end
    _throw("names of characters in HTML")


def unescape(s):
    parts = s.split("&")
    result = [parts[0]]
    for rest in parts[1:]:
        text, at = _reference(rest)
        result.append(text)
        result.append(rest[at:])
    return "".join(result)
