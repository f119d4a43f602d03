"""Runs one program that misses values, and makes up what is missing.

Loaded between the tracer and the worker. The driver sends an instrumented program and a plan: the
places where values are used, what each of them probably is, and what conditions should be. A read
of a name that nobody binds, of an attribute that a made-up value lacks, a call of a made-up value,
an import of a module that is not there, and a call of real code that cannot work with a made-up
value give a value according to the plan; everything else happens as Python has it, the program's
own errors included.

Two ways to make a value up: the paper's (`fine`, `coarse`, `coarse-random`: one plain value a
class) and `adaptive`: plain values where the plan is sure of the kind and knows what to choose, else
a stand-in that goes along with whatever is done to it, the same way every time.
"""

import builtins
import io
import itertools
import sys
import types

# Real functions by what they return, for when they cannot work with what they are given.
GUIDE_RESULTS = {
    "int": 1, "len": 1, "ord": 97, "hash": 1, "round": 1, "float": 1.0, "str": "a", "repr": "a",
    "chr": "a", "join": "a", "format": "a", "sum": 1, "isinstance": True, "issubclass": True,
    "callable": True, "hasattr": True, "any": True, "all": True,
}  # fmt: skip

_MACHINE = frozenset(
    "posix os io _io socket _socket ssl subprocess shutil glob smtplib "
    "ftplib tempfile sqlite3 pathlib zipfile tarfile webbrowser logging concurrent multiprocessing "
    "urllib http select fcntl codecs dbm shelve configparser".split()
)
_ENVIRONMENT = (OSError, EOFError)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)
_PLAIN = frozenset(
    map(id, (type(None), bool, int, float, str, list, tuple, set, dict, bytes, types.FunctionType))
)
_LONGEST_LOOP = 3
# What identity should be, and whether that changes from one value to the next.
_IDENTITY = ((False, 0), (True, 0), (False, 1), (True, 1))
# How deep values are walked that come of one another, and how many of them are looked at.
_MOST_WALKED = 2
_MOST_ABOVE = 100

_guide_frame = sys._getframe
_plain_getattr = object.__getattribute__


