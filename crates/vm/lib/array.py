# `array`: numbers of one type. They are stored in `_items_`, a list, which no trace shows.

# The range of each integer type, and its name in CPython's messages.
_ARRAY_RANGES = {
    "b": (-(2**7), 2**7 - 1, "signed char"),
    "B": (0, 2**8 - 1, "unsigned byte integer"),
    "h": (-(2**15), 2**15 - 1, "signed short integer"),
    "H": (0, 2**16 - 1, "unsigned short"),
    "i": (-(2**31), 2**31 - 1, "signed integer"),
    "I": (0, 2**32 - 1, "unsigned int"),
    "l": (-(2**63), 2**63 - 1, ""),
    "L": (0, 2**64 - 1, ""),
    "q": (-(2**63), 2**63 - 1, ""),
    "Q": (0, 2**64 - 1, ""),
}
_ARRAY_SIZES = {"b": 1, "B": 1, "u": 4, "h": 2, "H": 2, "i": 4, "I": 4, "l": 8, "L": 8, "q": 8, "Q": 8, "f": 4, "d": 8}
_ARRAY_LONG = 2**63


def _array_whole(code, value):
    if not isinstance(value, int):
        index = getattr(value, "__index__", None)
        if index is None:
            raise TypeError("'" + _classof(value).__name__ + "' object cannot be interpreted as an integer")
        value = index()
    low, high, name = _ARRAY_RANGES[code]
    if low <= value <= high:
        return int(value)
    if code == "q":
        raise OverflowError("int too big to convert")
    if code == "Q":
        raise OverflowError("can't convert negative int to unsigned" if value < 0 else "int too big to convert")
    if code in "IL" and value < 0:
        raise OverflowError("can't convert negative value to unsigned int")
    if code == "L":
        raise OverflowError("Python int too large to convert to C unsigned long")
    if code == "l" or not -_ARRAY_LONG <= value < _ARRAY_LONG:
        raise OverflowError("Python int too large to convert to C long")
    raise OverflowError(name + (" is less than minimum" if value < low else " is greater than maximum"))


