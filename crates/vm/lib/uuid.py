# `uuid`: identifiers parsed, made from names, or random. Those made from the clock are unknown.
# Level: methods

import random


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, *, is_safe=None):
        given = [part for part in (hex, bytes, bytes_le, fields, int) if part is not None]
        if _len(given) != 1:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if bytes_le is not None or fields is not None:
            _throw("a uuid of fields")
        if hex is not None:
            hex = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if _len(hex) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            number = _uuid_int(hex, 16)
        elif bytes is not None:
            if _len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            number = _uuid_int.from_bytes(bytes, "big")
        else:
            number = int
        if not 0 <= number < 1 << 128:
            raise ValueError("int is out of range (need a 128-bit value)")
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            number = number & ~(0xC000 << 48) | 0x8000 << 48
            number = number & ~(0xF000 << 64) | version << 76
        _set_own(self, "_number", number)

    def __setattr__(self, name, value):
        raise TypeError("UUID objects are immutable")

    @property
    def int(self):
        return self._number

    @property
    def bytes(self):
        return self._number.to_bytes(16, "big")

    @property
    def hex(self):
        return "%032x" % self._number

    @property
    def urn(self):
        return "urn:uuid:" + self.__str__()

    @property
    def variant(self):
        if not self._number & 0x8000 << 48:
            return "reserved for NCS compatibility"
        if not self._number & 0x4000 << 48:
            return "specified in RFC 4122"
        if not self._number & 0x2000 << 48:
            return "reserved for Microsoft compatibility"
        return "reserved for future definition"

    @property
    def version(self):
        if self.variant == "specified in RFC 4122":
            return self._number >> 76 & 15

    @property
    def time_low(self):
        return self._number >> 96

    @property
    def node(self):
        return self._number & 0xFFFFFFFFFFFF

    @property
    def fields(self):
        number = self._number
        return (
            number >> 96,
            number >> 80 & 0xFFFF,
            number >> 64 & 0xFFFF,
            number >> 56 & 0xFF,
            number >> 48 & 0xFF,
            number & 0xFFFFFFFFFFFF,
        )

    def __str__(self):
        text = "%032x" % self._number
        return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]

    def __repr__(self):
        return "UUID(" + _repr(self.__str__()) + ")"

    def __int__(self):
        return self._number

    def __hash__(self):
        return hash(self._number)

    def __eq__(self, other):
        return self._number == other._number if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self._number < other._number if isinstance(other, UUID) else NotImplemented

    def __le__(self, other):
        return self._number <= other._number if isinstance(other, UUID) else NotImplemented

    def __gt__(self, other):
        return self._number > other._number if isinstance(other, UUID) else NotImplemented

    def __ge__(self, other):
        return self._number >= other._number if isinstance(other, UUID) else NotImplemented


_uuid_int = int
NAMESPACE_DNS = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_URL = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_OID = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NAMESPACE_X500 = UUID("6ba7b814-9dad-11d1-80b4-00c04fd430c8")


def _named(kind, namespace, name, version):
    if isinstance(name, str):
        name = name.encode()
    return UUID(bytes=_codec(kind, namespace.bytes + name)[:16], version=version)


def uuid3(namespace, name):
    return _named("md5", namespace, name, 3)


def uuid5(namespace, name):
    return _named("sha1", namespace, name, 5)


def uuid1(node=None, clock_seq=None):
    _throw("uuid.uuid1")


def uuid4():
    return UUID(bytes=random._urandom(16), version=4)
