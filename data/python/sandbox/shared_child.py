"""Programs that share a child in sequence: which may, and whether the next one starts as if alone.

Two guards. A program shares a child only if its text reaches only its own objects, the builtins and modules of
`SHAREABLE` (`reach_of`): every usable name is in the text, since names that look up others (`getattr`, `exec`,
`__dict__`, ...) are not allowed. After each program, all objects reachable from such a module are compared with
their original state (`SharedChild.is_as_before`): if one differs, the child is not used again.

Not a protection: the comparison runs in the same interpreter as the program's leftovers. Memory addresses, which
order `set`s of instances, are not compared either.
"""

import re
import sys
from gc import get_referents, is_tracked
from operator import is_
from unicodedata import normalize

# Modules whose mutable state is in Python objects, in a restored state, or behind one of the names below.
SHAREABLE = frozenset(
    "__future__ abc array bisect cmath collections copy dataclasses datetime decimal enum fractions functools "
    "heapq itertools json math numbers operator random re statistics string struct sys textwrap time types typing".split()
)
# Names that reach names outside the text, or state kept in C.
ISOLATED_NAMES = frozenset(
    "eval exec compile getattr setattr delattr vars globals locals breakpoint attrgetter methodcaller "
    "f_back f_globals f_locals f_builtins f_code tb_frame gi_frame gi_code cr_frame cr_code ag_frame ag_code "
    "register _abc_impl Formatter get_field get_type_hints ForwardRef CodeType FunctionType "
    "getcontext setcontext localcontext DefaultContext BasicContext ExtendedContext "
    "tzset clock_settime clock_settime_ns".split()
)
# Other allowed members of `sys`; its other functions are isolated.
SYS_FUNCTIONS = frozenset(
    "exit exc_info getsizeof intern setrecursionlimit getrecursionlimit getdefaultencoding "
    "getfilesystemencoding stdin stdout stderr".split()
)
SYS_ISOLATED = frozenset(
    "modules path_importer_cache monitoring last_exc last_traceback last_type last_value meta_path path_hooks "
    "implementation warnoptions orig_argv _xoptions".split()
)
ORDINARY_DUNDERS = frozenset(
    "abs add aenter aexit aiter and anext annotations await bool bytes call cause ceil class_getitem complex "
    "contains context copy debug deepcopy delattr delete delitem dir div divmod doc enter eq exit file float floor "
    "floordiv format fspath future ge get getattr getitem getnewargs getstate gt hash iadd iand idiv ifloordiv "
    "ilshift imatmul imod imul index init init_subclass instancecheck int invert ior ipow irshift isub iter itruediv "
    "ixor le len length_hint lshift lt main match_args matmul missing mod module mro_entries mul name ne neg new next "
    "nonzero notes or pos post_init pow prepare qualname radd rand rdiv rdivmod repr reversed rfloordiv rlshift "
    "rmatmul rmod rmul ror round rpow rrshift rshift rsub rtruediv rxor set set_name setattr setitem setstate sizeof "
    "slots str sub subclasscheck subclasshook suppress_context traceback truediv trunc unicode version xor".split()
)
MOST_SHARING = 64

ONLY_NAMES = {ord(mark): " " for mark in map(chr, range(128)) if not (mark.isalnum() or mark == "_")}
WORD = re.compile(r"\w+").findall
# Every import statement, and similar text.
IMPORTS = re.compile(r"\bfrom\b([^\n\r;]*?)\bimport\b|\bimport\b([^\n\r;#]*)").findall
OPENS = re.compile(r"\bopen\b").findall
OPENS_INPUT = re.compile(r"\bopen\s*\(\s*0\s*[,)]").findall


def names_in(source):
    """The names in a program, and other words."""
    if not source.isascii():
        return frozenset(WORD(normalize("NFKC", source)))  # as the parser reads names
    # For ASCII this takes half the time of a regular expression.
    return frozenset(source.translate(ONLY_NAMES).split())


def is_ordinary(name):
    return name[:2] != "__" or name[-2:] != "__" or name[2:-2] in ORDINARY_DUNDERS or not name.strip("_")


def is_isolated_by_name(source, names):
    if not ISOLATED_NAMES.isdisjoint(names) or not names.isdisjoint(FILE_NAMES):
        return True
    if "__" in source and not all(map(is_ordinary, names)):
        return True
    if "open" in source and (len(OPENS(source)) != len(OPENS_INPUT(source)) or opens_output(source)):
        return True
    if "stderr" in names and not names.isdisjoint(("close", "detach", "reconfigure")):
        return True
    return has_threads(source)


def imported_in(source):
    """The modules that a program imports by name, dotted; None if any is possible."""
    if not source.isascii():
        source = normalize("NFKC", source)
    found = []
    for whole, several in IMPORTS(source.replace("\\\n", " ").replace("\\\r\n", " ")):
        for name in (whole or several).split(","):
            words = name.split()
            if not words or words[1:] and (whole or words[1] != "as"):
                return None
            found.append(words[0])
    return found