def _item(code, value):
    if code == "u":
        if not isinstance(value, str):
            raise TypeError("array item must be a unicode character, not " + _classof(value).__name__)
        if _len(value) != 1:
            raise TypeError("array item must be a unicode character")
        return value
    if code in _ARRAY_RANGES:
        return _array_whole(code, value)
    if not isinstance(value, (int, float)):
        if getattr(value, "__float__", None) is None:
            raise TypeError("must be real number, not " + _classof(value).__name__)
    number = float(value)
    if code == "f" and not (number == number // 1 and -16777216 <= number <= 16777216):
        _throw("a float of four bytes")
    return number


def _numbers_of(code, items):
    made = array(code)
    made._items_ = items
    return made


class array:
    def __init__(self, typecode, initializer=(), /):
        if not isinstance(typecode, str) or _len(typecode) != 1:
            raise TypeError("array() argument 1 must be a unicode character, not " + _classof(typecode).__name__)
        if typecode not in _ARRAY_SIZES:
            raise ValueError("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)")
        self.typecode = typecode
        self.itemsize = _ARRAY_SIZES[typecode]
        self._items_ = []
        if isinstance(initializer, str) and typecode != "u":
            raise TypeError("cannot use a str to initialize an array with typecode '" + typecode + "'")
        if isinstance(initializer, (bytes, bytearray)) and typecode != "B":
            _throw("an array of bytes")
        for item in initializer:
            _push(self._items_, _item(typecode, item))

    def append(self, item, /):
        _push(self._items_, _item(self.typecode, item))

    def extend(self, items, /):
        if isinstance(items, array):
            if items.typecode != self.typecode:
                raise TypeError("can only extend with array of same kind")
            self._items_.extend(items._items_)
        else:
            for item in items:
                _push(self._items_, _item(self.typecode, item))

    def fromlist(self, items, /):
        if not isinstance(items, list):
            raise TypeError("arg must be list")
        self._items_.extend([_item(self.typecode, item) for item in items])

    def insert(self, index, item, /):
        self._items_.insert(index, _item(self.typecode, item))

    def pop(self, index=-1, /):
        if _len(self._items_) == 0:
            raise IndexError("pop from empty array")
        if not -_len(self._items_) <= index < _len(self._items_):
            raise IndexError("pop index out of range")
        return self._items_.pop(index)

    def remove(self, item, /):
        if item not in self._items_:
            raise ValueError("array.remove(x): x not in array")
        self._items_.remove(item)

    def index(self, item, start=0, stop=None, /):
        length = _len(self._items_)
        if start < 0:
            start = max(0, start + length)
        if stop is None or stop > length:
            stop = length
        if stop < 0:
            stop += length
        for i in range(start, stop):
            if self._items_[i] == item:
                return i
        raise ValueError("array.index(x): x not in array")

    def count(self, item, /):
        return self._items_.count(item)

    def reverse(self):
        self._items_.reverse()

    def tolist(self):
        return self._items_.copy()

    def tounicode(self):
        if self.typecode != "u":
            raise ValueError("tounicode() may only be called on unicode type arrays")
        return "".join(self._items_)

    def tobytes(self):
        code = self.typecode
        if code not in "bBhHiIlLqQ":
            _throw("bytes of an array")
        size = self.itemsize
        return b"".join([item.to_bytes(size, "little", signed=code in "bhilq") for item in self._items_])

    def __len__(self):
        return _len(self._items_)

    def __iter__(self):
        return iter(self._items_)

    def __reversed__(self):
        return reversed(self._items_)

    def __contains__(self, item):
        return item in self._items_

    def _place(self, index, what):
        if not isinstance(index, int) and getattr(index, "__index__", None) is None:
            raise TypeError("array indices must be integers")
        if not -_len(self._items_) <= index < _len(self._items_):
            raise IndexError("array " + what + " out of range")
        return index

    def __getitem__(self, index):
        if isinstance(index, slice):
            return _numbers_of(self.typecode, self._items_[index])
        return self._items_[self._place(index, "index")]

    def __setitem__(self, index, item):
        if isinstance(index, slice):
            if not isinstance(item, array):
                raise TypeError("can only assign array (not \"" + _classof(item).__name__ + "\") to array slice")
            if item.typecode != self.typecode:
                raise TypeError("bad argument type for built-in operation")
            self._items_[index] = item._items_
        else:
            at = self._place(index, "assignment index")
            self._items_[at] = _item(self.typecode, item)

    def __delitem__(self, index):
        if isinstance(index, slice):
            del self._items_[index]
        else:
            del self._items_[self._place(index, "assignment index")]

    def _joined_with(self, other, what):
        if not isinstance(other, array):
            raise TypeError("can only " + what + " array (not \"" + _classof(other).__name__ + "\") to array")
        if other.typecode != self.typecode:
            raise TypeError("bad argument type for built-in operation")
        return other._items_

    def __add__(self, other):
        return _numbers_of(self.typecode, self._items_ + self._joined_with(other, "append"))

    def __iadd__(self, other):
        if not isinstance(other, array):
            raise TypeError("can only extend with array (not \"" + _classof(other).__name__ + "\")")
        self.extend(other)
        return self

    def __mul__(self, times):
        return _numbers_of(self.typecode, self._items_ * times)

    def __rmul__(self, times):
        return _numbers_of(self.typecode, self._items_ * times)

    def __imul__(self, times):
        self._items_ *= times
        return self

    def __eq__(self, other):
        return self._items_ == other._items_ if isinstance(other, array) else NotImplemented

    def __ne__(self, other):
        return self._items_ != other._items_ if isinstance(other, array) else NotImplemented

    def __lt__(self, other):
        return self._items_ < other._items_ if isinstance(other, array) else NotImplemented

    def __le__(self, other):
        return self._items_ <= other._items_ if isinstance(other, array) else NotImplemented

    def __gt__(self, other):
        return self._items_ > other._items_ if isinstance(other, array) else NotImplemented

    def __ge__(self, other):
        return self._items_ >= other._items_ if isinstance(other, array) else NotImplemented

    def __copy__(self):
        return _numbers_of(self.typecode, self._items_.copy())

    def __deepcopy__(self, memo):
        return _numbers_of(self.typecode, self._items_.copy())

    def __repr__(self):
        if _len(self._items_) == 0:
            return "array('" + self.typecode + "')"
        held = _repr("".join(self._items_)) if self.typecode == "u" else _repr(self._items_)
        return "array('" + self.typecode + "', " + held + ")"

    __hash__ = None
ArrayType = array
