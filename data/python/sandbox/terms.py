"""Stand-ins that track their origin, so that two versions of a program can be compared.

Loaded after stand_in.py, and used only if the plan has a `world`. Every value made from a stand-in
carries two texts: its *term*, the expression that made it (`count + 1`), and its *value*, the same
with the injected numbers and strings of this world (`2`). An unknown value stays an expression in its
value, too (`fetch(2)`): calls of unknown things with other arguments are other values.

A world determines the numbers and strings of injected values, and the results of other conditions.
In world 0 they lead further; in the others they are drawn, the same for both versions. The program's
observations are reported by terms, and its operations on injected objects in order.
"""

import operator
import re

_LONGEST_TERM = 400
_MOST_ASKED_TERMS = 3000
_MOST_ITERATED = 200
_MOST_PARTS = 20_000
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_KNOWN = frozenset(map(id, (int, float, str, bool)))
_COLLECTIONS = frozenset(("list", "tuple", "set", "dict"))
_NUMBERS = frozenset(map(id, (int, float, bool)))
# Methods of strings whose result is a string.
_TEXT_METHODS = frozenset(
    "upper lower strip lstrip rstrip title capitalize swapcase casefold replace zfill center "
    "ljust rjust removeprefix removesuffix".split()
)
# Only these continue terms.
_TRANSPARENT = (type(None), bool, list, tuple, dict, set, frozenset)
# Their results for an injected value are terms, not answers.
_QUIET = (len, int, float, str, repr, abs, round, ord, chr)
_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_COMPARED = {
    "eq": ("eq", False, False), "ne": ("eq", False, True), "lt": ("lt", False, False),
    "ge": ("lt", False, True), "gt": ("lt", True, False), "le": ("lt", True, True),
}  # fmt: skip


_ORDER = {"eq": "%s == %s", "lt": "%s < %s"}


