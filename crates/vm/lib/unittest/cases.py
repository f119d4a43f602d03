# `unittest`: test cases.
# Level: methods

# -- parts of a test


class _Outcome:
    __module__ = "unittest.case"

    def __init__(self, result=None):
        self.expecting_failure = False
        self.result = result
        self.result_supports_subtests = hasattr(result, "addSubTest")
        self.success = True
        self.expectedFailure = None


def _add_skip(result, test, reason):
    add = getattr(result, "addSkip", None)
    if add is not None:
        add(test, reason)
    else:
        result.addSuccess(test)


def _failed(outcome, test, error, subtest):
    """What is done about an exception in a part of a test."""
    if isinstance(error, SkipTest):
        outcome.success = False
        _add_skip(outcome.result, test, _str(error))
        return
    if isinstance(error, _ShouldStop):
        return
    info = _info(error)
    if outcome.expecting_failure:
        outcome.expectedFailure = info
        return
    outcome.success = False
    result = outcome.result
    if subtest:
        result.addSubTest(test.test_case, test, info)
    elif result is not None:
        if issubclass(info[0], test.failureException):
            result.addFailure(test, info)
        else:
            result.addError(test, info)


def _part(outcome, test, function, args, kwargs):
    before = outcome.success
    outcome.success = True
    try:
        function(*args, **kwargs)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _failed(outcome, test, error, False)
    finally:
        outcome.success = outcome.success and before


