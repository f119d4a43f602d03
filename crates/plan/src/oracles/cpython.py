"""Answers questions by executing their operation: the answerer that tests the planner.

Runs inside the sandbox as a program: questions come on standard input, one JSON document a line, answers go to
standard output, one a line. The form of both is that of `crates/plan/src/question.rs`.
"""

import builtins
import collections
import importlib
import io
import json
import operator
import re
import sys


class Refused(BaseException):
    """The question has no answer here."""


class Placeholder:
    """An object of the program: it has an identity and nothing else."""

    def _touched(self, *rest):
        raise Refused("an operation that looks into an object of the program")

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __call__ = __iter__ = _touched
    __len__ = __getitem__ = __str__ = __repr__ = __format__ = __bool__ = __getattr__ = _touched


MUTABLE = {
    list: "list",
    set: "set",
    bytearray: "bytearray",
    dict: "dict",
    collections.defaultdict: "defaultdict",
    collections.Counter: "Counter",
    collections.OrderedDict: "OrderedDict",
    collections.deque: "deque",
}
FIXED = {tuple: "tuple", frozenset: "frozenset"}
VIEWS = {type({}.keys()): "keys", type({}.values()): "values", type({}.items()): "items"}
# Classes whose instances never change: an expression that makes an equal one stands for them.
VALUES = {
    "Fraction", "Decimal", "datetime", "date", "time", "timedelta", "timezone", "Pattern", "Match",
    "itemgetter", "attrgetter", "methodcaller", "UUID", "struct_time", "Struct",
}


def named(dotted):
    """A builtin or a member of a module."""
    if hasattr(builtins, dotted):
        return getattr(builtins, dotted)
    parts = dotted.split(".")
    if hasattr(builtins, parts[0]) and len(parts) > 1:
        value = getattr(builtins, parts[0])
        rest = parts[1:]
    else:
        value, rest = importlib.import_module(parts[0]), parts[1:]
    for at, part in enumerate(rest):
        if not hasattr(value, part):
            importlib.import_module(".".join(parts[: at + 2]))
        value = getattr(value, part)
    return value


def evaluated(text):
    names = {}
    for module in set(re.findall(r"\b([a-z_]+)\.", text)):
        try:
            names[module] = importlib.import_module(module)
        except ImportError:
            pass
    return eval(text, names)