class Reached:
    """A library module: what a program that names it can reach."""

    def __init__(self, module, own_dicts):
        self.isolated, self.others = set(), {}
        for name, value in vars(module).items():
            if type(value) is type(sys):
                root = value.__name__.partition(".")[0]
                if root in SHAREABLE:
                    self.others[name] = value
                else:
                    self.isolated.add(name)
            elif type(value).__name__ in CACHES:
                self.isolated.add(name)
        if module is sys:
            self.isolated |= SYS_ISOLATED
            self.isolated |= {name for name, value in vars(sys).items() if callable(value)} - SYS_FUNCTIONS
            start = [sys.path, sys.__stderr__]
        else:
            start = [vars(module)]
        # These caches make equal types show as the first one that was created.
        self.caches = list(vars(module).get("_cleanups", ())) if module.__name__ == "typing" else ()
        if module is re:
            self.caches = [re.purge]
        self.objects = objects_from(start, own_dicts)
        self.before = get_referents(*self.objects)

    def empty_caches(self):
        for clear in self.caches:
            clear()

    def is_as_before(self):
        now = get_referents(*self.objects)
        return len(now) == len(self.before) and all(map(is_, now, self.before))


# Objects whose contents change invisibly: caches, including those of `isinstance`.
CACHES = frozenset(("_lru_cache_wrapper", "_abc_data"))
UNCHANGEABLE = frozenset(
    (type(len), type(str.join), type(str.__len__), type("".__len__), type(type.__dict__["__name__"]))
    + (type(type(len).__dict__["__self__"]), type((lambda: 0).__code__))
)
# Flag of the classes that can be changed.
CHANGEABLE_TYPE = 1 << 9


def objects_from(start, own_dicts):
    """All objects that refer to others, starting from these, without other modules, caches and immutable state."""
    module_type, flags = type(sys), type.__dict__["__flags__"].__get__
    order, at = list(start), 0
    seen = {id(one) for one in order}
    while at < len(order):
        one = order[at]
        at += 1
        if id(one) in own_dicts and at == 1:
            # Names like `__spec__` cannot be used.
            parts = [value for name, value in one.items() if is_ordinary(name)]
        else:
            parts = get_referents(one)
        for part in parts:
            kind = type(part)
            if id(part) in seen or id(part) in own_dicts or kind is module_type:
                continue
            seen.add(id(part))
            if kind.__name__ in CACHES or isinstance(part, type) and not flags(part) & CHANGEABLE_TYPE:
                continue
            if kind not in UNCHANGEABLE and (is_tracked(part) or isinstance(part, (dict, list, set))):
                order.append(part)
    return order


class SharedChild:
    """State that the programs of a child may have changed. Also created and queried before a child is forked: data
    about a module is cached where no program ran."""

    def __init__(self):
        self.modules = dict(sys.modules)
        self.main = sys.modules["__main__"]
        self.module_values = tuple(self.modules.values())
        self.always = []
        for module in sys.modules["builtins"], sys:
            names = vars(module)
            self.always.append((names, dict(names), tuple(names), tuple(names.values())))
        # The worker's frames run in its own namespace.
        self.own_dicts = {id(vars(module)) for module in self.modules.values() if type(module) is type(sys)}
        self.own_dicts.add(id(globals()))
        self.recursion = sys.getrecursionlimit()
        self.argv, self.path = ["prog.py"], list(sys.path)
        self.known = {}
        for name in "re", "typing":
            self.reached(sys.modules[name]).empty_caches()

    def reached(self, module):
        found = self.known.get(id(module))
        if found is None:
            found = self.known[id(module)] = Reached(module, self.own_dicts)
        return found

    def reach_of(self, source, names):
        """The library modules that a program can reach; None if it must not share a child."""
        if is_isolated_by_name(source, names):
            return None
        if "import" not in names:
            return ()
        imported = imported_in(source)
        if imported is None:
            return None
        waiting, found = [], []
        for name in imported:
            module, root = self.modules.get(name), name.partition(".")[0]
            if root not in SHAREABLE or type(module) is not type(sys):
                return None
            waiting += [self.modules[root], module]
        while waiting:
            reached = self.reached(waiting.pop())
            if reached in found:
                continue
            found.append(reached)
            if not reached.isolated.isdisjoint(names):
                return None
            waiting += [module for name, module in reached.others.items() if name in names]
        return found

    def sharing_group(self, programs, at):
        """The programs from `at` on that may share a child, at least one: each with its names and its reach."""
        group = []
        for source, data in programs[at : at + MOST_SHARING]:
            names = names_in(source)
            reach = self.reach_of(source, names)
            if reach is None and group:
                break
            group.append((source, data, names, reach))
            if reach is None:
                break
        return group

    def is_as_before(self, names, reach):
        """After a program: restores what every program changes. Returns whether all else is
        unchanged."""
        _settrace(None)
        sys.setrecursionlimit(self.recursion)
        sys.modules["__main__"] = self.main
        if len(sys.modules) != len(self.modules) or not all(map(is_, sys.modules.values(), self.module_values)):
            return False
        for kept in self.always:
            put_back_names(*kept)
        if "import" in names:
            for one in reach:
                if not one.is_as_before():
                    return False
                one.empty_caches()
        return True


def same_items(now, keys, values):
    """Whether these are exactly a dictionary's keys and values: by identity, which calls no program
    code."""
    return len(now) == len(keys) and all(map(is_, now, keys)) and all(map(is_, now.values(), values))


def put_back_names(now, before, keys, values):
    if same_items(now, keys, values):
        return
    for key, value in before.items():
        if now.get(key, now) is not value:
            now[key] = value
    if len(now) != len(before):
        for key in [key for key in now if key not in before]:
            del now[key]
    if not all(map(is_, now, keys)):
        now.clear()  # they have another order
        now.update(before)
