# The part of numpy that is written in Python: elementwise functions.

import builtins


class ufunc:
    def __call__(self, *args, out=None, where=True, dtype=None):
        if where is not True:
            _throw("a ufunc with where=")
        if _len(args) < self._count:
            raise TypeError(self._name + "() takes from " + _str(self._count) + " to " + _str(self._count + 1) + " positional arguments but " + _str(_len(args)) + (" was given" if _len(args) == 1 else " were given"))
        if _len(args) == self._count + 1:
            out = args[self._count]
        elif _len(args) > self._count + 1:
            raise TypeError(self._name + "() takes from " + _str(self._count) + " to " + _str(self._count + 1) + " positional arguments but " + _str(_len(args)) + (" was given" if _len(args) == 1 else " were given"))
        if self._count == 1:
            result = _apply(self, args[0])
        else:
            result = _combine(self, args[0], args[1])
        if dtype is not None:
            result = result.astype(dtype)
        if out is not None:
            return _into(out, result, self._name)
        return result

    def __str__(self):
        return "<ufunc '" + self._name + "'>"

    def __repr__(self):
        return "<ufunc '" + self._name + "'>"

    @property
    def __name__(self):
        return self._name

    def reduce(self, a, axis=0, dtype=None, out=None, keepdims=False, initial=None):
        return _reduce(self, a, axis, keepdims, initial)

    def accumulate(self, a, axis=0):
        return _accumulated(self, _array_of(a), axis, None)

    def outer(self, a, b):
        a = _array_of(a)
        b = _array_of(b)
        left = _reshape(a, (*a._shape, *[1 for n in b._shape]))
        return self(left, b)

    def at(self, a, index, value=None):
        index = _array_of(index)
        values = None if value is None else _flat(_stretch(_array_of(value), index._shape))
        for k, i in enumerate(_flat(index)):
            if values is None:
                a[i] = self(a[i])
            else:
                a[i] = self(a[i], values[k])


_ufuncs = {}


def _ufunc(name, count, function, result, identity=None):
    new = _instance(ufunc)
    new._name = name
    new._count = count
    new._function = function
    new._result = result
    new._identity = identity
    _ufuncs[name] = new
    return new


def _operand(x):
    # An operand as an array, and whether its type is weak, as that of a plain number is.
    if isinstance(x, ndarray):
        return x, False
    if isinstance(x, _generic):
        return _array_of(x), False
    if isinstance(x, (int, float)):
        return array(x), True
    return array(x), False


def _common(a, weak_a, b, weak_b):
    da = a._dtype
    db = b._dtype
    if weak_a != weak_b:
        weak = da if weak_a else db
        strong = db if weak_a else da
        if weak.kind == "i" and strong.kind in "iuf":
            if strong.kind in "iu":
                value = _flat(a if weak_a else b)[0]
                if strong.size < 4:
                    _throw("numpy." + strong.name + " beside a number")
                if _fit(value, strong) != value:
                    raise OverflowError("Python integer " + _str(value) + " out of bounds for " + strong.name)
            return strong
        if weak.kind == "b":
            return strong
    return _promote(da, db)


