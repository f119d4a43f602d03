# Random numbers: `_twister` makes a Mersenne twister, `_twister_bits` and `_twister_float` draw.
# Unseeded: the sandbox's seed (`data/python/sandbox/fixed.py`), if planning ends at unknown values.
# Level: methods

_FIXED_SEED = 20230508

_E4 = 1.7155277699214135  # 4 * exp(-0.5) / sqrt(2)
_TWO_PI = 6.283185307179586


def _index(x):
    if isinstance(x, int):
        return int(x)
    method = _find(x, "__index__")
    if method is _END:
        raise TypeError("'" + _classof(x).__name__ + "' object cannot be interpreted as an integer")
    return method()


def _random_whole(x, name):
    """An argument of `randrange`; floats that are whole are taken."""
    if not isinstance(x, float):
        return _index(x)
    n = int(x)
    if n != x:
        raise ValueError("non-integer " + name + " for randrange()")
    return n


def _running(weights):
    total = None
    sums = []
    for x in weights:
        total = x if total is None else total + x
        sums.append(total)
    return sums


def _place(sums, x, lo, hi):
    while lo < hi:
        middle = (lo + hi) // 2
        if x < sums[middle]:
            hi = middle
        else:
            lo = middle + 1
    return lo


def _no_own_generator(cls, *args, **kwargs):
    _throw("a generator of random numbers of one's own")


class Random:
    VERSION = 3

    def __init__(self, x=None):
        self._twister = None
        self.gauss_next = None
        if x is not None:
            self.seed(x)

    def __init_subclass__(cls, /, **kwargs):
        if cls.__module__ != "random" and ("random" in cls.__dict__ or "getrandbits" in cls.__dict__):
            cls.__new__ = _no_own_generator

    def __reduce__(self):
        _throw("a copy of a generator of random numbers")

    __copy__ = __reduce__

    def __deepcopy__(self, memo):
        _throw("a copy of a generator of random numbers")

    def seed(self, a=None, version=2):
        if version != 2:
            _throw("a seed of an older version")
        if a is None:
            self._twister = None
        elif isinstance(a, (int, float, str, bytes)):
            self._twister = _twister(a)
        elif isinstance(a, bytearray):
            self._twister = _twister(bytes(a))
        else:
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
        self.gauss_next = None

    def getstate(self):
        _throw("the state of random numbers")

    def setstate(self, state):
        _throw("the state of random numbers")

    def _generator(self):
        if self._twister is None:
            self._twister = _twister(_unknown("a random number without a seed", _FIXED_SEED))
        return self._twister

    def random(self):
        return _twister_float(self._generator())

    def getrandbits(self, k, /):
        k = _index(k)
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return _twister_bits(self._generator(), k)

    def _randbelow(self, n):
        return _twister_bits(self._generator(), n.bit_length(), n)

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def randrange(self, start, stop=None, step=1):
        if isinstance(start, float) and int(start) != start:
            raise ValueError("non-integer arg 1 for randrange()")
        first = _random_whole(start, "arg 1")
        if stop is None:
            if step != 1:
                raise TypeError("Missing a non-None stop argument")
            if first > 0:
                return self._randbelow(first)
            raise ValueError("empty range for randrange()")
        last = _random_whole(stop, "stop")
        width = last - first
        by = _random_whole(step, "step")
        if by == 1:
            if width > 0:
                return first + self._randbelow(width)
            raise ValueError("empty range for randrange() (" + _str(first) + ", " + _str(last) + ", " + _str(width) + ")")
        if by > 0:
            count = (width + by - 1) // by
        elif by < 0:
            count = (width + by + 1) // by
        else:
            raise ValueError("zero step for randrange()")
        if count <= 0:
            raise ValueError("empty range for randrange()")
        return first + by * self._randbelow(count)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        count = len(seq)
        if count == 0:
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._randbelow(count)]

    def shuffle(self, x):
        for i in range(len(x) - 1, 0, -1):
            j = self._randbelow(i + 1)
            x[i], x[j] = x[j], x[i]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if not isinstance(population, (list, tuple, str, bytes, bytearray, range)) and _find(population, "__getitem__") is _END:
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        n = len(population)
        if counts is not None:
            sums = _running(counts)
            if len(sums) != n:
                raise ValueError("The number of counts does not match the population")
            total = sums.pop()
            if not isinstance(total, int):
                raise TypeError("Counts must be integers")
            if total <= 0:
                raise ValueError("Total of counts must be greater than zero")
            chosen = self.sample(range(total), k=k)
            return [population[_place(sums, s, 0, len(sums))] for s in chosen]
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        # Up to a size that depends on `k` all items are a pool; beyond, drawn indices are recorded.
        limit = 21
        if k > 5:
            power = _ask("math.log", (k * 3, 4), {})
            whole = int(power)
            limit += 4 ** (whole if whole == power else whole + 1)
        result = [None] * k
        if n <= limit:
            pool = list(population)
            for i in range(k):
                j = self._randbelow(n - i)
                result[i] = pool[j]
                pool[j] = pool[n - i - 1]
        else:
            taken = set()
            for i in range(k):
                j = self._randbelow(n)
                while j in taken:
                    j = self._randbelow(n)
                taken.add(j)
                result[i] = population[j]
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[int(self.random() * (n + 0.0))] for i in range(k)]
            if isinstance(weights, int):
                raise TypeError("The number of choices must be a keyword argument: k=" + _repr(weights))
            cum_weights = _running(weights)
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if total - total != 0.0:
            raise ValueError("Total of weights must be finite")
        return [population[_place(cum_weights, self.random() * total, 0, n - 1)] for i in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        if mode is None:
            c = 0.5
        elif high - low == 0:
            return low
        else:
            c = (mode - low) / (high - low)
        if u > c:
            u = 1.0 - u
            c = 1.0 - c
            low, high = high, low
        return low + (high - low) * _ask("math.sqrt", (u * c,), {})

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u = self.random()
            v = 1.0 - self.random()
            z = _E4 * (u - 0.5) / v
            if z * z / 4.0 <= -_ask("math.log", (v,), {}):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            angle = self.random() * _TWO_PI
            length = _ask("math.sqrt", (-2.0 * _ask("math.log", (1.0 - self.random(),), {}),), {})
            z = _ask("math.cos", (angle,), {}) * length
            self.gauss_next = _ask("math.sin", (angle,), {}) * length
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _ask("math.exp", (self.normalvariate(mu, sigma),), {})

    def expovariate(self, lambd):
        return -_ask("math.log", (1.0 - self.random(),), {}) / lambd

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_ask("math.log", (1.0 - self.random(),), {})) ** (1.0 / beta)

    def gammavariate(self, alpha, beta):
        _throw("random.gammavariate")

    def betavariate(self, alpha, beta):
        _throw("random.betavariate")

    def vonmisesvariate(self, mu, kappa):
        _throw("random.vonmisesvariate")


