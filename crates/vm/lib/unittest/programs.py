# `unittest`: the loader, and the program that runs the tests of a module.
# Level: methods


class _Program:
    """In the place of the module of the program."""

    def __getattr__(self, name):
        names = _ut_program_names()
        if name in names:
            return names[name]
        raise AttributeError("module '__main__' has no attribute '" + name + "'")


_PROGRAM = _Program()


# -- names


def _matches(text, pattern):
    """Whether the text is as `*` and `?` of the pattern say."""
    if "[" in pattern:
        _throw("a pattern with classes of characters")
    ends = [0]
    for c in pattern:
        after = []
        if c == "*":
            i = ends[0] if ends else _len(text) + 1
            while i <= _len(text):
                after.append(i)
                i += 1
        else:
            for i in ends:
                if i < _len(text) and (c == "?" or text[i] == c):
                    after.append(i + 1)
        ends = after
    return _len(text) in ends


def _all_names(cls):
    """`dir(cls)`, without what `object` has."""
    names = []
    for base in _mro(cls):
        if base.__module__ != "builtins":
            for name in _own_names(base):
                if name not in names:
                    names.append(name)
    return sorted(names)


def _made(cls, names):
    for name in names:
        yield cls(name)


def _order(x, y):
    return (x > y) - (x < y)


class _Ordered:
    """A key by a function that compares."""

    def __init__(self, value, compare):
        self.value = value
        self.compare = compare

    def __lt__(self, other):
        return self.compare(self.value, other.value) < 0


def _is_case(x):
    if not isinstance(x, type) or not issubclass(x, TestCase):
        return False
    return x is not TestCase and x is not FunctionTestCase


class TestLoader:
    __module__ = "unittest.loader"
    testMethodPrefix = "test"
    sortTestMethodsUsing = staticmethod(_order)
    testNamePatterns = None
    suiteClass = TestSuite
    _top_level_dir = None

    def __init__(self):
        self.errors = []

    def loadTestsFromTestCase(self, testCaseClass):
        if issubclass(testCaseClass, TestSuite):
            raise TypeError("Test cases should not be derived from TestSuite. Maybe you meant to derive from TestCase?")
        if testCaseClass is TestCase or testCaseClass is FunctionTestCase:
            names = []
        else:
            names = self.getTestCaseNames(testCaseClass)
            if not names and hasattr(testCaseClass, "runTest"):
                names = ["runTest"]
        return self.suiteClass(_made(testCaseClass, names))

    def loadTestsFromModule(self, module, *args, pattern=None, **kws):
        if args or kws:
            _throw("more arguments of loadTestsFromModule")
        names = _module_names(module)
        tests = []
        for name in sorted(names):
            x = names[name]
            if _is_case(x):
                tests.append(self.loadTestsFromTestCase(x))
        load = names.get("load_tests")
        tests = self.suiteClass(tests)
        if load is not None:
            try:
                return load(self, tests, pattern)
            except Exception as e:
                return self._ut_failed("__main__", e)
        return tests

    def _ut_failed(self, name, error):
        self.errors.append(_traceback_text(error))
        _make_traceback(error)
        return self.suiteClass((_FailedTest(name, error),))

    def loadTestsFromName(self, name, module=None):
        parts = name.split(".")
        if module is None:
            if parts[0] != "__main__":
                _throw("tests of another module")
            module = _PROGRAM
            parts = parts[1:]
        x = module
        parent = None
        for part in parts:
            try:
                parent = x
                x = getattr(x, part)
            except AttributeError as e:
                return self._ut_failed(part, e)
        if x is module:
            return self.loadTestsFromModule(x)
        if _is_case(x):
            return self.loadTestsFromTestCase(x)
        if _is_function(x) and isinstance(parent, type) and issubclass(parent, TestCase):
            name = parts[-1]
            test = parent(name)
            if not _is_function(getattr(test, name)):
                return self.suiteClass([test])
        elif isinstance(x, TestSuite):
            return x
        if callable(x):
            test = x()
            if isinstance(test, TestSuite):
                return test
            if isinstance(test, TestCase):
                return self.suiteClass([test])
            raise TypeError("calling " + _str(x) + " returned " + _str(test) + ", not a test")
        raise TypeError("don't know how to make test from: " + _str(x))

    def loadTestsFromNames(self, names, module=None):
        return self.suiteClass([self.loadTestsFromName(name, module) for name in names])

    def getTestCaseNames(self, testCaseClass):
        prefix = self.testMethodPrefix
        if not isinstance(prefix, str):
            _throw("a prefix of tests that is no text")
        for taken in _TAKEN:
            if taken.startswith(prefix):
                _throw("a prefix of tests that methods of unittest have")
        found = []
        for name in _all_names(testCaseClass):
            if not name.startswith(prefix) or not callable(getattr(testCaseClass, name)):
                continue
            patterns = self.testNamePatterns
            if patterns is not None:
                whole = _class_name(testCaseClass) + "." + name
                known = False
                for pattern in patterns:
                    known = known or _matches(whole, pattern)
                if not known:
                    continue
            found.append(name)
        compare = self.sortTestMethodsUsing
        if compare and compare is not _order:
            return sorted(found, key=lambda name: _Ordered(name, compare))
        return found

    def discover(self, start_dir, pattern="test*.py", top_level_dir=None):
        _throw("tests of other files")