def _combine(f, x, y):
    if isinstance(y, _Strange) or isinstance(x, _Strange):
        _throw("that operand of a ufunc")
    a, weak_a = _operand(x)
    b, weak_b = _operand(y)
    result = f._result
    if a._dtype.kind == "O" or b._dtype.kind == "O":
        if result == "truth" or f._name in ("gcd", "lcm"):
            _throw("numpy." + f._name + " of objects")
    elif result == "bits" and (a._dtype.kind in "fU" or b._dtype.kind in "fU"):
        if f._name == "gcd" or f._name == "lcm":
            if a._dtype.kind == "U" or b._dtype.kind == "U":
                _throw("numpy." + f._name + " of text")
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _dtype_class(a, weak_a) + ", " + _dtype_class(b, weak_b) + ") -> None")
        raise _not_supported(f)
    if (a._dtype.kind == "U" or b._dtype.kind == "U") and a._dtype.kind != b._dtype.kind:
        if a._dtype.kind != "O" and b._dtype.kind != "O":
            _refuse_text(f, a, weak_a, b, weak_b)
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(b._dtype) + ") -> None")
    shape = a._shape if a._shape == b._shape else _broadcast(a._shape, b._shape)
    if result == "compare":
        dt = None
        out = _BOOL
    else:
        dt = _common(a, weak_a, b, weak_b)
        if dt.kind == "U" and f._name != "add":
            _refuse_text(f, a, weak_a, b, weak_b)
            raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _repr(a._dtype) + ", " + _repr(b._dtype) + ") -> None")
        if dt.kind == "U":
            dt = _text_dtype(a._dtype.size + b._dtype.size)
        out = dt
        if dt.kind == "b":
            if f._name == "subtract":
                raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.")
            if result == "number":
                dt = out = _DTYPES["int8"]
        if result == "float":
            if dt.kind in "iu" and dt.size < 4:
                _throw("numpy.float16")
            out = _FLOAT64 if dt.kind != "O" else dt
        elif result == "bits" and dt.kind == "f":
            raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
        elif result == "truth":
            out = _BOOL
    xs = _flat(a if a._shape == shape else _stretch(a, shape))
    ys = _flat(b if b._shape == shape else _stretch(b, shape))
    if dt is not None and dt.kind == "f":
        if a._dtype.kind != "f":
            xs = [p * 1.0 for p in xs]
        if b._dtype.kind != "f":
            ys = [p * 1.0 for p in ys]
    elif dt is not None and dt.kind in "iu":
        if a._dtype.kind == "b":
            xs = [+p for p in xs]
        if b._dtype.kind == "b":
            ys = [+p for p in ys]
    function = f._function
    fast = f._name if dt is None or dt.kind in "if" and (dt.kind == "f" or dt.size == 8) else None
    pairs = _zipped(xs, ys)
    if fast == "add":
        items = [p + q for p, q in pairs]
    elif fast == "subtract":
        items = [p - q for p, q in pairs]
    elif fast == "multiply":
        items = [p * q for p, q in pairs]
    elif fast == "less":
        items = [p < q for p, q in pairs]
    elif fast == "less_equal":
        items = [p <= q for p, q in pairs]
    elif fast == "greater":
        items = [p > q for p, q in pairs]
    elif fast == "greater_equal":
        items = [p >= q for p, q in pairs]
    elif fast == "equal":
        items = [p == q for p, q in pairs]
    elif fast == "not_equal":
        items = [p != q for p, q in pairs]
    else:
        items = [function(p, q) for p, q in pairs]
    if out.kind == "b" and result == "sum":
        items = [True if p else False for p in items]
    if out.kind in "iu" and f._fits:
        if out.size == 8 and out.kind == "i":
            items = [p if -_HALF <= p < _HALF else _wrap(p) for p in items]
        else:
            items = [_fit(p, out) for p in items]
    return _done(items, shape, out)


def _not_supported(f):
    return TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")


def _refuse_text(f, a, weak_a, b, weak_b):
    # Strings among numbers. All other functions have the message of `add`.
    if f._result == "compare":
        raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types (" + _dtype_class(a, weak_a) + ", " + _dtype_class(b, weak_b) + ") -> None")
    if f._name in ("divide", "floor_divide", "remainder"):
        raise _not_supported(f)
    if f._name not in ("add", "subtract"):
        _throw("numpy." + f._name + " of text")


def _dtype_class(a, weak):
    kind = a._dtype.kind
    if kind == "U":
        name = "Str"
    elif kind == "b":
        name = "Bool"
    elif weak:
        return "<class 'numpy.dtypes._Py" + ("Float" if kind == "f" else "Long") + "DType'>"
    elif kind == "f":
        name = "Float64"
    elif kind == "O":
        name = "Object"
    else:
        name = ("Int" if kind == "i" else "UInt") + _str(8 * a._dtype.size)
    return "<class 'numpy.dtypes." + name + "DType'>"


class _Strange:
    pass


def _done(items, shape, dt):
    if shape == ():
        return _wrapped(items[0], dt)
    return _make(items, shape, dt)


def _apply(f, x):
    a, weak = _operand(x)
    dt = a._dtype
    result = f._result
    if dt.kind == "U" or dt.kind == "O" and result == "float":
        if dt.kind == "U":
            if result == "float" or result == "truth":
                raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
            if f._name in ("absolute", "negative", "sign"):
                raise UFuncTypeError("ufunc '" + f._name + "' did not contain a loop with signature matching types <class 'numpy.dtypes.StrDType'> -> None")
            raise _not_supported(f)
        _throw("a ufunc of objects")
    out = dt
    items = _flat(a)
    if result == "float":
        if dt.kind != "f":
            if dt.size < 4:
                _throw("numpy.float16")
            items = [p * 1.0 for p in items]
        out = _FLOAT64
    elif result == "truth":
        out = _BOOL
    elif result == "bits" and dt.kind == "f":
        raise TypeError("ufunc '" + f._name + "' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''")
    elif result == "number" and dt.kind == "b":
        if f._name == "square" or f._name == "sign":
            _throw("numpy." + f._name + " of bools")
        if f._name == "negative":
            raise TypeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
    function = f._function
    items = [function(p) for p in items]
    if out.kind in "iu" and f._fits:
        items = [_fit(p, out) for p in items]
    return _done(items, a._shape, out)