class Guide:
    """What is made up during one program, and why."""

    kinds = None  # the stand-ins, where they are not the usual ones

    def __init__(self, plan, clock):
        self.plan, self.clock = plan, clock
        self.places = [GuidePlace(**place) for place in plan["places"]]
        self.values = {
            path: (known["likely"]["name"], known["likely"]["sure"], known["hint"])
            for path, known in plan["values"].items()
        }
        self.lines = {wish["line"]: (wish["outcome"], wish["turn"]) for wish in plan["wanted"]}
        self.caught = {int(line): set(names) for line, names in plan["caught"].items()}
        self.caught_in = {PROGRAM_FILE: self.caught}
        self.way = plan["abstraction"]
        self.adaptive = self.way == "adaptive"
        self.resolve = plan["resolve"]
        self.has_input = plan["has_input"]
        import random  # not above: its hook at forks would change what programs draw

        self.random = random.Random(plan["seed"])
        self.found, self.records, self.kept, self.guessed = {}, [], {}, {}
        self.live = False
        self.at = self.calling = None
        self.turns, self.rounds, self.files = {}, {}, {}
        self.namespace = {}
        self.done, self.begun = set(), set()
        self.handed, self.entered = [], set()
        self.import_real = builtins.__import__
        self.world = None
        self.decorated = {}
        self.above = None  # what the value that is being made comes of

    # -- the program's world ----------------------------------------------------------------------

    def compile(self, source):
        """The code of the program; of the body of a function, too."""
        try:
            return _compile(source)
        except SyntaxError:
            return guide_compile_body(source)

    def prepare(self, namespace):
        self.namespace = namespace
        self.world = world = GuideBuiltins(vars(builtins))
        world.guide = self
        world["_codexec_n_"] = self.name
        world["_codexec_a_"] = self.attribute
        world["_codexec_c_"] = self.call
        world["_codexec_o_"] = self.asked_for_none
        world["_codexec_i_"] = self.identical
        world["_codexec_w_"] = self.awaited
        world["__import__"] = self.import_module
        if _FILES.root is not None:
            builtins.__import__ = self.import_module  # that of the project's other modules
        namespace["__builtins__"] = world

    def execute(self, code, namespace):
        """Executes the program, then what it handed to code that is not there: a framework would
        call it, and whatever comes of that is no longer the program's end."""
        try:
            self.execute_body(code, namespace)
        except SystemExit as leaving:
            if guide_is_of_program(leaving.code):
                self.handed.append(leaving.code)
            self.call_handed()
            raise
        self.call_handed()

    def call_handed(self):
        for function in self.handed:
            code = function.__code__
            if code in self.entered:
                continue
            count = code.co_argcount - len(function.__defaults__ or ())
            names = code.co_varnames[: max(count, 0)]
            keywords = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
            keywords = [name for name in keywords if name not in (function.__kwdefaults__ or ())]
            try:
                result = function(
                    *[self.derived(name) for name in names],
                    **{name: self.derived(name) for name in keywords}
                )
                if code.co_flags & 0x20:
                    for _ in zip(range(3), result):
                        pass
                elif code.co_flags & 0x80:
                    result.send(None)
                elif guide_is_of_program(result):
                    self.handed.append(result)
            except _Unwind:
                raise
            except BaseException:
                pass

    def execute_body(self, code, namespace):
        flags = code.co_flags
        if not flags & (0x20 | 0x80 | 0x200):
            exec(code, namespace)
            return
        running = eval(code, namespace)
        while True:
            try:
                self.go_on(running, flags)
            except (StopIteration, StopAsyncIteration):
                return

    @staticmethod
    def go_on(running, flags):
        """Executes a generator or coroutine up to its next value, and gives that."""
        if flags & 0x20:
            return next(running)
        if flags & 0x80:
            return running.send(None)
        try:
            running.__anext__().send(None)
        except StopIteration as given:
            return given.value

    # -- loaders ----------------------------------------------------------------------------------

    def name(self, number):
        """A read of a name of the module."""
        place = self.places[number]
        if place.wanted is not None:
            self.at = place
        name = place.name
        if name in self.namespace and name != "super":
            return self.namespace[name]
        if dict.__contains__(self.world, name) and name != "super":
            return dict.__getitem__(self.world, name)
        return self.missing_name(name, place)

    def attribute(self, number, value):
        """What an attribute is about to be read of: the value itself, or what has the attribute."""
        place = self.places[number]
        if not self.live and type(value) is not types.ModuleType:
            return value
        kind = type(value)
        is_decorated = id(value) in self.decorated
        if (is_decorated or guide_is_below_stand_in(value, kind)) and not hasattr(value, place.name):
            return self.of_base(value, place)
        if id(kind) in _STAND_INS or kind is GuideModule:
            self.at = place
            return value
        name = place.name
        if kind is types.ModuleType or id(kind) in _PLAIN or kind in (DummyCallable, DummyResource):
            if hasattr(value, name) or not self.is_missing(value):
                return value
        elif self.adaptive or name[:2] == "__" or guide_has(value, name):
            return value
        if "AttributeError" in self.caught.get(place.line, ()):
            return value
        if name in GUIDE_METHODS and hasattr(value, GUIDE_METHODS[name]):
            return GuideAttribute(getattr(value, GUIDE_METHODS[name]))
        key = ("attribute", name) if not self.adaptive else (id(value), name)
        if key not in self.found:
            if not place.likely:
                return value
            self.kept[id(value)] = value
            self.found[key] = self.make("attribute", place.path or "?." + name, place)
        return GuideAttribute(self.found[key])

    def of_base(self, value, place):
        """An attribute of a class or a `super()` whose base class is not there, or of what a stand-in decorated."""
        key = (id(value.__thisclass__ if type(value) is super else value), "base " + place.name)
        if key not in self.found:
            if not place.likely or "AttributeError" in self.caught.get(place.line, ()):
                return value
            self.kept[id(value)] = value
            self.found[key] = self.make("attribute", place.path or "?." + place.name, place)
        return GuideAttribute(self.found[key])

    def asked_for_none(self, value, wish=None):
        """What `is None` asks about: a made-up value is `None` where that leads further, or at the end of a chain."""
        if id(type(value)) not in _STAND_INS:
            return value
        if wish is None or self.kinds is not None:
            return None if self.is_walked(value) else value
        return None if self.decide(value, "is", None, _IDENTITY[wish]) else value

    def identical(self, wish, left, right):
        """What `is` says of two values in a condition."""
        if left is not right and self.kinds is None:
            for one, other in ((left, right), (right, left)):
                if id(type(one)) in _STAND_INS:
                    return self.decide(one, "is", other, _IDENTITY[wish])
        return left is right

    def awaited(self, value):
        """What `await` waits for: a value that was made up is there at once."""
        if hasattr(type(value), "__await__") or not self.live or not self.is_made_up(value):
            return value
        return GuideAwaited(value)

    def is_walked(self, stand_in):
        """Whether values that a stand-in comes of were asked about or walked on a line, so that it would go on for ever:
        `node = node.next`, `walk(node.left)`."""
        line, count = guide_line()[0], 0
        own = _plain_getattr(stand_in, "__dict__")
        own["asked"].add(line)
        for _ in range(_MOST_ABOVE):
            if own["above"] is None:
                break
            own = _plain_getattr(own["above"], "__dict__")
            count += line in own["asked"]
        return count >= _MOST_WALKED

    def is_made_again(self, path):
        """The same of lists: `for child in node.children: walk(child)`."""
        count, above = 0, self.above
        for _ in range(_MOST_ABOVE):
            if above is None:
                break
            own = _plain_getattr(above, "__dict__")
            count += path in own["lists"]
            above = own["above"]
        if self.above is not None:
            _plain_getattr(self.above, "__dict__")["lists"].add(path)
        return count >= _MOST_WALKED

    def is_missing(self, value):
        """Whether an attribute that a plain value lacks is missing, not a mistake of the program."""
        if not self.adaptive or type(value) is types.ModuleType:
            return True
        return id(value) in self.kept

    def call(self, number, function):
        """What is called in place of a function."""
        place = self.places[number]
        if place.wanted is not None:
            self.at = place
        kind = type(function)
        if id(kind) in _STAND_INS:
            self.calling = place
            return function
        if function is DummyCallable:
            return lambda *_, **__: self.called_dummy(place)
        if kind is types.FunctionType and function.__code__.co_filename == PROGRAM_FILE:
            return function
        if not self.live and id(function) not in self.guessed:
            if kind not in _FUNCTIONS:
                return function
            asks = guide_asks_for_files(function)
            if not asks and not guide_reaches_out(function) and not guide_touches_machine(function):
                if not self.is_input(function):
                    return function
        if not self.adaptive:
            return function
        return self.guarded(function, place)

    def called_dummy(self, place):
        key = ("call", place.name)
        if key not in self.found:
            if not place.likely:
                return DummyCallable()
            self.found[key] = self.make("call", place.path or place.name + "()", place)
        return self.found[key]

    # -- what is missing --------------------------------------------------------------------------

    def missing_name(self, name, place=None):
        key = ("name", name)
        if key in self.found:
            return self.found[key]
        line = place.line if place else guide_line()[0]
        if "NameError" in self.caught.get(line, ()) or name[:2] == name[-2:] == "__":
            raise NameError("name %r is not defined" % name)
        if self.resolve and name != "super":
            real = self.resolved(name)
            if real is not None:
                self.live = True
                self.found[key] = real[0]
                return real[0]
        if place is None:
            place = self.plan_of(name, line)
        if not place.likely:
            raise NameError("name %r is not defined" % name)
        self.found[key] = self.make("name", place.path or name, place)
        if name in self.plan["deleted"]:
            self.namespace[name] = self.found[key]
        return self.found[key]

    def plan_of(self, name, line):
        """The place of a read that is not wrapped: that of another read of the name."""
        for place in self.places:
            if place.name == name and place.kind == "name":
                return place
        likely = {"name": "object", "sure": 0.5} if self.plan["inject"] else None
        return GuidePlace("name", name, line, name, likely, None)

    def resolved(self, name):
        """The module or function that a name usually stands for, in a tuple, or None."""
        attributes = self.plan["attributes"].get(name, [])
        found = guide_resolved(name, attributes, name in self.plan["called"], self.import_untraced)
        if found is not None and type(found[0]) is not types.ModuleType:
            self.guessed[id(found[0])] = found[0]
        return found

    def import_untraced(self, *arguments):
        """The import of the interpreter; what modules of no project do meanwhile is not looked at."""
        if _FILES.root is not None:
            return self.import_real(*arguments)
        trace = _gettrace()
        _settrace(None)
        try:
            return self.import_real(*arguments)
        finally:
            _settrace(trace)

    def import_module(self, name, globals=None, locals=None, fromlist=(), level=0):
        frame = _guide_frame(1)
        file, line = frame.f_code.co_filename, frame.f_lineno
        if _FILES[file] is None or not self.plan["inject"]:
            return self.import_real(name, globals, locals, fromlist, level)
        names = self.caught_in_file(file).get(line, ())
        catches = not {"ImportError", "ModuleNotFoundError", "Exception", "*"}.isdisjoint(names)
        try:
            module = self.import_untraced(name, globals, locals, fromlist, level)
        except Exception as error:
            if isinstance(error, ImportError):
                missing = getattr(error, "name", None) or ""
                own = level > 0 or name == missing or name.startswith(missing + ".")
            else:  # a package that wants more of the machine than there is
                own = not (self.expects(error, names) or guide_comes_from_project(error))
            if catches or not own:
                raise
            module = self.stub(name, fromlist, level)
            self.note("import", name or ".", module, "module", None, line, file)
            return module
        if file != PROGRAM_FILE and getattr(getattr(module, "__spec__", None), "_initializing", False):
            return module  # a circle of imports: what it has not yet is the program's affair
        lacking = [n for n in fromlist or () if n != "*" and not hasattr(module, n)]
        if lacking and not catches:
            lacking = [n for n in lacking if not self.is_submodule(module, n)]
        if lacking and not catches:
            patched = GuideModule(self, name)
            vars(patched).update({k: v for k, v in vars(module).items() if k[:2] != "__"})
            self.note("import", name, patched, "module", None, line, file)
            return patched
        return module

    def caught_in_file(self, file):
        """The names of exceptions that handlers catch, by the lines of a file, which are read where it is not the program's."""
        if file not in self.caught_in:
            self.caught_in[file] = guide_caught(file)
        return self.caught_in[file]

    def is_submodule(self, module, name):
        try:
            self.import_untraced("%s.%s" % (module.__name__, name), {}, {}, ["*"], 0)
            return True
        except ImportError:
            return False

    def stub(self, name, fromlist, level):
        """A module that has whatever is asked of it."""
        self.live = True
        whole = "." * level + name
        if whole not in self.found:
            self.found[whole] = GuideModule(self, name)
        if fromlist or "." not in name:
            return self.found[whole]
        first, rest = name.split(".")[0], name.split(".")[1:]
        top = inner = self.found.setdefault(first, GuideModule(self, first))
        for part in rest:
            vars(inner).setdefault(part, GuideModule(self, part))
            inner = vars(inner)[part]
        return top

    # -- values -----------------------------------------------------------------------------------

    def make(self, kind, path, place):
        """A value for a place."""
        name, sure = place.likely
        value = self.of_class(name, path, place)
        self.note(kind, place.name, value, name, sure, place.line)
        return value

    def derived(self, path, place=None, kind=None):
        """A value that comes from a stand-in: an attribute, an element, what it returns."""
        known = self.values.get(path)
        if place is not None and place.likely:
            name, sure = place.likely
        elif known is not None:
            name, sure = known[0], known[1]
        else:
            name, sure = "object", None
        if kind is None:
            return self.of_class(name, path, place)
        value = self.of_class(name, path, place)
        line = place.line if place is not None else guide_line()[0]
        self.note(kind, place.name if place is not None else path, value, name, sure, line)
        return value

    def of_class(self, name, path, place=None):
        self.live = True
        if self.way != "adaptive":
            return guide_plain(name, self.random if self.way == "coarse-random" else None, self.way)
        known = self.values.get(path)
        if known is None and place is not None and place.path:
            known = self.values.get(place.path)
        hint = known[2] if known is not None else {}
        clear = known is not None and known[0] == name and known[1] >= 0.7
        value = self.adapted(name, path, hint, clear)
        if id(type(value)) not in _STAND_INS:
            self.kept[id(value)] = value
        return value

    def adapted(self, name, path, hint, clear):
        """A plain value where the use says what it is, else a stand-in of that kind."""
        if hint.get("exception"):
            return guide_exception(path)
        if hint.get("pattern"):
            return guide_pattern(self, path)
        kind, _, rest = name.partition("_")
        if not clear or kind == "dict" and rest != "empty" and not hint.get("keys"):
            return guide_stand_in(self, path, kind, hint)
        if name in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[name]
        number = hint.get("number")
        if kind == "int":
            return int(number) if number is not None else {"neg": -1, "zero": 0}.get(rest, 1)
        if kind == "float":
            return float(number) if number is not None else {"neg": -1.0, "zero": 0.0}.get(rest, 1.0)
        if kind == "str":
            if "text" not in hint and (hint.get("count") == 0 or rest == "empty"):
                return ""
            return self.read_text(path, hint)
        if kind == "dict":
            keys = hint.get("keys", ()) if rest != "empty" else ()
            return self.mapping(path, {key: self.item('%s["%s"]' % (path, key), key) for key in keys})
        if rest == "empty":
            return {"list": list, "tuple": tuple, "set": set}[kind]()
        if kind in ("list", "tuple", "set"):
            count = 0 if self.is_made_again(path) else hint.get("count", 2)
            items = [self.element(path, k) for k in range(count)]
            return {"list": list, "tuple": tuple, "set": set}[kind](items)
        return guide_stand_in(self, path, kind, hint)

    def mapping(self, path, items):
        """A dict that has any key the program asks for, unless the plan is strict."""
        if self.plan["strict"]:
            return items
        made = GuideDict(items)
        made.guide, made.path, made.naming = self, path, None
        return made

    def item(self, path, key, mapping=None):
        """What a made-up mapping has under a key."""
        return self.derived(path)

    def element(self, path, number=None):
        """An item of a stand-in: by its number where the program asks for numbers."""
        numbered = "%s[%s]" % (path, number)
        return self.derived(numbered if numbered in self.values else path + "[]")

    def note(self, kind, name, value, class_name, sure, line, file=PROGRAM_FILE):
        self.live = True
        if len(self.records) < MOST_INJECTED:
            text = guide_text(value)
            record = {"line": line, "kind": kind, "name": name, "text": text, "class": class_name, "sure": sure}
            if _FILES[file]:
                record["file"] = _FILES[file][1:]
            self.records.append(record)

    # -- decisions --------------------------------------------------------------------------------

    def decide(self, stand_in, operation, other=None, wanted=None):
        """What a condition is told about a stand-in: what leads further, and the same again."""
        line, _ = guide_line()
        place = self.at
        if wanted is None and place is not None and place.line == line:
            wanted = place.wanted
        if wanted is None:
            wanted = self.lines.get(line, (True, 0))
        outcome, turn = wanted
        own = _plain_getattr(stand_in, "__dict__")
        if turn == 2:
            self.rounds[line] = rounds = self.rounds.get(line, 0) + 1
            return outcome if rounds % _LONGEST_LOOP else not outcome
        said = own["said"]
        key = (operation, guide_key(other))
        if key not in said:
            if turn == 1:
                count = self.turns.get((line, own["path"], key), 0)
                self.turns[line, own["path"], key] = count + 1
                outcome = outcome if count % 2 == 0 else not outcome
            said[key] = outcome != self.is_walked(stand_in)
        return said[key]

    # -- calls of real code -----------------------------------------------------------------------

    def guarded(self, function, place):
        """Calls real code; what it cannot do because of a made-up value is made up in turn."""

        def called(*arguments, **keywords):
            if arguments and id(type(arguments[0])) in _STAND_INS:
                if function is isinstance:
                    return self.decide(arguments[0], "isinstance", arguments[1:])
                if function is io.open:  # it would take the number of one for a descriptor
                    return self.instead(function, arguments, keywords, place)
            try:
                result = function(*arguments, **keywords)
                if type(result) is dict and any(map(self.is_of_file, arguments)):
                    return self.read_mapping(result, place.path or place.name + "()")
                if result is False and self.live and guide_asks_for_files(function):
                    wanted = place.wanted or self.lines.get(place.line, (False, 0))
                    return wanted[0]
                if self.live and guide_lists_files(function):
                    return self.listed(function, result)
                if not self.is_input(function) or result:
                    return result
            except Exception as error:
                if keywords and self.is_other(error, function):
                    second = guide_symbol(place.name, self.import_untraced, GUIDE_SECOND)
                    if second is not None:
                        return self.guarded(second[0], place)(*arguments, **keywords)
                elif not self.excused(error, function, arguments, keywords, place):
                    raise
            if guide_reaches_out(function) or self.is_input(function):
                return self.instead(function, arguments, keywords, place)
            name = getattr(function, "__name__", "")
            if place.path not in self.values and type(name) is str and name in GUIDE_RESULTS:
                value = GUIDE_RESULTS[name]
                self.note("call", place.name, value, type(value).__name__, None, place.line)
                return value
            if not place.likely:
                return function(*arguments, **keywords)
            return self.make("call", place.path or place.name + "()", place)

        return called

    def listed(self, function, result):
        """The files that a function finds, or one that is made up where it finds none."""
        found = list(itertools.islice(result, MOST_INJECTED))
        if found:
            return itertools.chain(found, result) if iter(result) is result else result
        made = ("a", ["a"], ["a"]) if function.__name__ == "walk" else "a"
        self.note("call", function.__name__, [made], "list_nonempty", None, guide_line()[0])
        return [made] if type(result) is list else iter([made])

    def is_of_file(self, value):
        """Whether a value is a made-up file, or text that was read from one."""
        return type(value) is GuideFile or type(value) is str and id(value) in self.kept

    def read_mapping(self, read, path):
        """A mapping that was read from a made-up file: with the keys that the program uses."""
        keys = self.values.get(path, (0, 0, {}))[2].get("keys", ())
        made = {key: self.item('%s["%s"]' % (path, key), key) for key in keys} or read
        return self.mapping(path, made)

    def is_input(self, function):
        """Whether a function reads standard input that nobody gave."""
        owner = getattr(function, "__self__", None)
        mine = owner is not None and (owner is sys.stdin or owner is getattr(sys.stdin, "buffer", 0))
        return mine and not self.has_input and function.__name__ in ("read", "readline", "readlines")

    def is_other(self, error, function):
        """Whether a function that was guessed from its name does not take what it is called with."""
        direct = isinstance(error, TypeError) and error.__traceback__.tb_next is None
        return direct and id(function) in self.guessed and "keyword" in str(error)

    @staticmethod
    def expects(error, names):
        """Whether handlers for exceptions of these names catch one."""
        return "*" in names or any(kind.__name__ in names for kind in type(error).__mro__)

    def excused(self, error, function, arguments, keywords, place):
        """Whether an error comes of something missing, not of the program."""
        if isinstance(error, (StopIteration, StopAsyncIteration, RecursionError, MemoryError)):
            return False
        entry = error.__traceback__
        while entry is not None:  # a callback of the program's
            if entry.tb_frame.f_code.co_filename == PROGRAM_FILE:
                return False
            entry = entry.tb_next
        names = self.caught.get(place.line, ())
        if isinstance(error, _ENVIRONMENT):
            if isinstance(error, EOFError) and (self.has_input or function is not builtins.input):
                return False
            kinds = {kind.__name__ for kind in type(error).__mro__} - {"Exception", "BaseException"}
            return bool(place.likely) and kinds.isdisjoint(names) and "IOError" not in names
        if type(error).__name__ in names:
            return False
        owner = getattr(function, "__self__", None)
        return any(map(self.is_made_up, (owner, *arguments, *keywords.values())))

    def is_made_up(self, value, depth=2):
        kind = type(value)
        if id(kind) in _STAND_INS or kind is GuideModule or id(value) in self.kept:
            return True
        if depth and kind in (list, tuple, set):
            return any(self.is_made_up(x, depth - 1) for x in value)
        if depth and kind is dict:
            return any(self.is_made_up(x, depth - 1) for x in value.values())
        return False

    def instead(self, function, arguments, keywords, place):
        """For `open` of a file that is not there, and for reading input that nobody gave."""
        if function is input or self.is_input(function):
            value, name = self.line_of_input(place.path), function.__name__
            if name != "input":
                count = 1 if name == "readline" else 2
                value = "\n".join([value] * count) + ("\n" if name != "read" else "")
                if "b" in getattr(function.__self__, "mode", "") or not hasattr(function.__self__, "buffer"):
                    value = value.encode()
                value = value.splitlines(True) if name == "readlines" else value
            self.note("call", name, value, "str_nonempty", None, place.line)
            return value
        value = GuideFile.of(self, *arguments, **keywords)
        self.note("call", "open", value, "resource", None, place.line)
        return value

    def hint(self, path):
        """What the uses of the value at a path ask for."""
        return self.values.get(path, (0, 0, {}))[2]

    def line_of_input(self, path):
        # The number of lines says nothing of a line.
        return self.read_text(path, dict(self.hint(path), count=1))

    def read_text(self, path, own):
        """A text that suits what is done to it: read as a number, or split into words or numbers."""
        count, digits, split = 1, own.get("digits"), False
        for stripped in ("", ".strip()", ".rstrip()"):
            digits = digits or self.hint(path + stripped).get("digits")
            words = "%s%s.split(" % (path, stripped)
            for other in self.values:
                if other.startswith(words):
                    split, asked = True, self.hint(other)
                    if other.endswith(")"):
                        count = max(count, asked.get("count", 1))
                    digits = digits or other.endswith("]") and asked.get("digits")
        letter = "1" if digits else "a"
        if "text" in own:
            return own["text"] if "separator" not in own else own["separator"].join([letter] * max(count, 2))
        return " ".join([letter] * count) if split else letter * min(own.get("count") or 1, 8)

    # -- coverage and time ------------------------------------------------------------------------

    def watch(self, enter, end):
        """The trace function `enter`, which also notes what was executed to its end, and ends the
        program when its time is up."""
        clock = self.clock
        statement_of = {}
        for number, (first, last) in enumerate(self.plan["statements"]):
            for line in range(first, last + 1):
                statement_of[line] = number
        done, begun = self.done.add, self.begun.add
        deadline = clock() + self.plan["seconds"]

        def watched(frame, event, arg):
            if frame.f_code.co_filename != PROGRAM_FILE:
                return None if _FILES[frame.f_code.co_filename] is None else enter(frame, event, arg)
            self.entered.add(frame.f_code)
            inner = enter(frame, event, arg)
            if inner is None:
                return None
            last, name = None, frame.f_code.co_name
            # What a comprehension or lambda is part of is not done with it.
            is_part = name[:1] == "<" and name != "<module>"

            def local(frame, event, arg):
                nonlocal inner, last
                if event == "line":
                    line = frame.f_lineno
                    begun(line)
                    now = statement_of.get(line)
                    if now != last:
                        if last is not None:
                            done(last)
                        last = now
                    elif now is not None and self.plan["statements"][now] == [line, line]:
                        done(now)  # once around a loop
                    if clock() > deadline:
                        end("timeout")
                        raise _Unwind
                elif event == "exception":
                    kind = arg[0]
                    if kind is not StopIteration and not issubclass(kind, SystemExit):
                        last = None
                elif event == "return":
                    if last is not None and not is_part:
                        done(last)
                inner = inner(frame, event, arg) if inner is not None else None
                return local

            local.order, local.known = getattr(inner, "order", {}), getattr(inner, "known", None)
            return local

        return watched

    def report(self):
        return {
            "injected": self.records,
            "done": sorted(self.done),
            "begun": sorted(self.begun),
        }


