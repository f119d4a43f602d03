# `struct`: numbers and strings as bytes. Sizes are those of a 64-bit little-endian machine.
# Level: methods


class error(Exception):
    __module__ = "struct"

_NATIVE = {
    "x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 8, "L": 8, "q": 8, "Q": 8, "n": 8, "N": 8, "e": 2,
    "f": 4, "d": 8, "s": 1, "p": 1, "P": 8,
}
_STANDARD = {
    "x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "e": 2, "f": 4, "d": 8,
    "s": 1, "p": 1,
}


def _parts(format):
    """The order of bytes, the fields as (code, offset, size, count), and the size of all."""
    if isinstance(format, (bytes, bytearray)):
        format = bytes(format).decode("latin-1")
    if not isinstance(format, str):
        raise TypeError("Struct() argument 1 must be a str or bytes object, not " + _classof(format).__name__)
    order = "little"
    sizes = _NATIVE
    aligned = True
    at = 0
    if format[:1] in ("@", "=", "<", ">", "!") and format != "":
        at = 1
        aligned = format[0] == "@"
        if format[0] in (">", "!"):
            order = "big"
        if not aligned:
            sizes = _STANDARD
    fields = []
    offset = 0
    while at < _len(format):
        code = format[at]
        at += 1
        if code.isspace():
            continue
        count = 1
        if "0" <= code <= "9":
            count = int(code)
            while at < _len(format) and "0" <= format[at] <= "9":
                count = count * 10 + int(format[at])
                at += 1
            if at == _len(format):
                raise error("repeat count given without format specifier")
            code = format[at]
            at += 1
        if code not in sizes:
            raise error("bad char in struct format")
        size = sizes[code]
        if aligned and size > 1:
            offset += -offset % size
        if code in ("s", "p"):
            fields.append((code, offset, count))
            offset += count
        elif code == "x":
            offset += count
        else:
            for _ in range(count):
                fields.append((code, offset, size))
                offset += size
    return order, fields, offset, aligned


def _struct_whole(value):
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "__index__") and not isinstance(value, float):
        return value.__index__()
    raise error("required argument is not an integer")


# Names in the C code for the native byte order.
_NAMES = {"b": "byte", "B": "ubyte", "h": "short", "H": "ushort"}


def _outside(code, size, number, order):
    """What is said of a number that does not fit."""
    if size == 8:
        return "argument out of range" if order == "little" else "int too large to convert"
    is_wide = code in "IL" or code == "H" and order == "big"
    least = 0 if is_wide else -(2**63)
    if not least <= number < (2**64 if is_wide else 2**63):
        return "argument out of range"
    bits = size * 8
    signed = code in "bhil"
    limits = (
        " format requires " + str(-(2 ** (bits - 1)) if signed else 0) + " <= number <= " + str(2 ** (bits - signed) - 1)
    )
    named = code in "bB" or order == "little"
    return (_NAMES.get(code, "'" + code + "'") if named else "'" + code + "'") + limits


