# The native part of `socket`: addresses as bytes, and byte order. No socket is created.
# Level: methods

import base64

_default_timeout = [None]


class herror(OSError):
    __module__ = "socket"


class gaierror(OSError):
    __module__ = "socket"


class PyCapsule:
    __module__ = "builtins"

    def __repr__(self):
        _throw("the address of a capsule")


CAPI = PyCapsule()
error = OSError
timeout = TimeoutError
has_ipv6 = True


class socket:
    __module__ = "_socket"

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        _throw("a socket")


SocketType = socket


def _swapped(number, size, name):
    if not isinstance(number, int):
        raise TypeError("expected int, " + _classof(number).__name__ + " found")
    kind = {2: "16-bit", 4: "32-bit"}[size]
    if number < 0:
        what = "can't convert negative Python int to C " + kind + " unsigned integer"
        raise OverflowError(name + ": " + what if size == 2 else "can't convert negative value to unsigned int")
    if number >= 1 << 8 * size:
        raise OverflowError(name + ": Python int too large to convert to C " + kind + " unsigned integer" if size == 2 else "int larger than 32 bits")
    return int.from_bytes(number.to_bytes(size, "little"), "big")


def htons(x, /):
    return _swapped(x, 2, "htons")


def ntohs(x, /):
    return _swapped(x, 2, "ntohs")


def htonl(x, /):
    return _swapped(x, 4, "htonl")


def ntohl(x, /):
    return _swapped(x, 4, "ntohl")


def _address_part(text):
    # Parses a part of an address as C writes numbers. `None` if it is invalid.
    digits, base = text, 10
    if text[:2].lower() == "0x":
        digits, base = text[2:], 16
    elif text[:1] == "0" and _len(text) > 1:
        digits, base = text[1:], 8
    if not digits.isascii() or not digits.isalnum():
        return None
    try:
        return int(digits, base)
    except ValueError:
        return None


def inet_aton(ip_addr, /):
    if not isinstance(ip_addr, str):
        raise TypeError("inet_aton() argument 1 must be str, not " + _classof(ip_addr).__name__)
    words = ip_addr.split()
    parts = [_address_part(part) for part in words[0].split(".")] if words and not ip_addr[0].isspace() else [None]
    count = _len(parts)
    if count > 4 or None in parts or any([part > 255 for part in parts[:-1]]) or parts[-1] >= 1 << 8 * (5 - count):
        raise OSError("illegal IP address string passed to inet_aton")
    number = parts[-1]
    for i in range(count - 1):
        number += parts[i] << 8 * (3 - i)
    return number.to_bytes(4, "big")


def inet_ntoa(packed_ip, /):
    data = base64._enc_data(packed_ip)
    if _len(data) != 4:
        raise OSError("packed IP wrong length for inet_ntoa")
    return ".".join([_str(byte) for byte in data])


def inet_pton(address_family, ip_string, /):
    import ipaddress

    if address_family not in (2, 10):
        raise OSError(97, "Address family not supported by protocol")
    try:
        kind = ipaddress.IPv4Address if address_family == 2 else ipaddress.IPv6Address
        if "%" in ip_string:
            raise ValueError
        return kind(ip_string).packed
    except ValueError:
        raise OSError("illegal IP address string passed to inet_pton") from None


def inet_ntop(address_family, packed_ip, /):
    import ipaddress

    data = base64._enc_data(packed_ip)
    if address_family not in (2, 10):
        raise ValueError("unknown address family " + _str(address_family))
    if _len(data) != (4 if address_family == 2 else 16):
        raise ValueError("invalid length of packed IP address string")
    if address_family == 2:
        return inet_ntoa(data)
    address = ipaddress.IPv6Address(data)
    mapped = address.ipv4_mapped
    if mapped is not None:
        return "::ffff:" + _str(mapped)
    if data[:12] == b"\0" * 12 and data[12:14] != b"\0\0":
        return "::" + inet_ntoa(data[12:])
    return _str(address)


def getdefaulttimeout():
    return _default_timeout[0]


def setdefaulttimeout(timeout, /):
    if timeout is not None:
        if not isinstance(timeout, (int, float)):
            raise TypeError("'" + _classof(timeout).__name__ + "' object cannot be interpreted as an integer")
        if timeout < 0:
            raise ValueError("Timeout value out of range")
        timeout = float(timeout)
    _default_timeout[0] = timeout


def CMSG_LEN(length, /):
    return 16 + length


def CMSG_SPACE(length, /):
    return 16 + (length + 7) // 8 * 8


def close(integer, /):
    _throw("socket.close")


def dup(integer, /):
    _throw("socket.dup")


def socketpair(family=1, type=1, proto=0, /):
    _throw("socket.socketpair")


def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    _throw("socket.getaddrinfo")


def gethostbyaddr(host, /):
    _throw("socket.gethostbyaddr")


def gethostbyname(host, /):
    _throw("socket.gethostbyname")


def gethostbyname_ex(host, /):
    _throw("socket.gethostbyname_ex")


def gethostname():
    _throw("socket.gethostname")


def getnameinfo(sockaddr, flags, /):
    _throw("socket.getnameinfo")


def getprotobyname(name, /):
    _throw("socket.getprotobyname")


def getservbyname(name, protocol=None, /):
    _throw("socket.getservbyname")


def getservbyport(port, protocol=None, /):
    _throw("socket.getservbyport")


def if_indextoname(index, /):
    _throw("socket.if_indextoname")


def if_nameindex():
    _throw("socket.if_nameindex")


def if_nametoindex(name, /):
    _throw("socket.if_nametoindex")


def sethostname(name, /):
    _throw("socket.sethostname")