def guide_caught(file):
    """Names of the exceptions that handlers around the lines of a module catch, `*` for all, as the plan has them of the
    program."""
    import ast

    caught = {}
    try:
        with io.open(file, "rb") as opened:
            tree = ast.parse(opened.read())
    except (OSError, SyntaxError, ValueError):
        return caught
    kinds = (ast.Try, ast.TryStar) if hasattr(ast, "TryStar") else ast.Try
    for node in ast.walk(tree):
        if not isinstance(node, kinds):
            continue
        names = set()
        for handler in node.handlers:
            types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            names.update("*" if kind is None else getattr(kind, "id", getattr(kind, "attr", "")) for kind in types)
        for line in range(node.body[0].lineno, node.body[-1].end_lineno + 1):
            caught.setdefault(line, set()).update(names)
    return caught


def guide_comes_from_project(error):
    """Whether an error was raised while code of the program's other modules was executed."""
    entry = error.__traceback__
    while entry is not None:
        if _FILES[entry.tb_frame.f_code.co_filename]:
            return True
        entry = entry.tb_next
    return False


class GuidePlace:
    """One place of the plan."""

    __slots__ = ("kind", "name", "line", "path", "likely", "wanted")

    def __init__(self, kind, name, line, path, likely, wanted):
        self.kind, self.name, self.line, self.path = kind, name, line, path
        self.likely = (likely["name"], likely["sure"]) if likely is not None else None
        self.wanted = (wanted["outcome"], wanted["turn"]) if wanted is not None else None
