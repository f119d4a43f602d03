"""Calls the functions of two versions of a program with the same plain values, and reports differences.

The last part of a program in the sandbox, after `noting.py` and `drawing.py`, with the texts of both versions in `OLD` and
`NEW`. Each case draws values of the annotated types, or without annotations of types with which earlier calls
worked. It compares what calls return, print, raise, and leave in their arguments. Statements and conditions of both
versions note when they are reached.

Writes one JSON document: for each function that both define, the number of compared cases, the first difference, and what
no case reached.
"""

import ast
import contextlib
import io
import json
import os
import random
import re

CASES = 320
MOST_CASES = 1500  # if something was not reached
MOST_HITS = 4000  # per call
ALL_HITS = 400_000  # in all calls of a function
WHOLE = re.compile(r"(?<=\d)\.0\b")
NUMBERS = {"int", "float", "bool", "None"}
SEQUENCES = {"str", "list[int]", "list[str]", "list[dict]", "list[object]", "tuple[int, str]"}


class Said:
    """The effects of one call."""

    def __init__(self):
        self.given, self.error, self.message, self.raises = None, None, None, False
        self.printed, self.left, self.endless = "", None, False
        self.effects, self.assigned = [], {}
        self.is_own = False
        # Whether an argument has the wrong number of parts to unpack.
        self.shape = False

    def differs(self, other):
        if self.endless != other.endless:
            return "ends", f"{'does not end' if self.endless else 'ends'}", f"{'does not end' if other.endless else 'ends'}"
        if self.error != other.error or self.raises and other.raises and self.message != other.message:
            return "result", self.end(), other.end()
        if self.error is None and self.given != other.given:
            return "result", self.given, other.given
        if self.printed != other.printed:
            return "output", repr(self.printed), repr(other.printed)
        effects = [[what for what, _ in one.effects] for one in (self, other)]
        if effects[0] != effects[1]:
            at = next((at for at, (a, b) in enumerate(zip(*effects)) if a != b), min(map(len, effects)))
            return "call %d" % (at + 1), *("; ".join(one[at : at + 2]) or "none" for one in effects)
        if self.left != other.left:
            return "arguments afterwards", self.left, other.left
        if self.assigned != other.assigned:
            return "what is assigned", shown(self.assigned), shown(other.assigned)
        return None

    def leaves_open(self, other):
        """Returns what an unknown object could see differently."""
        for (what, seen), (_, other_seen) in zip(self.effects, other.effects):
            if seen != other_seen:
                return f"{what.split('(')[0]} could see other values"
        return None

    def end(self):
        return self.given if self.error is None else f"raised {self.error}" + (f": {self.message}" if self.message else "")


def called(version, call, arguments):
    """Makes a call and returns its effects."""
    said = Said()
    version.hits = 0
    random.seed(0)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            said.given = shown(call(arguments))
    except Endless:
        said.endless = True
    except Exception as error:
        said.error, said.message = type(error).__name__, str(error)[:200]
        place = error.__traceback__
        while place.tb_next is not None:
            place = place.tb_next
        said.raises = place.tb_frame.f_code.co_filename == version.name and place.tb_lineno in version.raises
        said.shape = "values to unpack" in said.message or said.error == "KeyError" and said.message.lstrip("-").isdigit()
        said.is_own = said.raises or place.tb_frame.f_code.co_name == "_done"
    except SystemExit as error:
        said.error, said.message, said.raises = "SystemExit", str(error), True
    said.printed = printed.getvalue()[:4000]
    said.left = shown(list(arguments.values())) + files_left()
    said.effects, said.assigned = STATE.effects, STATE.assigned
    return said


def as_number(text):
    """Returns a text in which equal numbers are written alike."""
    text = WHOLE.sub("", text)
    return {"True": "1", "False": "0"}.get(text, text)


def files_left():
    """Returns the files that a call leaves, as text, and removes them."""
    said = []
    for name in sorted(os.listdir(".")):
        try:
            with open(name, "rb") as file:
                said.append(f" {name}: {file.read()[:2000]!r}")
            os.remove(name)
        except OSError:
            pass  # a directory
    return "".join(said)


