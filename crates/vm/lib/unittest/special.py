# `unittest`: decorators of tests, function cases, subtests, and tests that replace failed imports.
# Level: methods

# -- decorators


def skip(reason):
    def decorator(test_item):
        if not isinstance(test_item, type):
            test_item = _skipping(test_item, reason)
        _set_mark(test_item, "__unittest_skip__", True)
        _set_mark(test_item, "__unittest_skip_why__", reason)
        return test_item

    if _is_function(reason):
        item = reason
        reason = ""
        return decorator(item)
    return decorator


def _skipping(item, reason):
    def skip_wrapper(*args, **kwargs):
        raise SkipTest(reason)

    return _wrapped(skip_wrapper, item)


def _unmarked(item):
    return item


def skipIf(condition, reason):
    if condition:
        return skip(reason)
    return _unmarked


def skipUnless(condition, reason):
    if not condition:
        return skip(reason)
    return _unmarked


def expectedFailure(test_item):
    _set_mark(test_item, "__unittest_expecting_failure__", True)
    return test_item


# -- cleanups of the module, and contexts

_module_cleanups = []


def addModuleCleanup(function, /, *args, **kwargs):
    _module_cleanups.append((function, args, kwargs))


def _enter(cm, add):
    kind = _classof(cm)
    try:
        enter = kind.__enter__
        leave = kind.__exit__
    except AttributeError:
        raise TypeError("'" + kind.__module__ + "." + kind.__qualname__ + "' object does not support the context manager protocol") from None
    result = enter(cm)
    add(leave, cm, None, None, None)
    return result


def enterModuleContext(cm):
    return _enter(cm, addModuleCleanup)


def doModuleCleanups():
    errors = []
    while _module_cleanups:
        function, args, kwargs = _module_cleanups.pop()
        try:
            function(*args, **kwargs)
        except Exception as e:
            errors.append(e)
    if errors:
        raise errors[0]


# -- cases


class FunctionTestCase(TestCase):
    __module__ = "unittest.case"
    _classSetupFailed = False
    _class_cleanups = []

    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        TestCase.__init__(self)
        self._setUpFunc = setUp
        self._tearDownFunc = tearDown
        self._testFunc = testFunc
        self._description = description

    def setUp(self):
        if self._setUpFunc is not None:
            self._setUpFunc()

    def tearDown(self):
        if self._tearDownFunc is not None:
            self._tearDownFunc()

    def runTest(self):
        self._testFunc()

    def id(self):
        return self._testFunc.__name__

    def __eq__(self, other):
        if not isinstance(other, _classof(self)):
            return NotImplemented
        if not self._setUpFunc == other._setUpFunc or not self._tearDownFunc == other._tearDownFunc:
            return False
        return self._testFunc == other._testFunc and self._description == other._description

    def __hash__(self):
        return _hash((_classof(self), self._setUpFunc, self._tearDownFunc, self._testFunc, self._description))

    def __str__(self):
        return _class_name(_classof(self)) + " (" + self._testFunc.__name__ + ")"

    def __repr__(self):
        return "<" + _class_name(_classof(self)) + " tec=" + _str(self._testFunc) + ">"

    def shortDescription(self):
        if self._description is not None:
            return self._description
        doc = self._testFunc.__doc__
        return doc and doc.split("\n")[0].strip() or None


class _SubTest(TestCase):
    __module__ = "unittest.case"
    _classSetupFailed = False
    _class_cleanups = []

    def __init__(self, test_case, message, params):
        TestCase.__init__(self)
        self._message = message
        self.test_case = test_case
        self.params = params
        self.failureException = test_case.failureException

    def runTest(self):
        raise NotImplementedError("subtests cannot be run directly")

    def _subDescription(self):
        parts = []
        if self._message is not _MISSING:
            parts.append(f"[{self._message}]")
        shown = []
        for key, value in self.params.items():
            shown.append(key + "=" + _repr(value))
        if shown:
            parts.append("(" + ", ".join(shown) + ")")
        return " ".join(parts) or "(<subtest>)"

    def id(self):
        return f"{self.test_case.id()} {self._subDescription()}"

    def shortDescription(self):
        return self.test_case.shortDescription()

    def __str__(self):
        description = self._subDescription()
        return f"{self.test_case} {description}"


class _FailedTest(TestCase):
    __module__ = "unittest.loader"
    _classSetupFailed = False
    _class_cleanups = []
    _testMethodName = None

    def __init__(self, method_name, exception):
        self._exception = exception
        TestCase.__init__(self, method_name)

    def __getattr__(self, name):
        if name != self._testMethodName:
            raise AttributeError("'super' object has no attribute '__getattr__'")

        def testFailure():
            raise self._exception

        return testFailure
