"""Methods of stand-ins with terms."""


def _term_call(*arguments, **keywords):
    self, arguments = arguments[0], arguments[1:]
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    place, guide.calling = guide.calling, None
    callbacks = [x for x in (*arguments, *keywords.values()) if guide_is_of_program(x)]
    guide.handed.extend(callbacks)
    if len(arguments) == 1 and not keywords and callbacks and place is None:
        guide.decorated[id(arguments[0])] = arguments[0]
        return arguments[0]  # a decorator
    term, value = guide.signature(own["term"], own["value"], arguments, keywords)
    of, name = own.get("of", (None, None))
    is_mapping = id(type(of)) in _STAND_INS and _plain_getattr(of, "__dict__")["kind"] == "dict"
    if is_mapping and name == "get" and len(arguments) in (1, 2) and not keywords and guide.number:
        # As `d[k] if k in d else None`.
        if guide.decide(of, "in", arguments[0]):
            return _term_getitem(of, arguments[0])
        return arguments[1] if len(arguments) == 2 else None
    text = guide.plain(of)
    if type(text) is str and name in _TEXT_METHODS:
        given = [guide.plain(x) for x in arguments]
        if not keywords and _UNKNOWN not in given:
            try:
                return guide.wrapped(getattr(text, name)(*given), term, own["path"] + "()")
            except Exception:
                pass
    if _is_dropped():
        guide.effect(term, value)
    else:
        guide.ask(term, "called")
    guide.may_raise(term, value)
    return _term_value(self, "()", "call", place, term, value)


def _term_operation(name, sign, is_reflected, compute):
    def operation(self, other):
        own = _plain_getattr(self, "__dict__")
        guide = own["guide"]
        pair = (other, self) if is_reflected else (self, other)
        term, value = guide.both("(%%s %s %%s)" % sign.replace("%", "%%"), *pair)
        x, y = map(guide.plain, pair)
        if x is _UNKNOWN and type(y) is not str:
            x = guide.drawn(pair[0], 0)
        if y is _UNKNOWN and type(x) is not str:
            y = guide.drawn(pair[1], 0)
        if name in ("add", "mul", "and", "or", "xor") and _may_turn(*pair):
            term = _short("(%s %s %s)" % _around(sign, [guide.shown(p, "term", 1) for p in pair]))
        if x is not _UNKNOWN and y is not _UNKNOWN and _is_small(name, x, y):
            try:
                result = compute(x, y)
                if id(type(result)) in _KNOWN:
                    return guide.wrapped(result, term, own["path"] + "." + name)
            except Exception:
                pass
        return _term_value(self, "." + name, None, None, term, value)

    return operation


def _around(sign, operands):
    """Operands of a commutative operation in a canonical order: numbers last, as people write."""
    first, second = sorted(operands, key=lambda text: (text[:1] in "-0123456789", text))
    return first, sign, second


def _may_turn(x, y):
    """Whether operands commute: both are numbers, or one is a number literal."""
    literal = id(type(x)) in _NUMBERS or id(type(y)) in _NUMBERS
    return literal or _is_number(x) and _is_number(y)


def _is_number(value):
    if id(type(value)) in _STAND_INS:
        return _plain_getattr(value, "__dict__")["kind"] in ("int", "float")
    return id(type(value)) in _NUMBERS


def _is_small(name, x, y):
    """Whether a result cannot explode."""
    texts = str in (type(x), type(y))
    if name in ("pow", "lshift"):
        return not texts and -64 < y < 64 and abs(x) < 1 << 64
    if name == "mul" and texts:
        return all([type(z) is str or z < 1000 for z in (x, y)])
    return True


def _term_unary(name, sign, compute):
    def operation(self, *others):
        own = _plain_getattr(self, "__dict__")
        guide = own["guide"]
        x = guide.plain(self)
        term, value = guide.both(sign, self)
        if id(type(x)) in _NUMBERS:
            try:
                return guide.wrapped(compute(x, *others), term, own["path"] + "." + name)
            except Exception:
                pass
        return _term_value(self, "." + name, None, None, term, value)

    return operation


_TURNED = {"gt": (True, "lt"), "ge": (True, "le")}