class Comparing(Guide):
    """A guide of one of two versions, in one world."""

    def __init__(self, plan, clock):
        Guide.__init__(self, plan, clock)
        world = plan["world"]
        self.number, self.pools = world["number"], world["pools"]
        self.literals, self.answers = world["literals"], dict(world["answers"])
        self.calls, self.raises = world["calls"], world["raises"]
        self.said, self.times, self.asked, self.effects = {}, {}, {}, []
        self.lengths = {}
        self.results, self.picked, self.known, self.called = [], {}, {}, []
        self.naming = self.inside = None
        self.opaque, self.quiet, self.inputs, self.left = False, 0, 0, _MOST_PARTS
        self.returned = _UNKNOWN
        self.live = True  # what is handed to real code counts from the first line

    # -- values of the world ----------------------------------------------------------------------

    def draw(self, text):
        return (hash("%d %s" % (self.number, text)) & 0x7FFFFFFFFFFF) >> 3

    def pick(self, kind, path, value, hint):
        """The number or string of an otherwise undetermined value."""
        drawn, number, text = self.draw(value), hint.get("number"), hint.get("text")
        if self.number == 0:
            if kind == "str":
                return text if text is not None else "1" if hint.get("digits") else "a"
            return 1 if number is None else number
        own = [x for x in self.pools.get(path, ()) if (type(x) is str) == (kind == "str")]
        if kind != "str":
            general = [x for x in self.literals if type(x) is not str] + [0, 1, 2, 3, 5, 7, 12, -1]
            pool = own if own and drawn % 3 else general
            return pool[drawn // 3 % len(pool)]
        if hint.get("digits") and drawn % 4:
            return str(drawn // 4 % 20)
        name = re.findall(r"[A-Za-z]+", value)
        general = ["%s%d" % (name[-1] if name else "a", drawn // 3 % 7)]
        general += [x for x in self.literals if type(x) is str]
        pool = own if own and drawn % 3 else general
        return pool[drawn // 5 % len(pool)]

    def of_class(self, name, path, place=None):
        if not self.adaptive:
            return Guide.of_class(self, name, path, place)
        term, value = self.naming or (path, path)
        if self.number and "none " + path in self.pools and self.draw("none " + value) % 3 == 0:
            self.naming = None
            self.ask("%s is None" % term, True)
            return None
        if name in ("True", "False") or name == "None" and self.number and self.draw(value) % 2:
            name = "object"  # a condition asks for it
        elif name == "None":
            self.ask("%s is None" % term, True)
        self.naming = (term, value)
        try:
            return Guide.of_class(self, name, path, place)
        finally:
            self.naming = None

    def adapted(self, name, path, hint, clear):
        term, value = self.naming or (path, path)
        kind = name.partition("_")[0]
        if kind in ("int", "float", "str") and not hint.get("exception") and not hint.get("pattern"):
            picked = self.pick(kind, path, value, hint)
            if kind != "str":
                picked = int(picked) if kind == "int" else float(picked)
            self.picked.setdefault(term, repr(picked))
            return self.made(path, kind, picked, term)
        if kind in ("list", "tuple", "set", "dict") and "count" not in hint and self.number:
            hint = dict(hint, count=(0, 1, 2, 2, 3, 5)[self.draw("length " + value) % 6])
        outside, self.inside, self.naming = self.inside, (term, value), None
        made = Guide.adapted(self, name, path, hint, clear)
        self.inside = outside
        if id(type(made)) in _STAND_INS:
            _plain_getattr(made, "__dict__").update(term=_short(term), value=_short(value))
        elif type(made) is GuideDict:
            made.naming = (term, value)
        return made

    def element(self, path, number=None):
        if self.inside is not None:
            self.naming = tuple(["%s[%s]" % (text, number) for text in self.inside])
        return Guide.element(self, path, number)

    def item(self, path, key, mapping=None):
        inside = self.inside if mapping is None else mapping.naming
        if inside is not None:
            key = self.shown(key, "value", 1)
            self.naming = tuple(["%s[%s]" % (text, key) for text in inside])
        return Guide.item(self, path, key)

    def made(self, path, kind, plain, term):
        """A stand-in for a number or string known in this world."""
        hint = {"text": plain} if kind == "str" else {"number": plain}
        made = guide_stand_in(self, path, kind, hint)
        _plain_getattr(made, "__dict__").update(
            term=_short(term), value=_short(repr(plain)), plain=plain
        )
        return made

    def wrapped(self, result, term, path):
        """A result of known values: a number or string keeps its term."""
        kind = type(result)
        if kind is bool:
            self.ask(term, result)
            return result
        if id(kind) in _KNOWN:
            return self.made(path, kind.__name__, result, term)
        return result

    def plain(self, value):
        """The value in this world, or _UNKNOWN."""
        if id(type(value)) in _STAND_INS:
            return _plain_getattr(value, "__dict__")["plain"]
        return value if id(type(value)) in _KNOWN else _UNKNOWN

    def drawn(self, value, like):
        """The number or string assumed for something unknown if `like` is one."""
        if id(type(value)) not in _STAND_INS or type(like) is bool:
            return _UNKNOWN
        own = _plain_getattr(value, "__dict__")
        if own["kind"] in ("list", "tuple", "set", "dict"):
            return _UNKNOWN
        kind = "str" if type(like) is str else "int"
        key = kind + " " + own["value"]
        if key not in self.known:
            number = self.draw(key) % 89 + 2
            if self.number:
                number = self.pick(kind, own["path"], own["value"], {})
            self.known[key] = number
            self.picked.setdefault(own["term"], repr(number))
        return self.known[key]

    # -- texts ------------------------------------------------------------------------------------

    def shown(self, value, which, depth=0):
        """The text of any value, by `term` or by `value`."""
        kind = type(value)
        if id(kind) in _STAND_INS:
            return _plain_getattr(value, "__dict__")[which]
        if id(kind) in _KNOWN or value is None:
            return _short(repr(value))
        self.left -= 1
        if depth > 5 or self.left < 0:
            return "..."
        inner = lambda x: self.shown(x, which, depth + 1)
        if isinstance(value, dict):
            pairs = ["%s: %s" % (inner(k), inner(v)) for k, v in list(dict.items(value))[:500]]
            return "{%s}" % ", ".join(pairs)
        if isinstance(value, (list, tuple)):
            texts = ", ".join([inner(x) for x in list(value)[:500]])
            return "[%s]" % texts if isinstance(value, list) else "(%s)" % texts
        if isinstance(value, (set, frozenset)):
            return "{%s}" % ", ".join(sorted([inner(x) for x in value])[:500])
        if isinstance(value, types.ModuleType):
            return "<module %s>" % vars(value).get("__name__")
        if isinstance(value, type):
            return "<class %s>" % value.__name__
        if kind in (types.FunctionType, types.BuiltinFunctionType, types.MethodType):
            return "<function>"
        if isinstance(value, BaseException):
            return "%s(%s)" % (kind.__name__, ", ".join([inner(x) for x in value.args]))
        if kind.__module__ == "__main__":
            items = sorted(getattr(value, "__dict__", {}).items())
            slots = [n for c in kind.__mro__ for n in getattr(c, "__slots__", ()) if hasattr(value, n)]
            items += [(name, getattr(value, name)) for name in slots]
            return "<%s%s>" % (kind.__name__, "".join([" %s=%s" % (k, inner(v)) for k, v in items]))
        if kind in (types.GeneratorType, types.CoroutineType):
            return "<%s>" % kind.__name__
        if kind is GuideFile:
            return "<file %s>" % value.name
        try:
            return _short(_ADDRESS.sub("", repr(value)))
        except Exception:
            return "<%s>" % kind.__name__

    def both(self, pattern, *values):
        """The term and the value of an expression: `pattern` with the values' texts."""
        self.left = _MOST_PARTS
        terms = [self.shown(x, "term", 1) for x in values]
        texts = [self.shown(x, "value", 1) for x in values]
        return _short(pattern % tuple(terms)), _short(pattern % tuple(texts))

    # -- questions --------------------------------------------------------------------------------

    def ask(self, term, answer):
        """Records an observation of an injected value."""
        if not self.quiet and len(self.asked) < _MOST_ASKED_TERMS:
            self.asked.setdefault(_short(term), str(answer))

    def decide(self, stand_in, operation, other=None):
        if operation in _COMPARED:
            base, swapped, negated = _COMPARED[operation]
            pair = (other, stand_in) if swapped else (stand_in, other)
            term, value = self.both(_ORDER[base], *pair)
            turned = self.both(_ORDER[base], *pair[::-1])
            if base == "eq" and turned < (term, value):
                term, value = turned
            elif base == "lt" and value not in self.answers:
                self.order(value, turned[1])
            answer = self.answer(stand_in, operation, other, term, value, negated)
        elif operation == "bool":
            plain = _plain_getattr(stand_in, "__dict__")["plain"]
            term, value = self.both("bool(%s)", stand_in)
            if plain is not _UNKNOWN:
                self.ask(term, bool(plain))
                return bool(plain)
            length = self.lengths.get(_plain_getattr(stand_in, "__dict__")["value"])
            if length is None and self.number and _plain_getattr(stand_in, "__dict__")["kind"] in _COLLECTIONS:
                length = _drawn_length(stand_in)  # as a version has it that only walks it
            if length is not None and value not in self.said and value not in self.answers:
                self.said[value] = length > 0
            answer = self.answer(stand_in, operation, other, term, value, False)
        else:
            term, value = self.both(operation + "(%s, %s)", stand_in, other)
            answer = self.answer(stand_in, operation, other, term, value, False)
        return answer

    def order(self, value, turned):
        """Orders two unknown values consistently with the reversed question: `max` asks for `a < b`
        where `sorted` asks for `b < a`. They count as unequal."""
        before = self.said.get(turned, self.answers.get(turned))
        if before is not None and value not in self.said:
            self.said[value] = not before

    def answer(self, stand_in, operation, other, term, value, negated):
        """The result of a condition on something unknown, by the text of its value."""
        if value not in self.said:
            if value in self.answers:
                said = self.answers[value]
            elif self.number == 0:
                said = Guide.decide(self, stand_in, operation, other) != negated
            else:
                said = bool(self.draw(value) & 4)
            if self.number and self.draw("turn " + value) % 8 < 3:
                said = not said
            self.said[value] = said
        said = self.said[value]
        self.times[value] = times = self.times.get(value, 0) + 1
        line = guide_line()[0]
        loops = self.lines.get(line, (True, 0))[1] == 2
        if times % 3 == 0 and (loops or times > 12):
            said = not said  # else a loop may never end
        self.ask(term, said)
        return said != negated

    # -- calls ------------------------------------------------------------------------------------

    def may_raise(self, term, value):
        """Raises in some worlds: a call of something unknown may raise."""
        drawn = self.draw("raise " + value)
        if not self.raises or self.quiet or drawn % 3:
            return
        kind = getattr(builtins, self.raises[drawn // 3 % len(self.raises)], None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            kind = RuntimeError
        self.ask(term, "raises")
        try:
            error = kind("made up")
        except TypeError:
            error = RuntimeError("made up")
        raise error

    def guarded(self, function, place):
        called = Guide.guarded(self, function, place)

        def compared(*arguments, **keywords):
            values = (*arguments, *keywords.values())
            if not any(id(type(x)) in _STAND_INS for x in values):
                return called(*arguments, **keywords)
            if function is hasattr and id(type(arguments[0])) in _STAND_INS:
                return self.decide(arguments[0], "hasattr", *arguments[1:])
            name = place.path or place.name
            name = name[:-2] if name[-2:] == "()" else name
            term, value = self.signature(name, name, arguments, keywords)
            is_quiet = function in _QUIET
            self.quiet += is_quiet
            self.naming = (term, value)
            try:
                result = called(*arguments, **keywords)
            finally:
                self.quiet -= is_quiet
                self.naming = None
            if id(type(result)) in _STAND_INS:
                return result
            wrapped = self.wrapped(result, term, name + "()")
            if wrapped is result and not isinstance(result, _TRANSPARENT):
                self.ask(term, "called")
            return wrapped

        return compared

    def signature(self, term, value, arguments, keywords):
        self.left = _MOST_PARTS
        parts = [("", x) for x in arguments] + [(k + "=", v) for k, v in sorted(keywords.items())]
        terms = ", ".join([k + self.shown(x, "term", 1) for k, x in parts])
        values = ", ".join([k + self.shown(x, "value", 1) for k, x in parts])
        return _short("%s(%s)" % (term, terms)), _short("%s(%s)" % (value, values))

    def instead(self, function, arguments, keywords, place):
        self.opaque = True  # text that carries no term
        return Guide.instead(self, function, arguments, keywords, place)

    def line_of_input(self, path):
        line = Guide.line_of_input(self, path)
        self.inputs += 1
        if self.number == 0:
            return line
        changed = lambda word: str(self.draw("input %d %s" % (self.inputs, word.start())) % 13)
        return re.sub(r"\b1\b", changed, line)

    def effect(self, term, value):
        if len(self.effects) < _MOST_ASKED_TERMS:
            self.effects.append([_short(value), _short(term)])

    # -- what is executed -------------------------------------------------------------------------

    def execute(self, code, namespace):
        """Executes the program, then its callbacks, then functions that it only defines."""
        ending = None
        try:
            self.returned = self.execute_body(code, namespace)
        except _Unwind:
            raise
        except BaseException as error:
            ending = error
            if isinstance(error, SystemExit):
                self.results.append(["exit", *self.texts(error.code)])
        self.call_handed()
        self.call_defined(namespace)
        if ending is not None:
            raise ending

    def execute_body(self, code, namespace):
        if not code.co_flags & (0x20 | 0x80 | 0x200):
            return eval(code, namespace)
        running, given = eval(code, namespace), []
        while True:
            try:
                given.append(self.go_on(running, code.co_flags))
            except (StopIteration, StopAsyncIteration) as stop:
                value = getattr(stop, "value", None)
                given = given if code.co_flags & (0x20 | 0x200) else []
                return given + [value] if given else value

    def texts(self, value):
        self.left = _MOST_PARTS
        try:
            return [self.shown(value, "value"), self.shown(value, "term")]
        except Exception:
            return ["<%s>" % type(value).__name__] * 2

    def result_of(self, name, call):
        """Records the result of a call: its value, its yields, or its exception."""
        try:
            result = call()
            if type(result) is types.GeneratorType:
                result = [x for _, x in zip(range(20), result)]
            elif type(result) is types.CoroutineType:
                try:
                    result.send(None)
                    result = None
                except StopIteration as stop:
                    result = stop.value
            self.results.append([name, *self.texts(result)])
            return result
        except _Unwind:
            raise
        except BaseException as error:
            kind, message = _kind_and_message(error)
            text = "raised " + kind + (": " + message if message else "")
            self.results.append([name, text, text])

    def call_handed(self):
        for number, function in enumerate(self.handed):
            if number < 50 and function.__code__ not in self.entered:
                name = "callback_%d" % (number + 1)
                self.result_of(name, lambda: function(*self.arguments_of(function, 0, name, ())))

    def call_defined(self, namespace):
        """Calls functions and methods of the program that were not entered, with injected
        arguments. The second version gets the calls of the first."""
        if self.calls is not None:
            wanted = [(call["function"], call["arguments"]) for call in self.calls]
        else:
            wanted = [[name, None] for name in self.uncalled(namespace)]
        for name, given in wanted[:200]:
            first, _, method = name.partition(".")
            function = namespace.get(first)
            bound = 0
            if method and isinstance(function, type):
                made = self.result_of("new " + first, lambda: self.instance(function, first))
                raw = vars(function).get(method)
                bound = 0 if type(raw) is staticmethod else 1
                raw = getattr(raw, "__func__", raw)
                if made is None or type(raw) is not types.FunctionType:
                    continue
                call = getattr(made, method, None)
            else:
                call = raw = function
            if type(raw) is not types.FunctionType:
                continue
            names = self.names_of(raw, bound, given or ())
            called = {"function": name, "arguments": self.parameters(raw, bound, given or ())}
            self.called.append(called)
            arguments = self.arguments_of(raw, bound, "", names)
            keywords = {
                k: self.argument(k, k)
                for k in raw.__code__.co_varnames[raw.__code__.co_argcount :][: raw.__code__.co_kwonlyargcount]
                if k not in (raw.__kwdefaults__ or ())
            }
            self.result_of("result_of_" + name, lambda: call(*arguments, **keywords))
            for k, argument in zip(names, arguments):
                if id(type(argument)) not in _STAND_INS:
                    self.results.append(["%s behind %s" % (k, name), *self.texts(argument)])
            if bound and made is not None:
                self.results.append(["%s behind %s" % (first, name), *self.texts(made)])

    def uncalled(self, namespace):
        for name, value in list(namespace.items()):
            if guide_is_of_program(value) and value.__code__ not in self.entered:
                yield name
            elif isinstance(value, type) and value.__module__ == "__main__":
                for method, function in list(vars(value).items()):
                    function = getattr(function, "__func__", function)
                    special = method in ("__init__", "__new__", "__del__", "__init_subclass__")
                    if guide_is_of_program(function) and not special:
                        if function.__code__ not in self.entered:
                            yield name + "." + method

    def instance(self, kind, name):
        init = vars(kind).get("__init__")
        arguments = self.arguments_of(init, 1, "", ()) if guide_is_of_program(init) else ()
        return kind(*arguments)

    @staticmethod
    def parameters(function, bound, given):
        """Names of the parameters: the first version's as far as they go."""
        own = function.__code__.co_varnames[bound : function.__code__.co_argcount]
        return [*given[: len(own)], *own[len(given) :]]

    def names_of(self, function, bound, given):
        """Names of the parameters to pass: in every other world also those with a default."""
        left_out = 0 if self.number % 2 else len(function.__defaults__ or ())
        names = self.parameters(function, bound, given)
        return names[: max(len(names) - left_out, 0)]

    def arguments_of(self, function, bound, prefix, names):
        names = names or self.names_of(function, bound, ())
        term = lambda k, name: "%s.%d" % (prefix, k) if prefix else name
        return [self.argument(name, term(k, name)) for k, name in enumerate(names)]

    def argument(self, path, term):
        if ("name", term) not in self.found:
            self.naming = (term, term)
            place = self.plan_of(path, 0)
            known = self.values.get(path)
            name = known[0] if known is not None else place.likely[0] if place.likely else "object"
            self.found["name", term] = self.of_class(name, path)
        return self.found["name", term]

    def report(self):
        report = Guide.report(self)
        names = []
        for name, value in self.namespace.items():
            is_made = id(type(value)) in _STAND_INS
            passive = isinstance(value, (types.ModuleType, type, types.FunctionType))
            if name[:2] != "__" and (is_made or not passive):
                names.append([name, *self.texts(value)])
        if self.returned is not _UNKNOWN and self.returned is not None:
            names.append(["return", *self.texts(self.returned)])
        report["compared"] = {
            "results": [dict(zip(("name", "value", "term"), one)) for one in names + self.results],
            "effects": [{"value": value, "term": term} for value, term in self.effects],
            "asked": [{"term": term, "answer": answer} for term, answer in self.asked.items()],
            "answers": self.said,
            "picked": [{"term": term, "text": text} for term, text in list(self.picked.items())[:200]],
            "calls": self.called,
            "opaque": self.opaque,
        }
        return report


def guide_of(plan, clock):
    return (Guide if plan["world"] is None else Comparing)(plan, clock)


def _short(text):
    """A truncated text that still differs from others."""
    if len(text) <= _LONGEST_TERM:
        return text
    return "%s...%016x" % (text[: _LONGEST_TERM - 60], hash(text) & 0xFFFFFFFFFFFFFFFF)


def _term_child(parent, step, kind, name, place, number):
    """As `_stand_in_child`, with a term; the same value is the same object."""
    own = _plain_getattr(parent, "__dict__")
    suffix = step if number is None else "%s{%s}" % (step, number)
    if step[:1] == "." and step[1:] in _SIGNS:
        suffix = "." + step[1:] + "()"
    made = _term_value(parent, step, kind, place, own["term"] + suffix, own["value"] + suffix)
    if kind == "attribute" and id(type(made)) in _STAND_INS:
        _plain_getattr(made, "__dict__")["of"] = (parent, name)
    return made


def _term_value(parent, step, kind, place, term, value):
    own = _plain_getattr(parent, "__dict__")
    guide, term, value = own["guide"], _short(term), _short(value)
    key = ("value", value)
    if key in guide.known:
        return guide.known[key]
    if kind == "attribute":
        place = guide.at if guide.at is not None and guide.at.name == step[1:] else None
    path = own["path"] + step
    if place is not None and place.path and (place.path in guide.values or path not in guide.values):
        path = place.path
    if len(path) > 300:
        path = path[-100:]
    guide.naming = (term, value)
    made = guide.derived(path, place, kind)
    guide.naming = None
    guide.known[key] = made
    return made


def _is_dropped():
    """Whether the program is at a call whose result it discards."""
    _, frame = guide_line()
    if frame is None or frame.f_lasti < 0:
        return False
    codes, at = frame.f_code.co_code, frame.f_lasti + 2
    while at < len(codes) and opcode.opname[codes[at]] == "CACHE":
        at += 2
    return at < len(codes) and opcode.opname[codes[at]] == "POP_TOP"