def reachable(version, name):
    """Returns the definitions that one may call: the ones whose names it reads, transitively."""
    found, open_ = {}, [name]
    while open_:
        one = open_.pop()
        if one in found or one not in version.definitions:
            continue
        node = found[one] = version.definitions[one]
        open_ += [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    return list(found.values())


def lines_of(nodes):
    return {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}


def uses_stand_ins(of):
    """Whether a definition reads an undefined name."""
    version, nodes = of
    names = {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}
    return any(isinstance(version.module.__dict__.get(name), Lazy) for name in names)


def in_words(arguments):
    """Returns the arguments of a call; for objects of unknown classes, the parts that were read."""
    said = []
    for name, value in arguments:
        if not isinstance(value, Lazy):
            said.append([name, shown(value)])
            continue
        parts = [(path, shown(part)) for path, part in STATE.values.items() if path.startswith(value._path)]
        parts = [[name + path[len(value._path) :], text] for path, text in parts if "<" not in text]
        said += parts or [[name, "an object"]]
    return said


class Function:
    """A function, or the methods of a class, of both versions."""

    def __init__(self, name, old, new):
        self.name, self.old, self.new = name, old, new
        self.is_class = isinstance(old.definitions[name], ast.ClassDef)
        self.nodes = {version: reachable(version, name) for version in (old, new)}
        self.weights = {}
        self.words = words_of(*self.nodes[old], *self.nodes[new])

    def subject(self, version):
        return getattr(version.module, self.name)

    def plan(self, seed):
        """Returns the call of one case, as a function of a version; each call gets new arguments."""
        rng = random.Random(f"case {seed}")
        draws = []

        def arguments(version, owner, method, path, choice):
            draw = STATE.draw
            if draw is None:
                draw = STATE.draw = Draw(self.words, self.weights, seed, version.module)
                draws.append(draw)
            made = {}
            for at, (name, annotation, needed) in enumerate(parameters_of(method)):
                if needed or choice.random() < 0.6:
                    # By position: parameters may have other names.
                    under = f"{path}.{at}"
                    draw.hint = name
                    kind_rng = random.Random(f"{seed} {under}")
                    if annotation is None:
                        made[name] = draw.at(under, f"{path.split(' ')[0]}.{name}")
                    else:
                        made[name] = draw.value(annotation, under, kind_rng, 0)
                    draw.hint = ""
            return made

        if not self.is_class:

            def make(version):
                function = self.subject(version)
                made = arguments(version, None, function, self.name, random.Random(f"{seed} given"))
                return made, lambda given: function(**given)

            return make, draws
        shared = [method for method in methods(self.old, self.name) if method in methods(self.new, self.name)]
        order = [rng.choice(shared) for _ in range(rng.choice((1, 2, 3, 4)))] if shared else []

        def make(version):
            kind = self.subject(version)
            made = {"": arguments(version, None, kind, self.name, random.Random(f"{seed} given"))}

            def call(given):
                said = []
                instance = kind(**given[""])
                for at, name in enumerate(order):
                    raw = kind.__dict__[name]
                    if isinstance(raw, property):
                        said.append(shown(getattr(instance, name)))
                        continue
                    method = getattr(instance, name)
                    parts = arguments(version, instance, method, f"{self.name}.{name} {at}", random.Random(f"{seed} {at}"))
                    given[f"{name} {at}"] = parts
                    try:
                        said.append(shown(method(**parts)))
                    except Exception as error:
                        if isinstance(error, (TypeError, AttributeError)):
                            raise
                        said.append("raised " + type(error).__name__)
                return f"{order}: " + " ".join(said) + " " + shown(instance)

            return made, call

        return make, draws

    def compared(self):
        found = {"name": self.name, "cases": 0, "difference": None, "missed": [], "guessed": self.guesses()}
        is_known = not found["guessed"] and not any(map(uses_stand_ins, self.nodes.items()))
        total = numbers = before_reached = 0
        for seed in range(MOST_CASES):
            if seed >= CASES and not any(self.missed()):
                break
            make, draws = self.plan(seed)
            said = []
            for version in (self.old, self.new):
                STATE.begin(None)
                given, call = make(version)
                STATE.given = given
                before = [[name or self.name, value] for name, value in given.items()]
                said.append(called(version, call, given))
                total += version.hits
            unfit = ("TypeError", "AttributeError")
            tripped = any(one.error in unfit and not one.is_own or one.shape for one in said)
            reached = sum(len(version.reached) + sum(map(len, version.sides.values())) for version in (self.old, self.new))
            more = 3.0 if reached > before_reached else 1.0
            for draw in draws:
                for path, kind in draw.chosen.items():
                    weights = self.weights[path]
                    weights[kind] = max(0.05, weights[kind] * 0.8) if tripped else min(weights[kind] + more, 14.0)
            before_reached = reached
            # A drawn type without an annotation is no fault of a version.
            if tripped and not is_known:
                continue
            found["cases"] += 1
            differs = said[0].differs(said[1])
            if differs is not None and found["guessed"] and as_number(differs[1]) == as_number(differs[2]):
                continue  # 1, 1.0 and True: without annotations they are not distinguished
            kinds = {kind for draw in draws for kind in draw.chosen.values()}
            if differs is None:
                numbers += kinds <= NUMBERS and bool(kinds)
            elif found["difference"] is None or kinds <= NUMBERS:
                found["difference"] = {"arguments": in_words(before), "what": differs[0], "old": differs[1], "new": differs[2]}
                if is_known or kinds <= NUMBERS or not kinds & SEQUENCES:
                    return found
            left_open = said[0].leaves_open(said[1])
            if left_open and left_open not in found["missed"]:
                found["missed"].append(left_open)
            if total > ALL_HITS:
                break
        told = found["difference"]
        if told is not None and numbers >= 5 and sorted(told["old"]) == sorted(told["new"]):
            # Both agree on numbers, so numbers are intended: `a + b` is `b + a`.
            where = ", ".join(f"{name} is {text}" for name, text in told["arguments"])
            found["missed"].append(f"they differ where {where}")
            found["difference"] = None
        found["missed"] += self.missed()
        return found

    def missed(self):
        """Returns what no case reached."""
        missed = []
        for version in (self.old, self.new):
            missed += [one for one in version.missed(lines_of(self.nodes[version])) if one not in missed]
        return missed

    def guesses(self):
        """Whether any parameter has no annotation."""
        subjects = [self.subject(self.old)]
        if self.is_class:
            subjects += [self.subject(self.old).__dict__[name] for name in methods(self.old, self.name)]
        for one in subjects:
            one = getattr(one, "__func__", one)
            if isinstance(one, property):
                continue
            if any(annotation is None and name != "self" and name != "cls" for name, annotation, _ in parameters_of(one)):
                return True
        return False


def methods(version, name):
    return [
        part.name
        for part in version.definitions[name].body
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)) and not part.name.startswith("_")
    ]


