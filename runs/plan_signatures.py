"""How CPython counts and names the arguments of a call, for `plan_types.py`: the ways it does so, and which of them a function has.

- `none`, `one`: functions of C without or with one argument, which have no keywords.
- `clinic`: functions of C whose parameters have names (`_PyArg_UnpackKeywords`); name and parameters.
- `python`: functions of Python; arguments that the call adds (`self`), name and parameters.

Parameters are written `a,b=,/,*c,d=,**e`. Where no way fits, each number of arguments has a row of its own.
"""

import inspect
import re
import types

FILLS = [None, 1, "a", [], len, {}, 1.5, b"a", (1, 2)]
MOST = 7


def uniform(probe, n, keywords=()):
    """The one message of calls with so many arguments and these keywords, whatever the arguments are."""
    found = set()
    for fill in FILLS:
        found |= probe.results((fill,) * n, {k: fill for k in keywords})
        if None in found or len(found) > 1:
            return None
    return found.pop()


def parameters(signature, skipped):
    texts, kind = [], None
    for parameter in list(signature.parameters.values())[skipped:]:
        if kind is parameter.POSITIONAL_ONLY and parameter.kind is not kind:
            texts.append("/")
        if parameter.kind is parameter.KEYWORD_ONLY and kind not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL):
            texts.append("*")
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        texts.append(star + parameter.name + ("=" if parameter.default is not parameter.empty else ""))
        kind = parameter.kind
    if kind is inspect.Parameter.POSITIONAL_ONLY:
        texts.append("/")
    return texts


class Clinic:
    """`_PyArg_UnpackKeywords`."""

    def __init__(self, function, texts):
        self.function, self.names, self.least, self.positional_only, self.most = function, [], 0, 0, None
        self.required_named = []
        for text in texts:
            if text == "/":
                self.positional_only = len(self.names)
            elif text == "*":
                self.most = len(self.names)
            else:
                if not text.endswith("="):
                    if self.most is None:
                        self.least = len(self.names) + 1
                    else:
                        self.required_named.append(len(self.names))
                self.names.append(text.rstrip("="))
        if self.most is None:
            self.most = len(self.names)

    def message(self, n, keywords):
        f, names = self.function + "()", self.names
        s = lambda count: "" if count == 1 else "s"
        if n + len(keywords) > len(names):
            kind = "keyword " if n == 0 else ""
            return f"{f} takes at most {len(names)} {kind}argument{s(len(names))} ({n + len(keywords)} given)"
        if n > self.most:
            if self.most == 0:
                return f"{f} takes no positional arguments"
            word = "at most" if self.least < self.most else "exactly"
            return f"{f} takes {word} {self.most} positional argument{s(self.most)} ({n} given)"
        least = min(self.positional_only, self.least)
        if n < least:
            word = "at least" if least < self.most else "exactly"
            return f"{f} takes {word} {least} positional argument{s(least)} ({n} given)"
        left = len(keywords)
        for i in range(max(n, self.positional_only), len(names)):
            given = names[i] in keywords
            if not left and i >= self.least and not any(j >= i for j in self.required_named):
                break
            left -= given
            if not given and (i < self.least or i in self.required_named):
                return f"{f} missing required argument '{names[i]}' (pos {i + 1})"
        if left > 0:
            for i in range(self.positional_only, n):
                if names[i] in keywords:
                    return f"argument for {f} given by name ('{names[i]}') and position ({i + 1})"
            for keyword in keywords:
                if keyword not in names[self.positional_only:]:
                    return f"'{keyword}' is an invalid keyword argument for {f}"
        return None


# Parameters of functions that do not tell them.
KNOWN = {
    "int": "x=,/,base=",
    "str": "object=,encoding=,errors=",
    "bytes": "source=,encoding=,errors=",
    "bytearray": "source=,encoding=,errors=",
    "enumerate": "iterable,start=",
    "memoryview": "object",
    "property": "fget=,fset=,fdel=,doc=",
    "collections.deque": "iterable=,maxlen=",
    "functools.cmp_to_key": "mycmp",
    "functools.reduce": "",
    "itertools.repeat": "object,times=",
    "struct.Struct": "format",
    "datetime.timedelta": "days=,seconds=,microseconds=,milliseconds=,minutes=,hours=,weeks=",
    "datetime.timezone": "offset,name=",
    "bytes:hex": "sep=,bytes_per_sep=",
    "memoryview:cast": "format,shape=",
    "bytearray:hex": "sep=,bytes_per_sep=",
    "binascii.hexlify": "data,sep=,bytes_per_sep=",
    "binascii.b2a_hex": "data,sep=,bytes_per_sep=",
}


def is_of_count(message):
    words = r"\bgiven\b|, got \d|missing required|keyword argument|takes no |at least|at most|takes \d or|needs an argument|cannot create"
    return bool(re.search(words, message))


def battery(names):
    """Numbers of arguments and keywords to compare a way with what CPython says."""
    for n in range(len(names) + 3):
        yield n, ()
        yield n, ("zzz",)
        for name in names:
            yield n, (name,)
            yield n, (name, "zzz")
            yield n, ("zzz", name)
        if len(names) > 1:
            yield n, tuple(names[:2])
            yield n, tuple(names[-2:])


