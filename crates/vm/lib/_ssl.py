# The native part of `ssl`, as far as it is known without OpenSSL. No connection is made.
# Level: methods

_DEFAULT_CIPHERS = "@SECLEVEL=2:ECDH+AESGCM:ECDH+CHACHA20:ECDH+AES:DHE+AES:!aNULL:!eNULL:!aDSS:!SHA1:!AESCCM"
_OPENSSL_API_VERSION = OPENSSL_VERSION_INFO = (3, 0, 0, 19, 0)
# Names of error codes. No such error is raised.
err_codes_to_names = {}
err_names_to_codes = {}
lib_codes_to_names = {}
_OBJECTS = (
    (129, "serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1"),
    (130, "clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2"),
)


class SSLError(OSError):
    __module__ = "ssl"


class SSLCertVerificationError(SSLError, ValueError):
    __module__ = "ssl"


class SSLZeroReturnError(SSLError):
    __module__ = "ssl"


class SSLWantReadError(SSLError):
    __module__ = "ssl"


class SSLWantWriteError(SSLError):
    __module__ = "ssl"


class SSLSyscallError(SSLError):
    __module__ = "ssl"


class SSLEOFError(SSLError):
    __module__ = "ssl"


class _SSLContext:
    __module__ = "_ssl"

    def __new__(cls, protocol, /):
        _throw("ssl.SSLContext")


class MemoryBIO:
    __module__ = "_ssl"

    def __init__(self):
        _throw("ssl.MemoryBIO")


class SSLSession:
    __module__ = "_ssl"


class Certificate:
    __module__ = "_ssl"


def txt2obj(txt, name=False):
    for known in _OBJECTS:
        if known[3] == txt or name and txt in known:
            return known
    _throw("ssl.txt2obj")


def nid2obj(nid, /):
    for known in _OBJECTS:
        if known[0] == nid:
            return known
    _throw("ssl.nid2obj")


def RAND_status():
    return True


def RAND_add(string, entropy, /):
    pass


def RAND_bytes(n, /):
    _throw("ssl.RAND_bytes")


def RAND_pseudo_bytes(n, /):
    _throw("ssl.RAND_pseudo_bytes")


def get_default_verify_paths():
    _throw("ssl.get_default_verify_paths")