# The operating system's random source: a separate generator.
_source = Random()


def _urandom(size, /):
    if size < 0:
        raise ValueError("negative argument not allowed")
    return _source.getrandbits(8 * size).to_bytes(size, "little") if size else b""


class SystemRandom(Random):
    def __init__(self, x=None):
        self.gauss_next = None

    def random(self):
        return (int.from_bytes(_urandom(7), "big") >> 3) * 2.0**-53

    def getrandbits(self, k):
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        size = (k + 7) // 8
        return int.from_bytes(_urandom(size), "big") >> (size * 8 - k)

    def _randbelow(self, n):
        k = n.bit_length()
        drawn = self.getrandbits(k)
        while drawn >= n:
            drawn = self.getrandbits(k)
        return drawn

    def randbytes(self, n):
        return _urandom(n)

    def seed(self, *args, **kwds):
        return None

    def _no_state(self, *args, **kwds):
        raise NotImplementedError("System entropy source does not have state.")

    getstate = setstate = _no_state


_shared = Random()
seed = _shared.seed
getstate = _shared.getstate
setstate = _shared.setstate
random = _shared.random
getrandbits = _shared.getrandbits
randbytes = _shared.randbytes
randrange = _shared.randrange
randint = _shared.randint
choice = _shared.choice
shuffle = _shared.shuffle
sample = _shared.sample
choices = _shared.choices
uniform = _shared.uniform
triangular = _shared.triangular
normalvariate = _shared.normalvariate
gauss = _shared.gauss
lognormvariate = _shared.lognormvariate
expovariate = _shared.expovariate
paretovariate = _shared.paretovariate
weibullvariate = _shared.weibullvariate
gammavariate = _shared.gammavariate
betavariate = _shared.betavariate
vonmisesvariate = _shared.vonmisesvariate