_TAKEN = ["__init__", "_own", "longMessage", "maxDiff", "failureException"]
for _name in _own_names(TestCase):
    _TAKEN.append(_name)
for _name in _own_names(_Asserts):
    _TAKEN.append(_name)
defaultTestLoader = TestLoader()


def _loader(prefix, compare, patterns, suite=None):
    loader = TestLoader()
    loader.sortTestMethodsUsing = compare
    loader.testMethodPrefix = prefix
    loader.testNamePatterns = patterns
    if suite:
        loader.suiteClass = suite
    return loader


def getTestCaseNames(testCaseClass, prefix, sortUsing=_order, testNamePatterns=None):
    return _loader(prefix, sortUsing, testNamePatterns).getTestCaseNames(testCaseClass)


def makeSuite(testCaseClass, prefix="test", sortUsing=_order, suiteClass=TestSuite):
    return _loader(prefix, sortUsing, None, suiteClass).loadTestsFromTestCase(testCaseClass)


def findTestCases(module, prefix="test", sortUsing=_order, suiteClass=TestSuite):
    return _loader(prefix, sortUsing, None, suiteClass).loadTestsFromModule(module)


# -- the program


class TestProgram:
    __module__ = "unittest.main"
    module = None
    verbosity = 1
    failfast = catchbreak = buffer = progName = warnings = testNamePatterns = None

    def __init__(
        self,
        module="__main__",
        defaultTest=None,
        argv=None,
        testRunner=None,
        testLoader=defaultTestLoader,
        exit=True,
        verbosity=1,
        failfast=None,
        catchbreak=None,
        buffer=None,
        warnings=None,
        *,
        tb_locals=False,
    ):
        if isinstance(module, str):
            if module != "__main__":
                _throw("tests of another module")
            module = _PROGRAM
        if module is None:
            _throw("tests of other files")
        self.module = module
        if argv is None:
            argv = _argv()
        self.exit = exit
        self.failfast = failfast
        self.catchbreak = catchbreak
        self.verbosity = verbosity
        self.buffer = buffer
        self.tb_locals = tb_locals
        self.warnings = "default" if warnings is None else warnings
        self.defaultTest = defaultTest
        self.testRunner = testRunner
        self.testLoader = testLoader
        self.progName = argv[0].split("/")[-1]
        self.parseArgs(argv)
        self.runTests()

    def parseArgs(self, argv):
        flags = ["locals"]
        for name in ("failfast", "catchbreak", "buffer"):
            if getattr(self, name) is None:
                flags.append(name)
                setattr(self, name, False)
        if self.testNamePatterns is None:
            self.testNamePatterns = []
            flags.append("patterns")
        self.tests = []
        rest = [word for word in argv[1:]]
        while rest:
            word = rest[0]
            rest = rest[1:]
            if word == "-v" or word == "--verbose":
                self.verbosity = 2
            elif word == "-q" or word == "--quiet":
                self.verbosity = 0
            elif (word == "-f" or word == "--failfast") and "failfast" in flags:
                self.failfast = True
            elif (word == "-b" or word == "--buffer") and "buffer" in flags:
                self.buffer = True
            elif (word == "-c" or word == "--catch") and "catchbreak" in flags:
                self.catchbreak = True
            elif word == "--locals":
                self.tb_locals = True
            elif word == "-k" and "patterns" in flags and rest and not rest[0].startswith("-"):
                self.testNamePatterns = [*self.testNamePatterns, rest[0] if "*" in rest[0] else "*" + rest[0] + "*"]
                rest = rest[1:]
            elif word == "" or word.startswith("-") or word.endswith(".py"):
                _throw("an option of tests")
            else:
                self.tests.append(word)
        if self.tests:
            self.testNames = self.tests
        elif self.defaultTest is None:
            self.testNames = None
        elif isinstance(self.defaultTest, str):
            self.testNames = (self.defaultTest,)
        else:
            self.testNames = list(self.defaultTest)
        self.createTests()

    def createTests(self, from_discovery=False, Loader=None):
        if self.testNamePatterns:
            self.testLoader.testNamePatterns = self.testNamePatterns
        if from_discovery:
            _throw("tests of other files")
        if self.testNames is None:
            self.test = self.testLoader.loadTestsFromModule(self.module)
        else:
            self.test = self.testLoader.loadTestsFromNames(self.testNames, self.module)

    def runTests(self):
        if self.testRunner is None:
            self.testRunner = TextTestRunner
        runner = self.testRunner
        if isinstance(runner, type):
            runner = _runner(runner, self)
        self.result = runner.run(self.test)
        if self.exit:
            raise SystemExit(not self.result.wasSuccessful())


def _runner(make, program):
    v, f, b, w = program.verbosity, program.failfast, program.buffer, program.warnings
    try:
        try:
            return make(verbosity=v, failfast=f, buffer=b, warnings=w, tb_locals=program.tb_locals)
        except TypeError:
            return make(verbosity=v, failfast=f, buffer=b, warnings=w)
    except TypeError:
        return make()
main = TestProgram
