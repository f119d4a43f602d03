# Parsing and building URLs: `urllib.parse` for strings.
# Level: methods

_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~"
_SCHEME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-."
_HEX = "0123456789abcdefABCDEF"
_PARAMS = ("", "ftp", "hdl", "prospero", "http", "https", "shttp", "rtsp", "rtspu", "sip", "sips", "mms", "sftp", "tel")
_NETLOC = (
    "", "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero",
    "rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss",
)
_RELATIVE = (
    "", "ftp", "http", "gopher", "nntp", "imap", "wais", "file", "https", "shttp", "mms", "prospero", "rtsp", "rtspu",
    "sftp", "svn", "svn+ssh", "ws", "wss",
)


def _url_text(*texts):
    for text in texts:
        if not isinstance(text, str):
            _throw("an address that is no text")


class _UrlParts:
    """What the results have beyond a named tuple."""

    @property
    def username(self):
        return self._user()[0]

    @property
    def password(self):
        return self._user()[1]

    def _user(self):
        info, at, _ = self.netloc.rpartition("@")
        if at == "":
            return None, None
        name, colon, word = info.partition(":")
        return name, word if colon else None

    def _host(self):
        host = self.netloc.rpartition("@")[2]
        _, bracket, inside = host.partition("[")
        if bracket:
            name, _, rest = inside.partition("]")
            port = rest.partition(":")[2]
        else:
            name, _, port = host.partition(":")
        return name, port if port else None

    @property
    def hostname(self):
        name = self._host()[0]
        if not name:
            return None
        name, percent, zone = name.partition("%")
        return name.lower() + percent + zone

    @property
    def port(self):
        port = self._host()[1]
        if port is None:
            return None
        if not (port.isdigit() and port.isascii()):
            raise ValueError(f"Port could not be cast to integer value as {port!r}")
        port = int(port)
        if not 0 <= port <= 65535:
            raise ValueError("Port out of range 0-65535")
        return port


class SplitResult(_UrlParts, _NamedTuple):
    def geturl(self):
        return urlunsplit(self)


class ParseResult(_UrlParts, _NamedTuple):
    def geturl(self):
        return urlunparse(self)


class DefragResult(_NamedTuple):
    def geturl(self):
        return self.url + "#" + self.fragment if self.fragment else self.url


_with_fields(SplitResult, ("scheme", "netloc", "path", "query", "fragment"), {})
_with_fields(ParseResult, ("scheme", "netloc", "path", "params", "query", "fragment"), {})
_with_fields(DefragResult, ("url", "fragment"), {})


def _split(url, scheme, allow_fragments):
    _url_text(url, scheme)
    blanks = "".join([chr(code) for code in range(33)])
    url = url.lstrip(blanks)
    scheme = scheme.strip(blanks)
    for c in "\t\r\n":
        url = url.replace(c, "")
        scheme = scheme.replace(c, "")
    netloc = query = fragment = ""
    i = url.find(":")
    if i > 0 and url[0].isascii() and url[0].isalpha() and url[:i].strip(_SCHEME) == "":
        scheme, url = url[:i].lower(), url[i + 1 :]
    if url[:2] == "//":
        end = _len(url)
        for c in "/?#":
            place = url.find(c, 2)
            if 0 <= place < end:
                end = place
        netloc, url = url[2:end], url[end:]
        if ("[" in netloc) != ("]" in netloc):
            raise ValueError("Invalid IPv6 URL")
    if allow_fragments and "#" in url:
        url, _, fragment = url.partition("#")
    if "?" in url:
        url, _, query = url.partition("?")
    return scheme, netloc, url, query, fragment


def urlsplit(url, scheme="", allow_fragments=True):
    return SplitResult(*_split(url, scheme, allow_fragments))


def urlparse(url, scheme="", allow_fragments=True):
    scheme, netloc, url, query, fragment = _split(url, scheme, allow_fragments)
    params = ""
    if scheme in _PARAMS and ";" in url:
        i = url.find(";", url.rfind("/")) if "/" in url else url.find(";")
        if i >= 0:
            url, params = url[:i], url[i + 1 :]
    return ParseResult(scheme, netloc, url, params, query, fragment)


def urlunsplit(components):
    scheme, netloc, url, query, fragment = components
    _url_text(scheme, netloc, url, query, fragment)
    if netloc or scheme and scheme in _NETLOC and url[:2] != "//":
        if url and url[:1] != "/":
            url = "/" + url
        url = "//" + netloc + url
    if scheme:
        url = scheme + ":" + url
    if query:
        url = url + "?" + query
    return url + "#" + fragment if fragment else url


def urlunparse(components):
    scheme, netloc, url, params, query, fragment = components
    if params:
        url = url + ";" + params
    return urlunsplit((scheme, netloc, url, query, fragment))


def urldefrag(url):
    if "#" not in url:
        return DefragResult(url, "")
    scheme, netloc, path, params, query, fragment = urlparse(url)
    return DefragResult(urlunparse((scheme, netloc, path, params, query, "")), fragment)


