# The part of `hmac` that is written in Python.
# Level: methods

import hashlib


def _hash_name(digestmod):
    if isinstance(digestmod, str):
        known = digestmod.lower()
        if known not in hashlib._SIZES:
            _throw("hmac with another algorithm")
        return known
    if not callable(digestmod):
        _throw("hmac with a module")
    made = digestmod()
    if not isinstance(made, hashlib._HASH):
        _throw("hmac with a hash of its own")
    return made._name


def _hash_keyed(name, key, data):
    size = hashlib._SIZES[name][1]
    if _len(key) > size:
        key = _codec(name, key)
    key = key + b"\0" * (size - _len(key))
    inner = bytes([byte ^ 54 for byte in key])
    outer = bytes([byte ^ 92 for byte in key])
    return _codec(name, outer + _codec(name, inner + data))


class HMAC:
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
        return hashlib._SIZES[self._hash_name][0]

    @property
    def block_size(self):
        return hashlib._SIZES[self._hash_name][1]

    def update(self, msg):
        _set_own(self, "_data", self._data + hashlib._hash_data(msg))

    def digest(self):
        return _hash_keyed(self._hash_name, self._key, self._data)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        made = _instance(HMAC)
        _set_own(made, "_hash_name", self._hash_name)
        _set_own(made, "_key", self._key)
        _set_own(made, "_data", self._data)
        return made


def new(key, msg=None, digestmod=""):
    return HMAC(key, msg, digestmod)


def digest(key, msg, digest):
    return _hash_keyed(_hash_name(digest), bytes(key), hashlib._hash_data(msg))


def compare_digest(a, b, /):
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
