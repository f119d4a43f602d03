# XML parsers: the machine finds the events of a text, the parsers call the handlers.
# Level: methods

native_encoding = "UTF-8"
EXPAT_VERSION = "expat_2.5.0"
version_info = (2, 5, 0)
features = [
    ("sizeof(XML_Char)", 1),
    ("sizeof(XML_LChar)", 1),
    ("XML_DTD", 0),
    ("XML_CONTEXT_BYTES", 1024),
    ("XML_NS", 0),
    ("XML_BLAP_MAX_AMP", 100),
    ("XML_BLAP_ACT_THRES", 8388608),
]
XML_PARAM_ENTITY_PARSING_NEVER = 0
XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE = 1
XML_PARAM_ENTITY_PARSING_ALWAYS = 2
_MESSAGES = (
    None,
    "out of memory",
    "syntax error",
    "no element found",
    "not well-formed (invalid token)",
    "unclosed token",
    "partial character",
    "mismatched tag",
    "duplicate attribute",
    "junk after document element",
    "illegal parameter entity reference",
    "undefined entity",
    "recursive entity reference",
    "asynchronous entity",
    "reference to invalid character number",
    "reference to binary entity",
    "reference to external entity in attribute",
    "XML or text declaration not at start of entity",
    "unknown encoding",
    "encoding specified in XML declaration is incorrect",
    "unclosed CDATA section",
    "error in processing external entity reference",
    "document is not standalone",
    "unexpected parser state - please send a bug report",
    "entity declared in parameter entity",
    "requested feature requires XML_DTD support in Expat",
    "cannot change setting once parsing has begun",
    "unbound prefix",
)
_FINISHED = 36
_XML = "http://www.w3.org/XML/1998/namespace"
_HANDLERS = (
    "StartElementHandler EndElementHandler ProcessingInstructionHandler CharacterDataHandler UnparsedEntityDeclHandler "
    "NotationDeclHandler StartNamespaceDeclHandler EndNamespaceDeclHandler CommentHandler StartCdataSectionHandler "
    "EndCdataSectionHandler DefaultHandler DefaultHandlerExpand NotStandaloneHandler ExternalEntityRefHandler "
    "StartDoctypeDeclHandler EndDoctypeDeclHandler EntityDeclHandler XmlDeclHandler ElementDeclHandler AttlistDeclHandler "
    "SkippedEntityHandler"
).split()


class PyCapsule:
    __module__ = "builtins"

    def __repr__(self):
        _throw("the address of a capsule")


expat_CAPI = PyCapsule()


class ExpatError(Exception):
    __module__ = "xml.parsers.expat"


error = ExpatError


def ErrorString(code, /):
    return "parsing finished" if code == _FINISHED else _MESSAGES[code] if 0 <= code < _len(_MESSAGES) else None


def _decoded(data, encoding):
    # Decodes bytes by their byte order mark, the requested encoding, or their declaration.
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data[: _len(mark)] == mark:
            data = data[_len(mark) :]
            if name != "utf-8":
                return data.decode(name)
            break
    if encoding is None and data[:5] == b"<?xml":
        head = data[: data.find(b"?>") + 1]
        at = head.find(b"encoding")
        if at >= 0:
            quoted = head[at + 8 :].decode("ascii").strip().lstrip("=").strip()
            encoding = quoted[1:].partition(quoted[:1])[0]
    encoding = "utf-8" if encoding is None else encoding.lower()
    if encoding not in ("utf-8", "us-ascii", "iso-8859-1"):
        _throw("the encoding of XML")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        _throw("XML that is no text")