def _term_comparison(name):
    compute = getattr(operator, name)
    base, swapped, negated = _COMPARED[name]

    def comparison(self, other):
        own = _plain_getattr(self, "__dict__")
        guide = own["guide"]
        if self is other:
            return name in ("eq", "le", "ge")
        x, y = guide.plain(self), guide.plain(other)
        if guide.number:  # in world 0 what leads further is said
            ordered = x is y is _UNKNOWN and base == "lt"
            if x is _UNKNOWN and (y is not _UNKNOWN or ordered):
                x = guide.drawn(self, y)
            if y is _UNKNOWN and x is not _UNKNOWN:
                y = guide.drawn(other, x)
        if x is not _UNKNOWN and y is not _UNKNOWN:
            try:
                result = compute(x, y)
                pair = (other, self) if swapped else (self, other)
                guide.ask(guide.both(_ORDER[base], *pair)[0], result != negated)
                return result
            except TypeError:
                pass
        if guide.shown(other, "value", 1) == own["value"]:
            return name in ("eq", "le", "ge")
        if _is_truth_asked(_guide_frame(1)):
            return guide.decide(self, name, other)
        # `a > b` is `b < a`.
        turned, plain = _TURNED.get(name, (False, name))
        pair = (other, self) if turned else (self, other)
        term, value = guide.both("(%%s %s %%s)" % plain, *pair)
        if name in ("eq", "ne"):
            term, value = min((term, value), guide.both("(%%s %s %%s)" % name, other, self))
        return _term_value(self, "." + name, None, None, term, value)

    return comparison


def _term_getitem(self, key):
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    if type(key) is slice:
        parts = (key.start, key.stop) if key.step is None else (key.start, key.stop, key.step)
        pattern = "%s[" + ":".join(["" if x is None else "%s" for x in parts]) + "]"
        term, value = guide.both(pattern, self, *[x for x in parts if x is not None])
        step = "[:]"
    else:
        text = guide.shown(key, "value", 1)
        if text in own["items"]:
            return own["items"][text]
        term, value = guide.both("%s[%s]", self, key)
        plain = guide.plain(key)
        step = "[%s]" % plain if type(plain) is int else '["%s"]' % plain if type(plain) is str else "[]"
        if own["path"] + step not in guide.values:
            step = "[]"
    if type(own["plain"]) is str:
        try:
            return guide.wrapped(own["plain"][key], term, own["path"] + step)
        except Exception:
            pass
    return _term_value(self, step, None, None, term, value)


def _term_setitem(self, key, value):
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    own["items"][guide.shown(key, "value", 1)] = value
    guide.effect(*guide.both("%s[%s] = %s", self, key, value))


def _term_delitem(self, key):
    own = _plain_getattr(self, "__dict__")
    own["items"].pop(own["guide"].shown(key, "value", 1), None)
    own["guide"].effect(*own["guide"].both("del %s[%s]", self, key))


def _term_setattr(self, name, value):
    own = _plain_getattr(self, "__dict__")
    own["set"][name] = value
    own["guide"].effect(*own["guide"].both("%s." + name.replace("%", "%%") + " = %s", self, value))


def _term_delattr(self, name):
    own = _plain_getattr(self, "__dict__")
    own["set"].pop(name, None)
    own["guide"].effect(*own["guide"].both("del %s." + name.replace("%", "%%"), self))


def _term_text(self, spec=None):
    own = _plain_getattr(self, "__dict__")
    own["guide"].ask("str(%s)" % own["term"], "")
    if own["plain"] is _UNKNOWN:
        return "<%s>" % own["value"]
    try:
        return format(own["plain"], spec or "") if spec is not None else str(own["plain"])
    except ValueError:
        return str(own["plain"])


def _term_repr(self):
    own = _plain_getattr(self, "__dict__")
    own["guide"].ask("repr(%s)" % own["term"], "")
    return repr(own["plain"]) if own["plain"] is not _UNKNOWN else "<%s>" % own["value"]


def _term_number(self):
    own = _plain_getattr(self, "__dict__")
    guide, plain = own["guide"], own["plain"]
    if type(plain) is str:
        try:
            plain = int(plain)
        except ValueError:
            if guide.number:
                raise
            plain = 1
    elif plain is _UNKNOWN:
        plain = guide.draw("int " + own["value"]) % 7 if guide.number else 1
    guide.ask("int(%s)" % own["term"], plain)
    return int(plain)