def _packed(code, size, value, order, native):
    if code == "s" or code == "p":
        if not isinstance(value, (bytes, bytearray)):
            raise error("argument for '" + code + "' must be a bytes object")
        data = bytes(value)
        if code == "p":
            data = data[: _min_of(size - 1, 255)]
            data = bytes([_len(data)]) + data
        return data[:size] + b"\0" * (size - _len(data))
    if code == "c":
        if not isinstance(value, bytes) or _len(value) != 1:
            raise error("char format requires a bytes object of length 1")
        return value
    if code == "?":
        return b"\x01" if value else b"\0"
    if code == "e" or code == "P":
        _throw("struct format " + code)
    if code == "f" or code == "d":
        if not isinstance(value, (int, float)) and not hasattr(value, "__float__"):
            raise error("required argument is not a float")
        data = _codec("float" + str(size * 8), float(value))
        if data is None and native:
            # Here only the C compiler's cast happens.
            data = b"\0\0\x80\xff" if float(value) < 0 else b"\0\0\x80\x7f"
        if data is None:
            raise OverflowError("float too large to pack with f format")
        return data if order == "little" else data[::-1]
    number = _struct_whole(value)
    signed = code in "bhilqn"
    most = 256**size
    if not (-most // 2 <= number < most // 2 if signed else 0 <= number < most):
        raise error(_outside(code, size, number, order))
    return number.to_bytes(size, order, signed=signed)


def _min_of(a, b):
    return a if a < b else b


def _value(code, data, order):
    if code == "s" or code == "c":
        return data
    if code == "p":
        return data[1 : 1 + data[0]] if data else b""
    if code == "?":
        return data != b"\0"
    if code == "e" or code == "P":
        _throw("struct format " + code)
    if code == "f" or code == "d":
        return _codec("float" + str(_len(data) * 8), data if order == "little" else data[::-1])
    return int.from_bytes(data, order, signed=code in "bhilqn")


def _struct_data(value):
    kind = _classof(value)
    if kind is bytes:
        return value
    if kind is bytearray or kind.__name__ == "memoryview":
        return bytes(value)
    raise TypeError("a bytes-like object is required, not '" + kind.__name__ + "'")


class Struct:
    __module__ = "_struct"

    def __init__(self, format):
        order, fields, size, native = _parts(format)
        _set_own(self, "_order", order)
        _set_own(self, "_fields", fields)
        _set_own(self, "_size", size)
        _set_own(self, "_native", native)
        _set_own(self, "_format", format if isinstance(format, str) else bytes(format).decode())

    @property
    def size(self):
        return self._size

    @property
    def format(self):
        return self._format

    def _made(self, values, name):
        wanted = _len(self._fields)
        if wanted != _len(values):
            raise error(name + " expected " + str(wanted) + " items for packing (got " + str(_len(values)) + ")")
        out = b""
        for place in range(wanted):
            code, offset, size = self._fields[place]
            out += b"\0" * (offset - _len(out))
            out += _packed(code, size, values[place], self._order, self._native)
        return out + b"\0" * (self._size - _len(out))

    def _read(self, data):
        values = []
        for code, offset, size in self._fields:
            values.append(_value(code, data[offset : offset + size], self._order))
        return tuple(values)

    def pack(self, *v):
        return self._made(v, "pack")

    def pack_into(self, buffer, offset, *v):
        if _classof(buffer) is not bytearray:
            if _classof(buffer) is bytes:
                raise TypeError("read-write bytes-like object expected")
            _throw("struct.pack_into of that")
        made = self._made(v, "pack_into")
        if offset < 0:
            _throw("struct.pack_into before the end")
        if _len(buffer) - offset < self._size:
            raise error(
                "pack_into requires a buffer of at least "
                + str(self._size + offset)
                + " bytes for packing "
                + str(self._size)
                + " bytes at offset "
                + str(offset)
                + " (actual buffer size is "
                + str(_len(buffer))
                + ")"
            )
        buffer[offset : offset + self._size] = made

    def unpack(self, buffer, /):
        data = _struct_data(buffer)
        if _len(data) != self._size:
            raise error("unpack requires a buffer of " + str(self._size) + " bytes")
        return self._read(data)

    def unpack_from(self, /, buffer, offset=0):
        data = _struct_data(buffer)
        length = _len(data)
        if offset < 0:
            if offset + self._size > 0:
                raise error("not enough data to unpack " + str(self._size) + " bytes at offset " + str(offset))
            if offset + length < 0:
                raise error("offset " + str(offset) + " out of range for " + str(length) + "-byte buffer")
            offset += length
        if length - offset < self._size:
            raise error(
                "unpack_from requires a buffer of at least "
                + str(self._size + offset)
                + " bytes for unpacking "
                + str(self._size)
                + " bytes at offset "
                + str(offset)
                + " (actual buffer size is "
                + str(length)
                + ")"
            )
        return self._read(data[offset : offset + self._size])

    def iter_unpack(self, buffer, /):
        data = _struct_data(buffer)
        if self._size == 0:
            raise error("cannot iteratively unpack with a struct of length 0")
        if _len(data) % self._size:
            raise error("iterative unpacking requires a buffer of a multiple of " + str(self._size) + " bytes")
        return iter([self._read(data[at : at + self._size]) for at in range(0, _len(data), self._size)])

    def __repr__(self):
        return "_struct.Struct(" + _repr(self._format) + ")"


def calcsize(format, /):
    return Struct(format)._size


def pack(format, /, *v):
    return Struct(format)._made(v, "pack")


def pack_into(format, buffer, offset, /, *v):
    Struct(format).pack_into(buffer, offset, *v)


def unpack(format, buffer, /):
    return Struct(format).unpack(buffer)


def unpack_from(format, /, buffer, offset=0):
    return Struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer, /):
    return Struct(format).iter_unpack(buffer)