def _nan_or_inf(p):
    if p == 0 or p != p:
        return nan
    return inf if p > 0 else -inf


def _negative_zero(q):
    return q == 0 and _str(q) == "-0.0"


def _over(p, q):
    if q == 0:
        return -_nan_or_inf(p) if _classof(q) is float and _negative_zero(q) and p != 0 else _nan_or_inf(p)
    return p / q


def _floor_over(p, q):
    if q == 0:
        return 0 if _classof(p) is int and _classof(q) is int else _nan_or_inf(p)
    return p // q


def _modulo(p, q):
    if q == 0:
        return 0 if _classof(p) is int and _classof(q) is int else nan
    return p % q


def _raised(p, q):
    if not isinstance(p, (int, float)) or not isinstance(q, (int, float)):
        return p**q
    if _classof(p) is int and _classof(q) is int:
        if q < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        result = 1
        while q > 0:
            if q & 1:
                result = _wrap(result * p)
            p = _wrap(p * p)
            q >>= 1
        return result
    if p < 0 and q % 1 != 0:
        return nan
    if p == 0 and q < 0:
        return inf
    try:
        return p**q
    except OverflowError:
        return inf


def _add(p, q):
    return p + q


def _subtract(p, q):
    return p - q


def _multiply(p, q):
    return p * q


def _bigger(p, q):
    if p != p:
        return p
    return p if p >= q else q


def _smaller(p, q):
    if p != p:
        return p
    return p if p <= q else q