def _term_float(self):
    own = _plain_getattr(self, "__dict__")
    plain = own["plain"]
    if type(plain) in (int, float):
        own["guide"].ask("float(%s)" % own["term"], plain)
        return float(plain)
    return float(_term_number(self))


def _drawn_length(self):
    """How many items a value has in this world."""
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    count = len(own["plain"]) if type(own["plain"]) is str else own["count"]
    if guide.number and own["plain"] is _UNKNOWN and own["kind"] == "object":
        count = (0, 1, 2, 2, 3, 5)[guide.draw("length " + own["value"]) % 6]
    wanted = [x for x in guide.pools.get("len(%s)" % own["path"], ()) if 0 <= x <= _MOST_ITERATED]
    if guide.number and wanted and own["plain"] is _UNKNOWN:
        count = wanted[guide.draw("long " + own["value"]) % len(wanted)]
    return count


def _term_len(self):
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    count = _drawn_length(self)
    truth = guide.said.get("bool(%s)" % own["value"], guide.answers.get("bool(%s)" % own["value"]))
    if own["plain"] is _UNKNOWN:
        if truth is not None and truth != (count > 0):
            count = 2 if truth else 0
        guide.lengths.setdefault(own["value"], count)
    guide.ask("len(%s)" % own["term"], count)
    return count


def _term_iter(self):
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    if type(own["plain"]) is str:
        guide.ask("iter(%s)" % own["term"], own["plain"])
        return iter(own["plain"])
    _, frame = guide_line()
    count, by_number = None, "[]"
    if frame is not None and frame.f_lasti >= 0:
        code = frame.f_code.co_code
        extra = _UNPACKING.get(code[frame.f_lasti])
        if extra is not None:
            count, by_number = (code[frame.f_lasti + 1] & 255) + extra, "[%d]"
    if count is None:
        guide.quiet += 1
        count = _term_len(self)
        guide.quiet -= 1
    guide.ask("iter(%s)" % own["term"], count)
    made = []
    for k in range(count):
        step = by_number % k if by_number != "[]" else "[]"
        term, value = guide.both("%s[" + str(k) + "]", self)
        made.append(_term_value(self, step, None, None, term, value))
    return iter(made)


def _term_contains(self, item):
    own = _plain_getattr(self, "__dict__")
    guide = own["guide"]
    x = guide.plain(item)
    if type(own["plain"]) is str and type(x) is str:
        guide.ask(guide.both("in(%s, %s)", self, item)[0], x in own["plain"])
        return x in own["plain"]
    return guide.decide(self, "in", item)


def _term_hash(self):
    own = _plain_getattr(self, "__dict__")
    return hash(own["value"] if own["plain"] is _UNKNOWN else own["plain"])


def _term_index(self):
    return _term_number(self)


def _term_methods():
    methods = {
        "__call__": _term_call, "__getitem__": _term_getitem, "__setitem__": _term_setitem,
        "__delitem__": _term_delitem, "__setattr__": _term_setattr, "__delattr__": _term_delattr,
        "__str__": _term_text, "__format__": _term_text, "__repr__": _term_repr,
        "__int__": _term_number, "__index__": _term_index, "__float__": _term_float,
        "__len__": _term_len, "__iter__": _term_iter, "__contains__": _term_contains,
        "__hash__": _term_hash,
    }  # fmt: skip
    for name, sign in _SIGNS.items():
        compute = getattr(operator, name + "_" if name in ("and", "or") else name)
        methods["__%s__" % name] = _term_operation(name, sign, False, compute)
        methods["__r%s__" % name] = _term_operation(name, sign, True, compute)
        methods["__i%s__" % name] = methods["__%s__" % name]
    for name, sign, compute in (
        ("neg", "-%s", operator.neg), ("pos", "+%s", operator.pos), ("abs", "abs(%s)", abs),
        ("invert", "~%s", operator.invert), ("round", "round(%s)", round),
    ):  # fmt: skip
        methods["__%s__" % name] = _term_unary(name, sign, compute)
    for name in _COMPARED:
        methods["__%s__" % name] = _term_comparison(name)
    return methods


Comparing.kinds = _kinds(_term_methods())
_STAND_INS |= frozenset(map(id, Comparing.kinds.values()))
_LEAVES.update((kind, lambda value: "<StandIn>") for kind in _STAND_INS)
