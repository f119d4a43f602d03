# Hashes of `hashlib`, and `hmac`: `_codec` computes the digests.
# Level: methods

_SIZES = {
    "md5": (16, 64),
    "sha1": (20, 64),
    "sha224": (28, 64),
    "sha256": (32, 64),
    "sha384": (48, 128),
    "sha512": (64, 128),
    "sha3_224": (28, 144),
    "sha3_256": (32, 136),
    "sha3_384": (48, 104),
    "sha3_512": (64, 72),
}
_XOF_BLOCKS = {"shake_128": 168, "shake_256": 136}
# Maximum digest size, salt size, and block size.
_BLAKES = {"blake2b": (64, 16, 128), "blake2s": (32, 8, 64)}


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


def sha3_224(string=b"", *, usedforsecurity=True):
    return _HASH("sha3_224", _hash_data(string))


def sha3_256(string=b"", *, usedforsecurity=True):
    return _HASH("sha3_256", _hash_data(string))


def sha3_384(string=b"", *, usedforsecurity=True):
    return _HASH("sha3_384", _hash_data(string))


def sha3_512(string=b"", *, usedforsecurity=True):
    return _HASH("sha3_512", _hash_data(string))


class _HASHXOF(_HASH):
    __module__ = "_hashlib"
    digest_size = 0

    @property
    def block_size(self):
        return _XOF_BLOCKS[self._name]

    def digest(self, length):
        if length < 0:
            _throw("a digest of such a length")
        return _codec(self._name, self._data, length)

    def hexdigest(self, length):
        return self.digest(length).hex()

    def copy(self):
        return _HASHXOF(self._name, self._data)


_rename(_HASHXOF, "HASHXOF")


def shake_128(string=b"", *, usedforsecurity=True):
    return _HASHXOF("shake_128", _hash_data(string))


def shake_256(string=b"", *, usedforsecurity=True):
    return _HASHXOF("shake_256", _hash_data(string))


def _blake_text(value, most, what):
    value = _hash_data(value)
    if _len(value) > most:
        raise ValueError("maximum " + what + " length is " + _str(most) + " bytes")
    return value


class _BLAKE:
    def __init__(
        self,
        data=b"",
        /,
        *,
        digest_size=None,
        key=b"",
        salt=b"",
        person=b"",
        fanout=1,
        depth=1,
        leaf_size=0,
        node_offset=0,
        node_depth=0,
        inner_size=0,
        last_node=False,
        usedforsecurity=True,
    ):
        most, salted, block = _BLAKES[self._kind]
        if digest_size is None:
            digest_size = most
        if not 1 <= digest_size <= most:
            raise ValueError("digest_size must be between 1 and " + _str(most) + " bytes")
        salt = _blake_text(salt, salted, "salt")
        person = _blake_text(person, salted, "person")
        if not 0 <= fanout <= 255:
            raise ValueError("fanout must be between 0 and 255")
        if not 1 <= depth <= 255:
            raise ValueError("depth must be between 1 and 255")
        if leaf_size < 0 or node_offset < 0:
            raise OverflowError("value must be positive")
        if not 0 <= node_depth <= 255:
            raise ValueError("node_depth must be between 0 and 255")
        if not 0 <= inner_size <= most:
            raise ValueError("inner_size must be between 0 and is " + _str(most))
        key = _blake_text(key, most, "key")
        numbers = (digest_size, fanout, depth, leaf_size, node_offset, node_depth, inner_size, 1 if last_node else 0)
        _set_own(self, "_settings", (key, salt, person) + numbers)
        _set_own(self, "_data", _hash_data(data))

    @property
    def name(self):
        return self._kind

    @property
    def digest_size(self):
        return self._settings[3]

    @property
    def block_size(self):
        return _BLAKES[self._kind][2]

    def update(self, data, /):
        _set_own(self, "_data", self._data + _hash_data(data))

    def digest(self):
        return _codec(self._kind, self._data, *self._settings)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        made = _classof(self)(self._data)
        _set_own(made, "_settings", self._settings)
        return made


class blake2b(_BLAKE):
    __module__ = "_blake2"
    _kind = "blake2b"
    SALT_SIZE = PERSON_SIZE = 16
    MAX_KEY_SIZE = MAX_DIGEST_SIZE = 64


class blake2s(_BLAKE):
    __module__ = "_blake2"
    _kind = "blake2s"
    SALT_SIZE = PERSON_SIZE = 8
    MAX_KEY_SIZE = MAX_DIGEST_SIZE = 32


def pbkdf2_hmac(hash_name, password, salt, iterations, dklen=None):
    known = hash_name.lower()
    if known not in _SIZES or known.startswith("sha3"):
        _throw("hashlib.pbkdf2_hmac with such a hash")
    if iterations < 1:
        raise ValueError("iteration value must be greater than 0.")
    if dklen is None:
        dklen = _SIZES[known][0]
    if dklen < 1:
        raise ValueError("key length must be greater than 0.")
    return _codec("pbkdf2", _hash_data(password), known, _hash_data(salt), iterations, dklen)


def new(name, data=b"", **kwargs):
    if not isinstance(name, str):
        raise TypeError("expected str instance, " + _classof(name).__name__ + " found")
    known = name.lower()
    if known == "blake2b" or known == "blake2s":
        return (blake2b if known == "blake2b" else blake2s)(data, **kwargs)
    if known in _XOF_BLOCKS:
        return _HASHXOF(known, _hash_data(data))
    if known not in _SIZES:
        _throw("hashlib.new of another algorithm")
    return _HASH(known, _hash_data(data))
