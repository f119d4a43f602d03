# Hashes of `hashlib`, and `hmac`: `_codec` knows the digests.

_hash_SIZES = {
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
        return _hash_SIZES[self._name][0]

    @property
    def block_size(self):
        return _hash_SIZES[self._name][1]

    def update(self, obj, /):
        _set_own(self, "_data", self._data + _hash_data(obj))

    def digest(self):
        return _codec(self._name, self._data)

    def hexdigest(self):
        return _codec(self._name, self._data).hex()

    def copy(self):
        return _HASH(self._name, self._data)


_rename(_HASH, "HASH")


def hashlib__md5(string=b"", *, usedforsecurity=True):
    return _HASH("md5", _hash_data(string))


def hashlib__sha1(string=b"", *, usedforsecurity=True):
    return _HASH("sha1", _hash_data(string))


def hashlib__sha224(string=b"", *, usedforsecurity=True):
    return _HASH("sha224", _hash_data(string))


def hashlib__sha256(string=b"", *, usedforsecurity=True):
    return _HASH("sha256", _hash_data(string))


def hashlib__sha384(string=b"", *, usedforsecurity=True):
    return _HASH("sha384", _hash_data(string))


def hashlib__sha512(string=b"", *, usedforsecurity=True):
    return _HASH("sha512", _hash_data(string))


def hashlib__new(name, data=b"", **kwargs):
    if not isinstance(name, str):
        raise TypeError("expected str instance, " + _classof(name).__name__ + " found")
    known = name.lower()
    if known not in _hash_SIZES:
        _throw("hashlib.new of another algorithm")
    return _HASH(known, _hash_data(data))


def _hash_name(digestmod):
    if isinstance(digestmod, str):
        known = digestmod.lower()
        if known not in _hash_SIZES:
            _throw("hmac with another algorithm")
        return known
    if not callable(digestmod):
        _throw("hmac with a module")
    made = digestmod()
    if not isinstance(made, _HASH):
        _throw("hmac with a hash of its own")
    return made._name


def _hash_keyed(name, key, data):
    size = _hash_SIZES[name][1]
    if _len(key) > size:
        key = _codec(name, key)
    key = key + b"\0" * (size - _len(key))
    inner = bytes([byte ^ 54 for byte in key])
    outer = bytes([byte ^ 92 for byte in key])
    return _codec(name, outer + _codec(name, inner + data))


class hmac__HMAC:
    __module__ = "hmac"
    blocksize = 64

    def __init__(self, key, msg=None, digestmod=""):
        if not isinstance(key, (bytes, bytearray)):
            raise TypeError("key: expected bytes or bytearray, but got " + _repr(_classof(key).__name__))
        if not digestmod:
            raise TypeError("Missing required argument 'digestmod'.")
        _set_own(self, "_hash_name", _hash_name(digestmod))
        _set_own(self, "_key", bytes(key))
        _set_own(self, "_data", b"")
        if msg is not None:
            self.update(msg)

    @property
    def name(self):
        return "hmac-" + self._hash_name

    @property
    def digest_size(self):
        return _hash_SIZES[self._hash_name][0]

    @property
    def block_size(self):
        return _hash_SIZES[self._hash_name][1]

    def update(self, msg):
        _set_own(self, "_data", self._data + _hash_data(msg))

    def digest(self):
        return _hash_keyed(self._hash_name, self._key, self._data)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        made = _instance(hmac__HMAC)
        _set_own(made, "_hash_name", self._hash_name)
        _set_own(made, "_key", self._key)
        _set_own(made, "_data", self._data)
        return made


_rename(hmac__HMAC, "HMAC")


def hmac__new(key, msg=None, digestmod=""):
    return hmac__HMAC(key, msg, digestmod)


def hmac__digest(key, msg, digest):
    return _hash_keyed(_hash_name(digest), bytes(key), _hash_data(msg))


def hmac__compare_digest(a, b, /):
    if isinstance(a, str) and isinstance(b, str):
        if not a.isascii() or not b.isascii():
            raise TypeError("comparing strings with non-ASCII characters is not supported")
        return _str(a) == _str(b)
    for value in (a, b):
        if isinstance(value, str) or _own(value) and _classof(value).__name__ != "memoryview":
            raise TypeError(
                "unsupported operand types(s) or combination of types: '" + _classof(a).__name__ + "' and '" + _classof(b).__name__ + "'"
            )
    return bytes(a) == bytes(b)