def urljoin(base, url, allow_fragments=True):
    if not base:
        return url
    if not url:
        return base
    bscheme, bnetloc, bpath, bparams, bquery, _ = urlparse(base, "", allow_fragments)
    scheme, netloc, path, params, query, fragment = urlparse(url, bscheme, allow_fragments)
    if scheme != bscheme or scheme not in _RELATIVE:
        return url
    if scheme in _NETLOC:
        if netloc:
            return urlunparse((scheme, netloc, path, params, query, fragment))
        netloc = bnetloc
    if not path and not params:
        query = query if query else bquery
        return urlunparse((scheme, netloc, bpath, bparams, query, fragment))
    if path[:1] == "/":
        segments = path.split("/")
    else:
        base_parts = bpath.split("/")
        if base_parts[-1] != "":
            base_parts = base_parts[:-1]
        segments = base_parts + path.split("/")
        segments[1:-1] = [segment for segment in segments[1:-1] if segment]
    resolved = []
    for segment in segments:
        if segment == "..":
            resolved = resolved[:-1]
        elif segment != ".":
            _push(resolved, segment)
    if segments[-1] in (".", ".."):
        _push(resolved, "")
    joined = "/".join(resolved)
    return urlunparse((scheme, netloc, joined if joined else "/", params, query, fragment))


def quote_from_bytes(bs, safe="/"):
    if not isinstance(bs, (bytes, bytearray)):
        raise TypeError("quote_from_bytes() expected bytes")
    kept = _PLAIN + (safe if isinstance(safe, str) else safe.decode("ascii", "ignore"))
    text = ""
    for byte in bs:
        text += chr(byte) if byte < 128 and chr(byte) in kept else f"%{byte:02X}"
    return text


def quote(string, safe="/", encoding=None, errors=None):
    if isinstance(string, str):
        if not string:
            return string
        string = string.encode("utf-8" if encoding is None else encoding, "strict" if errors is None else errors)
    elif encoding is not None:
        raise TypeError("quote() doesn't support 'encoding' for bytes")
    elif errors is not None:
        raise TypeError("quote() doesn't support 'errors' for bytes")
    return quote_from_bytes(string, safe)


def quote_plus(string, safe="", encoding=None, errors=None):
    space = b" " if isinstance(string, bytes) else " "
    if space not in string:
        return quote(string, safe, encoding, errors)
    return quote(string, safe + " ", encoding, errors).replace(" ", "+")


def unquote_to_bytes(string):
    if isinstance(string, str):
        string = string.encode("utf-8")
    parts = string.split(b"%")
    found = parts[0]
    for part in parts[1:]:
        digits = part[:2].decode("latin-1")
        if _len(digits) == 2 and digits[0] in _HEX and digits[1] in _HEX:
            found += bytes([int(digits, 16)]) + part[2:]
        else:
            found += b"%" + part
    return found


def unquote(string, encoding="utf-8", errors="replace"):
    if isinstance(string, bytes):
        return unquote_to_bytes(string).decode(encoding, errors)
    _url_text(string)
    if "%" not in string:
        return string
    # Characters beyond ASCII stay: only escapes are bytes of the encoding.
    text = ""
    i = 0
    while i < _len(string):
        start = i
        while i < _len(string) and ord(string[i]) < 128:
            i += 1
        if i > start:
            text += unquote_to_bytes(string[start:i]).decode(encoding, errors)
        else:
            text += string[i]
            i += 1
    return text


def unquote_plus(string, encoding="utf-8", errors="replace"):
    return unquote(string.replace("+", " "), encoding, errors)


def parse_qsl(
    qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"
):
    _url_text(qs, separator)
    if not separator:
        raise ValueError("Separator must be of type string or bytes.")
    if max_num_fields is not None and max_num_fields < 1 + qs.count(separator):
        raise ValueError("Max number of fields exceeded")
    pairs = []
    for field in qs.split(separator) if qs else []:
        if not field and not strict_parsing:
            continue
        name, equal, value = field.partition("=")
        if not equal:
            if strict_parsing:
                raise ValueError(f"bad query field: {field!r}")
            if not keep_blank_values:
                continue
        if value or keep_blank_values:
            name = unquote(name.replace("+", " "), encoding, errors)
            _push(pairs, (name, unquote(value.replace("+", " "), encoding, errors)))
    return pairs


def parse_qs(
    qs, keep_blank_values=False, strict_parsing=False, encoding="utf-8", errors="replace", max_num_fields=None, separator="&"
):
    found = {}
    for name, value in parse_qsl(
        qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator
    ):
        if name in found:
            _push(found[name], value)
        else:
            found[name] = [value]
    return found


def urlencode(query, doseq=False, safe="", encoding=None, errors=None, quote_via=quote_plus):
    if hasattr(query, "items"):
        query = query.items()
    elif _len(query) and not isinstance(query[0], tuple):
        raise TypeError("not a valid non-string sequence or mapping object")

    def quoted(value):
        if isinstance(value, bytes):
            return quote_via(value, safe)
        return quote_via(value if isinstance(value, str) else str(value), safe, encoding, errors)

    parts = []
    for name, value in query:
        values = [value]
        if doseq and not isinstance(value, (str, bytes)):
            try:
                values = list(value) if hasattr(value, "__len__") else values
            except TypeError:
                values = [value]
        for value in values:
            _push(parts, quoted(name) + "=" + quoted(value))
    return "&".join(parts)