class XMLParserType:
    __module__ = "pyexpat"

    def __init__(self, encoding, separator, intern):
        _set_own(self, "_waiting", [])
        _set_own(self, "buffer_used", 0)
        for name in _HANDLERS:
            _set_own(self, name, None)
        self.intern = intern
        self.ordered_attributes = False
        self.specified_attributes = False
        self.namespace_prefixes = False
        self.buffer_text = False
        self.buffer_size = 8192
        self.ErrorCode = 0
        self.CurrentLineNumber = 1
        self.CurrentColumnNumber = 0
        self._place = -1
        self._width = 0
        self._encoding = encoding
        self._separator = separator
        self._spaces = [{"xml": _XML}]
        self._declared = []
        self._told = 0
        self._text = None
        self._finished = False

    ErrorLineNumber = property(lambda self: self.CurrentLineNumber)
    ErrorColumnNumber = property(lambda self: self.CurrentColumnNumber)
    ErrorByteIndex = property(lambda self: self.CurrentByteIndex)

    @property
    def CurrentByteIndex(self):
        if self._width == 0 or self._place < 0 or self._text.isascii() and self._width == 1:
            return self._place
        # The bytes that were given differ from those of the text.
        return self._width * _len(self._text.encode()[: self._place].decode())

    def __setattr__(self, name, value):
        # A new handler does not receive text that is pending for the previous one.
        if name == "CharacterDataHandler" or name == "buffer_text":
            self._pass_on()
        _set_own(self, name, value)

    def SetBase(self, base, /):
        self._base = base

    def GetBase(self):
        return getattr(self, "_base", None)

    def GetInputContext(self):
        _throw("the input of a parser of XML")

    def ExternalEntityParserCreate(self, context, encoding=None, /):
        _throw("entities of XML")

    def UseForeignDTD(self, flag=True, /):
        if flag:
            _throw("entities of XML")

    def SetParamEntityParsing(self, flag, /):
        return 1

    def Parse(self, data, isfinal=False, /):
        if isinstance(data, str):
            text = data
        else:
            if self._text and not bytes(data).isascii():
                _throw("XML in parts that are not ASCII")
            text = _decoded(bytes(data), self._encoding)
            self._width = 1 if _len(text) == _len(data) else 0
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                _throw("places in XML of wide characters")
        if self._finished:
            self._fail(_FINISHED)
        self._text = text if self._text is None else self._text + text
        self._finished = bool(isfinal)
        events = _xml_events(self._text, self._finished)
        fresh = events[self._told :]
        self._told = _len(events)
        for kind, parts, raw, line, column, place in fresh:
            self.CurrentLineNumber = line
            self.CurrentColumnNumber = column
            self._place = place
            if kind == "error":
                self._finished = True
                self._pass_on()
                self._fail(int(parts[0]))
            self._tell(kind, parts, raw)
        self._pass_on()
        return 1

    def ParseFile(self, file, /):
        return self.Parse(file.read(), True)

    def _fail(self, code):
        self.ErrorCode = code
        place = ": line " + _str(self.CurrentLineNumber) + ", column " + _str(self.CurrentColumnNumber)
        made = ExpatError(ErrorString(code) + place)
        made.code = code
        made.offset = self.CurrentColumnNumber
        made.lineno = self.CurrentLineNumber
        raise made

    def _pass_on(self):
        waiting = self._waiting
        if waiting:
            text = "".join(waiting)
            waiting.clear()
            _set_own(self, "buffer_used", 0)
            if self.CharacterDataHandler is not None:
                self.CharacterDataHandler(text)

    def _tell(self, kind, parts, raw):
        if kind == "text" and self.CharacterDataHandler is not None:
            if not self.buffer_text:
                return self.CharacterDataHandler(parts[0])
            size = _len(parts[0].encode())
            if self.buffer_used + size > self.buffer_size:
                self._pass_on()
            _set_own(self, "buffer_used", self.buffer_used + size)
            return self._waiting.append(parts[0])
        if kind == "start":
            return self._start(parts, raw)
        if kind == "end":
            return self._end(parts[0], raw)
        handler = None
        if kind == "comment":
            handler = self.CommentHandler
        elif kind == "instruction":
            handler = self.ProcessingInstructionHandler
        elif kind == "section":
            handler = self.StartCdataSectionHandler
        elif kind == "section end":
            handler = self.EndCdataSectionHandler
        elif kind == "type":
            handler = self.StartDoctypeDeclHandler
            parts = (*parts, 0)
        elif kind == "type end":
            handler = self.EndDoctypeDeclHandler
        elif kind == "declaration":
            handler = self.XmlDeclHandler
            parts = (parts[0], parts[1], int(parts[2]))
        if handler is not None:
            self._pass_on()
            handler(*parts)
        else:
            self._rest(kind, raw)

    def _rest(self, kind, raw):
        handler = self.DefaultHandlerExpand if self.DefaultHandlerExpand is not None else self.DefaultHandler
        if handler is None:
            return
        if kind == "type" or kind == "type end":
            if getattr(handler, "__module__", None) != "xml.etree.ElementTree":
                _throw("a document type for a default handler")
            return
        self._pass_on()
        handler("\n" if kind == "text" and raw == "\r\n" else raw)

    def _name(self, name, spaces, usual):
        prefix, colon, local = name.partition(":")
        if not colon:
            space = spaces.get("") if usual else None
            return name if space is None or space == "" else space + self._separator + name
        if prefix not in spaces:
            self._fail(27)
        return spaces[prefix] + self._separator + local

    def _start(self, parts, raw):
        name = parts[0]
        pairs = [(parts[i], parts[i + 1]) for i in range(1, _len(parts), 2)]
        declared = []
        if self._separator is not None:
            spaces = self._spaces[-1]
            plain = []
            for key, value in pairs:
                if key == "xmlns" or key.startswith("xmlns:"):
                    prefix = key[6:]
                    declared.append(prefix)
                    spaces = {**spaces, prefix: value}
                    if self.StartNamespaceDeclHandler is not None:
                        self._pass_on()
                        self.StartNamespaceDeclHandler(prefix or None, value or None)
                else:
                    plain.append((key, value))
            name = self._name(name, spaces, True)
            pairs = [(self._name(key, spaces, False), value) for key, value in plain]
            self._spaces.append(spaces)
            self._declared.append(declared)
        if self.StartElementHandler is None:
            return self._rest("start", raw)
        self._pass_on()
        if self.ordered_attributes:
            attributes = []
            for pair in pairs:
                attributes.extend(pair)
        else:
            attributes = dict(pairs)
        self.StartElementHandler(name, attributes)

    def _end(self, name, raw):
        declared = []
        if self._separator is not None:
            name = self._name(name, self._spaces.pop(), True)
            declared = self._declared.pop()
        if self.EndElementHandler is not None:
            self._pass_on()
            self.EndElementHandler(name)
        elif raw:
            self._rest("end", raw)
        if self.EndNamespaceDeclHandler is not None:
            for prefix in reversed(declared):
                self._pass_on()
                self.EndNamespaceDeclHandler(prefix or None)


_rename(XMLParserType, "xmlparser")


def ParserCreate(encoding=None, namespace_separator=None, intern=None):
    if namespace_separator is not None and _len(namespace_separator) > 1:
        raise ValueError("namespace_separator must be at most one character, omitted, or None")
    if intern is not None and not isinstance(intern, dict):
        raise TypeError("intern must be a dictionary")
    return XMLParserType(encoding, namespace_separator, {} if intern is None else intern)