def shared_functions(old, new):
    """Returns the public functions and classes of both versions; all of them if none is public."""
    names = [name for name, node in old.definitions.items() if type(new.definitions.get(name)) is type(node)]
    public = [name for name in names if not name.startswith("_")]
    return public or names


def is_passive(old, new):
    """Whether both versions only define things, apart from equal `if __name__` blocks."""
    rests = []
    for version in (old, new):
        rest = []
        for node in version.tree.body:
            defines = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom))
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if defines or docstring or isinstance(node, (ast.Assign, ast.AnnAssign)):
                continue
            is_main = isinstance(node, ast.If) and "__name__" in ast.dump(node.test)
            if not is_main:
                return False
            rest.append(ast.dump(node))
        rests.append(rest)
    return rests[0] == rests[1]


def constants(old, new):
    """Returns the names that both modules bind to different values."""
    found = []
    for name, value in old.module.__dict__.items():
        if name.startswith("_") or name not in new.module.__dict__ or callable(value):
            continue
        texts = shown(value), shown(new.module.__dict__[name])
        if texts[0] != texts[1]:
            found.append([name, *texts])
    return found


def main():
    os.makedirs("case", exist_ok=True)
    os.chdir("case")
    document = {"functions": [], "why": None}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            old, new = Version(OLD, "old"), Version(NEW, "new")
    except BaseException as error:
        document["why"] = f"{type(error).__name__}: {error}"
        print(json.dumps(document))
        return
    document["passive"] = is_passive(old, new)
    document["constants"] = constants(old, new)
    for name in shared_functions(old, new):
        try:
            found = Function(name, old, new).compared()
        except Unfit as error:
            found = {"name": name, "why": f"no value of type {error} can be made"}
        except BaseException as error:
            found = {"name": name, "why": f"{type(error).__name__}: {error}"}
        document["functions"].append(found)
    print(json.dumps(document))


main()