def _ceil(p):
    if p != p or p - p != 0:
        return p
    r = -(-p // 1)
    return r


def _floor(p):
    if p != p or p - p != 0:
        return p
    return p // 1


def _truncated(p):
    if p < 0:
        return _ceil(p)
    return _floor(p)


def _rint(p):
    if p != p or p - p != 0:
        return p
    low = p // 1
    rest = p - low
    if rest > 0.5 or rest == 0.5 and low % 2 == 1:
        low = low + 1
    if low == 0 and (p < 0 or _negative_zero(p)):
        return -0.0
    return low


def _asked(name, domain=None):
    def function(p):
        if p != p:
            return p
        if domain == "positive" and p <= 0:
            return -inf if p == 0 else nan
        if domain == "root" and p < 0:
            return nan
        if domain == "unit" and (p > 1 or p < -1):
            return nan
        if p - p != 0 and domain == "root":
            return p
        try:
            return _ask(name, (p,), {})
        except OverflowError:
            return inf

    return function


def _gcd_of(p, q):
    while q:
        p, q = q, p % q
    return -p if p < 0 else p


def _lcm_of(p, q):
    if p == 0 or q == 0:
        return 0
    r = p // _gcd_of(p, q) * q
    return -r if r < 0 else r


def _shift_left(p, q):
    return 0 if q >= 64 else p << q


pi = 3.141592653589793
e = 2.718281828459045
inf = 1e308 * 10
nan = inf - inf
NaN = nan
newaxis = None
euler_gamma = 0.5772156649015329
True_ = _scalar(bool_, True)
False_ = _scalar(bool_, False)

add = _ufunc("add", 2, _add, "sum", 0)
subtract = _ufunc("subtract", 2, _subtract, "sum")
multiply = _ufunc("multiply", 2, _multiply, "sum", 1)
divide = _ufunc("divide", 2, _over, "float")
true_divide = divide
floor_divide = _ufunc("floor_divide", 2, _floor_over, "number")
remainder = _ufunc("remainder", 2, _modulo, "number")
mod = remainder
power = _ufunc("power", 2, _raised, "number")
float_power = _ufunc("float_power", 2, lambda p, q: _raised(p * 1.0, q * 1.0), "float")
maximum = _ufunc("maximum", 2, _bigger, "same")
minimum = _ufunc("minimum", 2, _smaller, "same")
fmax = _ufunc("fmax", 2, lambda p, q: q if p != p else p if q != q or p >= q else q, "same")
fmin = _ufunc("fmin", 2, lambda p, q: q if p != p else p if q != q or p <= q else q, "same")
equal = _ufunc("equal", 2, lambda p, q: p == q, "compare")
not_equal = _ufunc("not_equal", 2, lambda p, q: p != q, "compare")
less = _ufunc("less", 2, lambda p, q: p < q, "compare")
less_equal = _ufunc("less_equal", 2, lambda p, q: p <= q, "compare")
greater = _ufunc("greater", 2, lambda p, q: p > q, "compare")
greater_equal = _ufunc("greater_equal", 2, lambda p, q: p >= q, "compare")
logical_and = _ufunc("logical_and", 2, lambda p, q: True if p and q else False, "truth", True)
logical_or = _ufunc("logical_or", 2, lambda p, q: True if p or q else False, "truth", False)
logical_xor = _ufunc("logical_xor", 2, lambda p, q: (not p) != (not q), "truth", False)
logical_not = _ufunc("logical_not", 1, lambda p: not p, "truth")
bitwise_and = _ufunc("bitwise_and", 2, lambda p, q: p & q, "bits", -1)
bitwise_or = _ufunc("bitwise_or", 2, lambda p, q: p | q, "bits", 0)
bitwise_xor = _ufunc("bitwise_xor", 2, lambda p, q: p ^ q, "bits", 0)
left_shift = _ufunc("left_shift", 2, _shift_left, "bits")
right_shift = _ufunc("right_shift", 2, lambda p, q: p >> q, "bits")
invert = _ufunc("invert", 1, lambda p: (not p) if _classof(p) is builtins.bool else ~p, "bits")
bitwise_not = invert
gcd = _ufunc("gcd", 2, _gcd_of, "bits", 0)
lcm = _ufunc("lcm", 2, _lcm_of, "bits")
negative = _ufunc("negative", 1, lambda p: -p, "number")
positive = _ufunc("positive", 1, lambda p: p, "number")
absolute = _ufunc("absolute", 1, lambda p: (p if _classof(p) is builtins.bool else -p if p < 0 else p - p if p == 0 else p), "number")
abs = absolute
fabs = _ufunc("fabs", 1, lambda p: -p if p < 0 else p - p if p == 0 else p, "float")
sign = _ufunc("sign", 1, lambda p: p if p != p else p * 0 + 1 if 0 < p < inf else p * 0 - 1 if -inf < p < 0 else 1.0 if p > 0 else -1.0 if p < 0 else p, "number")
square = _ufunc("square", 1, lambda p: p * p, "number")
reciprocal = _ufunc("reciprocal", 1, lambda p: _over(1, p) if _classof(p) is float else _floor_over(1, p), "number")
floor = _ufunc("floor", 1, lambda p: _floor(p) if _classof(p) is float else p, "number")
ceil = _ufunc("ceil", 1, lambda p: _ceil(p) if _classof(p) is float else p, "number")
trunc = _ufunc("trunc", 1, lambda p: _truncated(p) if _classof(p) is float else p, "number")
rint = _ufunc("rint", 1, _rint, "float")
sqrt = _ufunc("sqrt", 1, _asked("math.sqrt", "root"), "float")
exp = _ufunc("exp", 1, _asked("math.exp"), "float")
log = _ufunc("log", 1, _asked("math.log", "positive"), "float")
log2 = _ufunc("log2", 1, _asked("math.log2", "positive"), "float")
log10 = _ufunc("log10", 1, _asked("math.log10", "positive"), "float")
def cbrt(x):
    _throw("np.cbrt")


log1p = _ufunc("log1p", 1, _asked("math.log1p"), "float")
sin = _ufunc("sin", 1, _asked("math.sin"), "float")
cos = _ufunc("cos", 1, _asked("math.cos"), "float")
tan = _ufunc("tan", 1, _asked("math.tan"), "float")
arcsin = _ufunc("arcsin", 1, _asked("math.asin", "unit"), "float")
arccos = _ufunc("arccos", 1, _asked("math.acos", "unit"), "float")
arctan = _ufunc("arctan", 1, _asked("math.atan"), "float")
arctan2 = _ufunc("arctan2", 2, lambda p, q: _ask("math.atan2", (p, q), {}), "float")
hypot = _ufunc("hypot", 2, lambda p, q: _ask("math.hypot", (p, q), {}), "float")
deg2rad = _ufunc("deg2rad", 1, lambda p: p * (pi / 180.0), "float")
radians = deg2rad
rad2deg = _ufunc("rad2deg", 1, lambda p: p * (180.0 / pi), "float")
degrees = rad2deg
isnan = _ufunc("isnan", 1, lambda p: p != p, "truth")
isinf = _ufunc("isinf", 1, lambda p: p == p and p - p != 0, "truth")
isfinite = _ufunc("isfinite", 1, lambda p: p - p == 0, "truth")
for _name in _ufuncs:
    _ufuncs[_name]._fits = _name not in ("maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor", "remainder", "gcd", "sign", "right_shift")
generic = _generic
integer = _integer
floating = float64
int_ = int64
intp = int64
longlong = int64
intc = int32
uint = uint64
double = float64
bool = bool_