def clinic(name, target, probe, skipped):
    if name in KNOWN:
        texts = [text for text in KNOWN[name].split(",") if text]
    else:
        try:
            texts = parameters(inspect.signature(target), skipped)
        except (ValueError, TypeError):
            return None
    if any(text.startswith("*") and text != "*" for text in texts) or texts[-1:] == ["/"] or not texts:
        return None
    plain = [t.rstrip("=") for t in texts if t not in ("/", "*")]
    said = [uniform(probe, n) for n in range(MOST + 3)] + [uniform(probe, n, ["zzz"]) for n in range(MOST)]
    found = [re.search(r"([\w.]+)\(\)", message) for message in said if message]
    found = [match[1] for match in found if match]
    if not found:
        return None
    way = Clinic(found[0], texts)
    for n, keywords in battery(plain):
        message, expected = uniform(probe, n, keywords), way.message(n, keywords)
        if expected is None and message is not None and is_of_count(message) or expected is not None and message not in (expected, None):
            return None
    return way, texts


def of_python(target):
    """The Python function that a call binds its arguments to, and how many the call adds."""
    if isinstance(target, type):
        made = [f for f in (target.__new__, target.__init__) if isinstance(f, types.FunctionType)]
        return (made[0], 1) if made else None
    if isinstance(target, (classmethod, types.MethodType)):
        return (target.__func__, 1) if isinstance(target.__func__, types.FunctionType) else None
    return (target, 0) if isinstance(target, types.FunctionType) else None


def keyword_names(name, target, others):
    """Names that keywords of a function may have; nothing where it may have any."""
    try:
        return [*dict.fromkeys([*others, *inspect.signature(target).parameters])]
    except (ValueError, TypeError):
        is_known = "." not in name and ":" not in name or name.startswith("itertools.")
        return others if is_known else None


def literal(probe, others):
    """Rows of a function that has none of the ways."""
    rows, counts = [], []
    for n in range(MOST):
        message = uniform(probe, n)
        if message is None or not is_of_count(message):
            continue
        template = re.sub(rf"(?<=[( ]){n}(?= given|$)", "{n}", message)
        if counts and counts[-1][2] == template and counts[-1][1] == n - 1:
            counts[-1][1] = n
        else:
            counts.append([n, n, template])
    rows = [(low if low == high else f"{low}-{high if high < MOST - 1 else 99}", "*", template) for low, high, template in counts]

    def refused(n):
        return any(low <= n <= high for low, high, _ in counts)

    accepted = []
    fine = next((n for n in range(MOST) if not refused(n)), 0)
    message = uniform(probe, fine, ["zzz"])
    wrong = next((n for n in range(MOST) if refused(n)), None)
    order = ">" if wrong is not None and uniform(probe, wrong, ["zzz"]) == uniform(probe, wrong) else ""
    has_none = message is not None and ("takes no keyword" in message or "cannot create" in message)
    if has_none or others is not None and message is not None and ("zzz" in message or "keyword" in message):
        looked = [n for n in range(fine + 1) if uniform(probe, n, ["zzz"]) == message]
        for keyword in [] if has_none else others:
            if any(uniform(probe, n, [keyword]) != message.replace("zzz", keyword) for n in looked):
                accepted.append(keyword)
        rows.append(("kw" + order, ",".join(accepted) or "-", message.replace("zzz", "{k}")))
    return rows, refused, accepted


def fitted(name, target, probe, others):
    """The way of a function, or rows in its place; which numbers of arguments it refuses; its keywords."""
    found = of_python(target)
    if found:
        function, added = found
        signature = inspect.signature(function, follow_wrapped=False)
        if ":" in name and not added:
            added = 1
        texts = parameters(signature, 0)
        placed = [p for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)][added:]
        least = len([p for p in placed if p.default is p.empty])
        most = 99 if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()) else len(placed)
        names = [t.rstrip("=") for t in texts if t.endswith("=")]
        return ("python", f"{function.__qualname__}({','.join(texts)})", added), [], lambda n: not least <= n <= most, names
    one, two, named = uniform(probe, 1), uniform(probe, 2), uniform(probe, 1, ["zzz"])
    if match := re.fullmatch(r"(.+)\(\) takes no arguments \(1 given\)", one or ""):
        return ("none", match[1], ""), [], lambda n: n > 0, []
    match = re.fullmatch(r"(.+)\(\) takes exactly one argument \(2 given\)", two or "")
    if match and named == match[1] + "() takes no keyword arguments":
        return ("one", match[1], ""), [], lambda n: n != 1, []
    is_method = ":" in name and not isinstance(target, (types.BuiltinMethodType, types.MethodType))
    if way := clinic(name, target, probe, int(is_method)):
        way, texts = way
        return ("clinic", f"{way.function}({','.join(texts)})", ""), [], lambda n: way.message(n, ()) is not None, way.names
    rows, refused, accepted = literal(probe, keyword_names(name, target, others))
    return None, rows, refused, accepted