class Question:
    def __init__(self, document):
        self.document = document
        self.shapes = document["objects"]
        self.objects = [None] * len(self.shapes)
        self.built = [False] * len(self.shapes)

    def value(self, data):
        if type(data) is not list:
            return data
        tag = data[0]
        if tag == "o":
            return self.object(data[1])
        if tag == "i":
            return int(data[1])
        if tag == "f":
            return float(data[1])
        if tag == "c":
            return complex(float(data[1]), float(data[2]))
        if tag == "b":
            return bytes(data[1])
        return Ellipsis if tag == "e" else NotImplemented

    def values(self, items):
        if list not in set(map(type, items)):
            return items
        return [self.value(item) for item in items]

    def object(self, number):
        if self.built[number]:
            return self.objects[number]
        shape = self.shapes[number]
        tag = shape[0]
        if tag in ("list", "set", "bytearray", "deque", "dict", "defaultdict", "Counter", "OrderedDict"):
            made = {
                "list": list,
                "set": set,
                "bytearray": bytearray,
                "dict": dict,
                "defaultdict": collections.defaultdict,
                "Counter": collections.Counter,
                "OrderedDict": collections.OrderedDict,
            }.get(tag)
            made = made() if made else collections.deque(maxlen=shape[2])
            self.objects[number], self.built[number] = made, True
            if tag in ("list", "deque", "bytearray"):
                made.extend(self.values(shape[1]))
            elif tag == "set":
                for item in self.values(shape[1]):
                    made.add(item)
            else:
                for key, item in shape[1]:
                    store = made.__setitem__ if tag == "OrderedDict" else lambda k, v: dict.__setitem__(made, k, v)
                    store(self.value(key), self.value(item))
                if tag == "defaultdict":
                    made.default_factory = self.value(shape[2])
            return made
        if tag == "tuple":
            made = tuple(self.values(shape[1]))
        elif tag == "frozenset":
            made = frozenset(self.values(shape[1]))
        elif tag == "range":
            made = range(*self.values(shape[1]))
        elif tag == "slice":
            made = slice(*self.values(shape[1]))
        elif tag == "named":
            made = named(shape[1])
        elif tag == "method":
            made = getattr(self.value(shape[1]), shape[2])
        elif tag == "view":
            made = getattr(self.value(shape[2]), shape[1])()
        elif tag == "opaque":
            made = evaluated(shape[2])
        else:
            made = Placeholder()
        self.objects[number], self.built[number] = made, True
        return made

    def perform(self, kind, name, args, kwargs):
        if kind == "call":
            if name.startswith("list:"):
                return list(named(name[5:])(*args, **kwargs))
            return named(name)(*args, **kwargs)
        if kind == "method":
            return getattr(args[0], name)(*args[1:], **kwargs)
        if kind in ("binary", "inplace"):
            space = {"a": args[0], "b": args[1]}
            if kind == "binary":
                return eval("a %s b" % name, space)
            exec("a %s= b" % name, space)
            return space["a"]
        if kind == "unary":
            return eval("%sa" % name, {"a": args[0]})
        if kind == "compare":
            return eval("a %s b" % name, {"a": args[0], "b": args[1]})
        if kind == "contains":
            return args[1] in args[0]
        if kind == "truth":
            return bool(args[0])
        if kind == "subscript":
            return args[0][args[1]]
        if kind == "store":
            args[0][args[1]] = args[2]
            return None
        if kind == "delete":
            del args[0][args[1]]
            return None
        if kind == "attribute":
            return getattr(args[0], name)
        if kind == "format":
            return format(args[0], args[1])
        if kind == "items":
            return list(args[0])
        if kind == "sort_by":
            items, keys, reverse = args
            order = sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
            return [items[at] for at in order]
        raise Refused("a question of kind " + kind)

    def expression(self, kind, name, args, kwargs):
        """Text that makes the value again, where all that it needs has such a text."""

        def text(value):
            shape = next((s for s, o in zip(self.shapes, self.objects) if o is value), None)
            if shape is not None and shape[0] == "opaque":
                return "(%s)" % shape[2]
            if shape is not None and shape[0] == "named":
                return shape[1]
            if type(value) in (int, str, float, bool, type(None), bytes):
                return repr(value)
            if type(value) in (tuple, list) and all(type(x) in (int, str, float) for x in value):
                return repr(value)
            raise Refused("an object of another kind")

        texts = [text(a) for a in args] + ["%s=%s" % (k, text(v)) for k, v in kwargs.items()]
        if kind == "call":
            return "%s(%s)" % (name, ", ".join(texts))
        if kind == "method":
            return "%s.%s(%s)" % (texts[0], name, ", ".join(texts[1:]))
        if kind in ("binary", "inplace"):
            return "(%s %s %s)" % (texts[0], name, texts[1])
        if kind == "unary":
            return "(%s%s)" % (name, texts[0])
        if kind == "attribute":
            return "%s.%s" % (texts[0], name)
        raise Refused("an object of another kind")


def is_flat(items):
    """Whether all items are written as they are, as those of most large containers: found without a loop of ours."""
    kinds = set(map(type, items))
    if kinds <= {bool, type(None)}:
        return True
    return kinds <= {bool, int} and -(1 << 63) <= min(items) and max(items) < 1 << 63


