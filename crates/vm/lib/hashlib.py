# Hashes of `hashlib`, and `hmac`: `_codec` knows the digests.
# Level: methods

_SIZES = {
    "md5": (16, 64),
    "sha1": (20, 64),
    "sha224": (28, 64),
    "sha256": (32, 64),
    "sha384": (48, 128),
    "sha512": (64, 128),
}


def _hash_data(value):
    kind = _classof(value)
    if kind is bytes:
        return value
    if kind is bytearray or kind.__name__ == "memoryview":
        return bytes(value)
    if isinstance(value, str):
        raise TypeError("Strings must be encoded before hashing")
    raise TypeError("object supporting the buffer API required")


class _HASH:
    __module__ = "_hashlib"

    def __init__(self, name, data):
        _set_own(self, "_name", name)
        _set_own(self, "_data", data)

    @property
    def name(self):
        return self._name

    @property
    def digest_size(self):
        return _SIZES[self._name][0]

    @property
    def block_size(self):
        return _SIZES[self._name][1]

    def update(self, obj, /):
        _set_own(self, "_data", self._data + _hash_data(obj))

    def digest(self):
        return _codec(self._name, self._data)

    def hexdigest(self):
        return _codec(self._name, self._data).hex()

    def copy(self):
        return _HASH(self._name, self._data)


_rename(_HASH, "HASH")


def md5(string=b"", *, usedforsecurity=True):
    return _HASH("md5", _hash_data(string))


def sha1(string=b"", *, usedforsecurity=True):
    return _HASH("sha1", _hash_data(string))


def sha224(string=b"", *, usedforsecurity=True):
    return _HASH("sha224", _hash_data(string))


def sha256(string=b"", *, usedforsecurity=True):
    return _HASH("sha256", _hash_data(string))


def sha384(string=b"", *, usedforsecurity=True):
    return _HASH("sha384", _hash_data(string))


def sha512(string=b"", *, usedforsecurity=True):
    return _HASH("sha512", _hash_data(string))


def new(name, data=b"", **kwargs):
    if not isinstance(name, str):
        raise TypeError("expected str instance, " + _classof(name).__name__ + " found")
    known = name.lower()
    if known not in _SIZES:
        _throw("hashlib.new of another algorithm")
    return _HASH(known, _hash_data(data))