class _Params:
    """Parameters of a subtest, before those of the tests around it."""

    __module__ = "unittest.case"

    def __init__(self, maps):
        self.maps = maps

    def __getitem__(self, key):
        for held in self.maps:
            if key in held:
                return held[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __contains__(self, key):
        for held in self.maps:
            if key in held:
                return True
        return False

    def keys(self):
        names = []
        for held in self.maps:
            for key in held:
                if key not in names:
                    names.append(key)
        return names

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return _len(self.keys())

    def items(self):
        return [(key, self[key]) for key in self.keys()]

    def values(self):
        return [self[key] for key in self.keys()]

    def __repr__(self):
        return "_OrderedChainMap(" + ", ".join([_repr(held) for held in self.maps]) + ")"


_rename(_Params, "_OrderedChainMap")


class _Missing:
    """In the place of the message of a subtest without one."""


_MISSING = _Missing()


class _SubTestContext:
    __module__ = "contextlib"

    def __init__(self, test, message, params):
        self.test = test
        self.message = message
        self.params = params
        self.plain = False

    def __enter__(self):
        test = self.test
        outcome = test._outcome
        if outcome is None or not outcome.result_supports_subtests:
            self.plain = True
            return None
        self.outer = test._subtest
        maps = [self.params]
        if self.outer is not None:
            maps = [self.params, *self.outer.params.maps]
        test._subtest = _SubTest(test, self.message, _Params(maps))
        self.before = outcome.success
        outcome.success = True
        return None

    def __exit__(self, exc_type, error, tb):
        if self.plain:
            return False
        test = self.test
        outcome = test._outcome
        subtest = test._subtest
        try:
            try:
                if error is None:
                    if outcome.success:
                        outcome.result.addSubTest(subtest.test_case, subtest, None)
                elif isinstance(error, KeyboardInterrupt):
                    return False
                else:
                    _failed(outcome, subtest, error, True)
            finally:
                outcome.success = outcome.success and self.before
            if not outcome.success:
                result = outcome.result
                if result is not None and result.failfast:
                    raise _ShouldStop()
            elif outcome.expectedFailure:
                raise _ShouldStop()
        finally:
            test._subtest = self.outer
        return True


_rename(_SubTestContext, "_GeneratorContextManager")


# -- cases


class TestCase(_Asserts):
    __module__ = "unittest.case"

    def __init_subclass__(cls, *args, **kwargs):
        cls._classSetupFailed = False
        cls._class_cleanups = []
        super().__init_subclass__(*args, **kwargs)

    def __init__(self, methodName="runTest"):
        self._testMethodName = methodName
        self._outcome = None
        self._testMethodDoc = "No test"
        try:
            method = getattr(self, methodName)
        except AttributeError:
            if methodName != "runTest":
                raise ValueError("no such test method in " + _str(_classof(self)) + ": " + _str(methodName))
        else:
            self._testMethodDoc = method.__doc__
        self._cleanups = []
        self._subtest = None
        self._type_equality_funcs = []
        self.addTypeEqualityFunc(dict, "assertDictEqual")
        self.addTypeEqualityFunc(list, "assertListEqual")
        self.addTypeEqualityFunc(tuple, "assertTupleEqual")
        self.addTypeEqualityFunc(set, "assertSetEqual")
        self.addTypeEqualityFunc(frozenset, "assertSetEqual")
        self.addTypeEqualityFunc(str, "assertMultiLineEqual")

    def addCleanup(self, function, /, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def enterContext(self, cm):
        return _enter(cm, self.addCleanup)

    @classmethod
    def addClassCleanup(cls, function, /, *args, **kwargs):
        cls._class_cleanups.append((function, args, kwargs))

    @classmethod
    def enterClassContext(cls, cm):
        return _enter(cm, cls.addClassCleanup)

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def countTestCases(self):
        return 1

    def defaultTestResult(self):
        return TestResult()

    def shortDescription(self):
        doc = self._testMethodDoc
        return doc.strip().split("\n")[0].strip() if doc else None

    def id(self):
        return _class_name(_classof(self)) + "." + _str(self._testMethodName)

    def __eq__(self, other):
        if _classof(self) is not _classof(other):
            return NotImplemented
        return self._testMethodName == other._testMethodName

    def __hash__(self):
        return _hash((_classof(self), self._testMethodName))

    def __str__(self):
        name = _str(self._testMethodName)
        return name + " (" + _class_name(_classof(self)) + "." + name + ")"

    def __repr__(self):
        return "<" + _class_name(_classof(self)) + " testMethod=" + _str(self._testMethodName) + ">"

    def subTest(self, msg=_MISSING, **params):
        return _SubTestContext(self, msg, params)

    def _addExpectedFailure(self, result, exc_info):
        try:
            add = result.addExpectedFailure
        except AttributeError:
            result.addSuccess(self)
        else:
            add(self, exc_info)

    def _addUnexpectedSuccess(self, result):
        try:
            add = result.addUnexpectedSuccess
        except AttributeError:
            result.addFailure(self, _info(_UnexpectedSuccess()))
        else:
            add(self)

    def _callSetUp(self):
        self.setUp()

    def _callTestMethod(self, method):
        value = method()
        if value is not None:
            if _is_coroutine(value):
                _throw("a test that is a coroutine")
            value = None
            owner = getattr(method, "__self__", None)
            if owner is not None:
                _repr(owner)

    def _callTearDown(self):
        self.tearDown()

    def _callCleanup(self, function, /, *args, **kwargs):
        function(*args, **kwargs)

    def run(self, result=None):
        stop = None
        if result is None:
            result = self.defaultTestResult()
            start = getattr(result, "startTestRun", None)
            stop = getattr(result, "stopTestRun", None)
            if start is not None:
                start()
        result.startTest(self)
        try:
            method = getattr(self, self._testMethodName)
            if _is_skipped(self, method):
                _add_skip(result, self, _why(self, method))
                return result
            expecting = _mark(self, "__unittest_expecting_failure__", False) or _mark(method, "__unittest_expecting_failure__", False)
            outcome = _Outcome(result)
            try:
                self._outcome = outcome
                _part(outcome, self, self._callSetUp, (), {})
                if outcome.success:
                    outcome.expecting_failure = expecting
                    _part(outcome, self, self._callTestMethod, (method,), {})
                    outcome.expecting_failure = False
                    _part(outcome, self, self._callTearDown, (), {})
                self.doCleanups()
                if outcome.success:
                    if not expecting:
                        result.addSuccess(self)
                    elif outcome.expectedFailure:
                        self._addExpectedFailure(result, outcome.expectedFailure)
                    else:
                        self._addUnexpectedSuccess(result)
                return result
            finally:
                outcome.expectedFailure = None
                self._outcome = None
        finally:
            result.stopTest(self)
            if stop is not None:
                stop()

    def doCleanups(self):
        outcome = self._outcome or _Outcome()
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            _part(outcome, self, self._callCleanup, (function, *args), kwargs)
        return outcome.success

    @classmethod
    def doClassCleanups(cls):
        cls.tearDown_exceptions = []
        while cls._class_cleanups:
            function, args, kwargs = cls._class_cleanups.pop()
            try:
                function(*args, **kwargs)
            except Exception as e:
                cls.tearDown_exceptions.append(_info(e))

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def debug(self):
        method = getattr(self, self._testMethodName)
        if _is_skipped(self, method):
            raise SkipTest(_why(self, method))
        self._callSetUp()
        self._callTestMethod(method)
        self._callTearDown()
        while self._cleanups:
            function, args, kwargs = self._cleanups.pop()
            self._callCleanup(function, *args, **kwargs)


def _is_skipped(test, method):
    return _mark(_classof(test), "__unittest_skip__", False) or _mark(method, "__unittest_skip__", False)


def _why(test, method):
    return _mark(_classof(test), "__unittest_skip_why__", "") or _mark(method, "__unittest_skip_why__", "")


class _UnexpectedSuccess(Exception):
    __module__ = "unittest.case"