class Encoder:
    """Objects to numbers and shapes: those of the question keep their numbers."""

    def __init__(self, question, expression):
        self.question = question
        self.numbers = {id(o): n for n, o in enumerate(question.objects) if question.built[n]}
        self.known = len(question.objects)
        self.made = []
        self.alive = []
        self.expression = expression

    def data(self, value):
        kind = type(value)
        if value is None or kind is bool or kind is str:
            if kind is str and any("\ud800" <= c <= "\udfff" for c in value):
                raise Refused("text with lone surrogates")
            return value
        if kind is int:
            return value if -(1 << 63) <= value < 1 << 63 else ["i", str(value)]
        if kind is float:
            return ["f", repr(value)]
        if kind is complex:
            return ["c", repr(value.real), repr(value.imag)]
        if kind is bytes:
            return ["b", list(value)]
        if value is Ellipsis:
            return ["e"]
        if value is NotImplemented:
            return ["x"]
        number = self.numbers.get(id(value))
        if number is None:
            number = self.known + len(self.made)
            self.numbers[id(value)] = number
            self.alive.append(value)
            self.made.append(None)
            self.made[number - self.known] = self.shape(value)
        return ["o", number]

    def datas(self, items):
        if is_flat(items):
            return list(items)
        return [self.data(item) for item in items]

    def members(self, items, form):
        """Items whose expressions are `form` of the whole one and their place."""
        if is_flat(items):
            return list(items)
        whole, datas = self.expression, []
        for place, item in enumerate(items):
            self.expression = lambda: form % (whole(), place)
            datas.append(self.data(item))
        self.expression = whole
        return datas

    def shape(self, value):
        kind = type(value)
        tag = MUTABLE.get(kind) or FIXED.get(kind)
        if tag == "deque":
            return ["deque", self.datas(value), value.maxlen]
        if tag in ("dict", "defaultdict", "Counter", "OrderedDict"):
            # An ordered dict keeps its order beside the dict.
            items = value.items() if tag == "OrderedDict" else dict.items(value)
            pairs = [[self.data(k), self.data(v)] for k, v in items]
            return [tag, pairs, self.data(getattr(value, "default_factory", None))]
        if tag in ("list", "tuple"):
            return [tag, self.members(value, "%s[%d]")]
        if tag:
            return [tag, self.datas(value)]
        if kind is range:
            return ["range", self.datas((value.start, value.stop, value.step))]
        if kind is slice:
            return ["slice", self.datas((value.start, value.stop, value.step))]
        if kind in VIEWS:
            return ["view", VIEWS[kind], self.data(value.mapping)]
        if kind is type(sys):
            return ["named", value.__name__]
        if kind is type(len) and getattr(value, "__self__", None) in (None, builtins):
            return ["named", value.__name__]
        if isinstance(value, type):
            module = value.__module__
            return ["named", value.__qualname__ if module == "builtins" else module + "." + value.__qualname__]
        if kind.__name__ in VALUES:
            return ["opaque", kind.__name__, self.expression()]
        if hasattr(kind, "__next__"):
            return ["iterator", self.members(list(value), "list(%s)[%d]")]
        raise Refused("an object of " + kind.__name__)


def snapshot(question):
    """The mutable objects as they are: those that are flat lists as copies, others as text."""
    encoder = Encoder(question, lambda: "")
    shapes = {}
    for number, value in enumerate(question.objects):
        if question.built[number] and type(value) in MUTABLE:
            is_copied = type(value) is list and is_flat(value)
            shapes[number] = list(value) if is_copied else json.dumps(encoder.shape(value))
    return shapes


def is_as_before(value, old):
    """Whether a list has the items of its copy. Equal ones need not be the same: True is 1."""
    return type(old) is list and len(value) == len(old) and all(map(operator.is_, value, old))


def answer(document):
    question = Question(document)
    kind, name = document["kind"], document["name"]
    try:
        operands = question.values(document["operands"])
        count = len(operands) - len(document["keywords"])
        args, kwargs = operands[:count], dict(zip(document["keywords"], operands[count:]))
        before = snapshot(question)
        sys.stdout = output = io.StringIO()
        raised = value = None
        try:
            value = question.perform(kind, name, args, kwargs)
        except Exception as error:
            raised = error
        encoder = Encoder(question, lambda: question.expression(kind, name, args, kwargs))
        result = {}
        if raised is None:
            result["value"] = encoder.data(value)
        else:
            error = type(raised)
            dotted = error.__name__ if error.__module__ == "builtins" else error.__module__ + "." + error.__name__
            try:
                arguments = encoder.datas(raised.args)
            except Refused:
                arguments = [str(raised)]
            result["raised"] = {"kind": dotted, "args": arguments}
        changed = []
        for number, old in before.items():
            if is_as_before(question.objects[number], old):
                continue
            shape = encoder.shape(question.objects[number])
            if type(old) is list:
                old = json.dumps(["list", old])
            if json.dumps(shape) != old:
                changed.append([number, shape])
        result["changed"] = changed
        result["made"] = encoder.made
        result["output"] = output.getvalue()
        return result
    except Refused as refused:
        return {"refused": str(refused)}
    except RecursionError:
        return {"refused": "a value too deep"}
    except Exception as error:
        return {"refused": "%s in the oracle: %s" % (type(error).__name__, error)}


def main():
    out = sys.stdout
    for line in sys.stdin:
        result = answer(json.loads(line))
        out.write(json.dumps(result))
        out.write("\n")
    sys.stdout = out


main()
