# Special methods of builtin values, called by name: `(2).__pow__(3)`, `"abc".__len__()`.


def _builtin_method___len__(value):
    return len(value)


def _builtin_method___iter__(value):
    return iter(value)


def _builtin_method___next__(value):
    return next(value)


def _builtin_method___length_hint__(value):
    return _left(value)


def _builtin_method___str__(value):
    return _str(value)


def _builtin_method___repr__(value):
    return _repr(value)


def _builtin_method___hash__(value):
    return hash(value)


def _builtin_method___bool__(value):
    return bool(value)


def _builtin_method___abs__(value):
    return abs(value)


def _builtin_method___neg__(value):
    return -value


def _builtin_method___pos__(value):
    return +value


def _builtin_method___invert__(value):
    return ~value


def _builtin_method___int__(value):
    return int(value)


def _builtin_method___float__(value):
    return float(value)


def _builtin_method___index__(value):
    return value


def _builtin_method___contains__(value, x):
    return x in value


def _builtin_method___getitem__(value, key):
    return value[key]


def _builtin_method___setitem__(value, key, x):
    value[key] = x


def _builtin_method___delitem__(value, key):
    del value[key]


def _builtin_method___format__(value, spec):
    return format(value, spec)


def _fits(value, other):
    # Whether a special method of a builtin type accepts an operand.
    kind = _classof(value)
    return isinstance(other, kind) or isinstance(other, int) and (kind is float or kind is bool)


def _builtin_method___add__(value, other):
    return value + other if _fits(value, other) else NotImplemented


def _builtin_method___sub__(value, other):
    return value - other if _fits(value, other) else NotImplemented


def _builtin_method___mul__(value, other):
    return value * other if _fits(value, other) or isinstance(other, int) else NotImplemented


def _builtin_method___truediv__(value, other):
    return value / other if _fits(value, other) else NotImplemented


def _builtin_method___floordiv__(value, other):
    return value // other if _fits(value, other) else NotImplemented


def _builtin_method___mod__(value, other):
    return value % other if _fits(value, other) or isinstance(value, str) else NotImplemented


def _builtin_method___pow__(value, other):
    return value ** other if _fits(value, other) else NotImplemented


def _builtin_method___and__(value, other):
    return value & other if _fits(value, other) else NotImplemented


def _builtin_method___or__(value, other):
    return value | other if _fits(value, other) else NotImplemented


def _builtin_method___xor__(value, other):
    return value ^ other if _fits(value, other) else NotImplemented


def _builtin_method___lshift__(value, other):
    return value << other if _fits(value, other) else NotImplemented


def _builtin_method___rshift__(value, other):
    return value >> other if _fits(value, other) else NotImplemented


def _builtin_method___radd__(value, other):
    return other + value if _fits(value, other) else NotImplemented


def _builtin_method___rsub__(value, other):
    return other - value if _fits(value, other) else NotImplemented


def _builtin_method___rmul__(value, other):
    return other * value if _fits(value, other) or isinstance(other, int) else NotImplemented


def _builtin_method___rtruediv__(value, other):
    return other / value if _fits(value, other) else NotImplemented


def _builtin_method___rfloordiv__(value, other):
    return other // value if _fits(value, other) else NotImplemented


def _builtin_method___rmod__(value, other):
    return other % value if isinstance(value, str) and isinstance(other, str) or _fits(value, other) else NotImplemented


def _builtin_method___rpow__(value, other):
    return other ** value if _fits(value, other) else NotImplemented


def _builtin_method___rand__(value, other):
    return other & value if _fits(value, other) else NotImplemented


def _builtin_method___ror__(value, other):
    return other | value if _fits(value, other) else NotImplemented


def _builtin_method___rxor__(value, other):
    return other ^ value if _fits(value, other) else NotImplemented


def _builtin_method___rlshift__(value, other):
    return other << value if _fits(value, other) else NotImplemented


def _builtin_method___rrshift__(value, other):
    return other >> value if _fits(value, other) else NotImplemented


def _builtin_method___divmod__(value, other):
    return divmod(value, other) if _fits(value, other) else NotImplemented


def _builtin_method___rdivmod__(value, other):
    return divmod(other, value) if _fits(value, other) else NotImplemented


def _builtin_method___iadd__(value, other):
    value += other
    return value


def _builtin_method___imul__(value, other):
    value *= other
    return value


def _builtin_method___iand__(value, other):
    value &= other
    return value


def _builtin_method___ior__(value, other):
    value |= other
    return value


def _builtin_method___isub__(value, other):
    value -= other
    return value


def _builtin_method___ixor__(value, other):
    value ^= other
    return value


def _builtin_method___eq__(value, other):
    return value == other if _fits(value, other) else NotImplemented


def _builtin_method___ne__(value, other):
    return value != other if _fits(value, other) else NotImplemented


def _builtin_method___lt__(value, other):
    return value < other if _fits(value, other) else NotImplemented


def _builtin_method___le__(value, other):
    return value <= other if _fits(value, other) else NotImplemented


def _builtin_method___gt__(value, other):
    return value > other if _fits(value, other) else NotImplemented


def _builtin_method___ge__(value, other):
    return value >= other if _fits(value, other) else NotImplemented


def _builtin_method_indices(value, length):
    taken = range(length)[value]
    return (taken.start, taken.stop, taken.step)


def _builtin_method_as_integer_ratio(value):
    return (int(value), 1)


def _builtin_method_isdisjoint(value, other):
    return set(value).isdisjoint(other)
