# `unittest`: suites.
# Level: methods


def _call_if(parent, name):
    function = getattr(parent, name, None)
    if function is not None:
        function()


class BaseTestSuite:
    __module__ = "unittest.suite"
    _cleanup = True

    def __init__(self, tests=()):
        self._tests = []
        self._removed_tests = 0
        self.addTests(tests)

    def __repr__(self):
        return "<" + _class_name(_classof(self)) + " tests=" + _repr(list(self)) + ">"

    def __eq__(self, other):
        if not isinstance(other, _classof(self)):
            return NotImplemented
        return list(self) == list(other)

    __hash__ = None

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        cases = self._removed_tests
        for test in self:
            if test:
                cases += test.countTestCases()
        return cases

    def addTest(self, test):
        if not callable(test):
            raise TypeError(_repr(test) + " is not callable")
        if isinstance(test, type) and issubclass(test, (TestCase, TestSuite)):
            raise TypeError("TestCases and TestSuites must be instantiated before passing them to addTest()")
        self._tests.append(test)

    def addTests(self, tests):
        if isinstance(tests, str):
            raise TypeError("tests must be an iterable of tests, not a string")
        for test in tests:
            self.addTest(test)

    def run(self, result):
        for index, test in enumerate(self):
            if result.shouldStop:
                break
            test(result)
            if self._cleanup:
                self._removeTestAtIndex(index)
        return result

    def _removeTestAtIndex(self, index):
        try:
            test = self._tests[index]
        except TypeError:
            pass
        else:
            if hasattr(test, "countTestCases"):
                self._removed_tests += test.countTestCases()
            self._tests[index] = None

    def __call__(self, *args, **kwds):
        return self.run(*args, **kwds)

    def debug(self):
        for test in self:
            test.debug()


class _DebugResult:
    __module__ = "unittest.suite"
    _previousTestClass = None
    _moduleSetUpFailed = False
    shouldStop = False


class _ErrorHolder:
    """In the place of a test, for what went wrong between tests."""

    __module__ = "unittest.suite"
    failureException = None

    def __init__(self, description):
        self.description = description

    def id(self):
        return self.description

    def shortDescription(self):
        return None

    def __repr__(self):
        return "<ErrorHolder description=" + _repr(self.description) + ">"

    def __str__(self):
        return self.id()

    def run(self, result):
        pass

    def __call__(self, result):
        return self.run(result)

    def countTestCases(self):
        return 0


def _is_suite(test):
    try:
        iter(test)
    except TypeError:
        return False
    return True


def _has_module(name):
    return name == "__main__" or name == "unittest" or isinstance(name, str) and name.startswith("unittest.")


def _of_module(name, function):
    """A function of the program; None where there is none, or for another module."""
    return _ut_program_names().get(function) if name == "__main__" else None


class TestSuite(BaseTestSuite):
    __module__ = "unittest.suite"
    __hash__ = None

    def run(self, result, debug=False):
        outermost = False
        if getattr(result, "_testRunEntered", False) is False:
            result._testRunEntered = True
            outermost = True
        for index, test in enumerate(self):
            if result.shouldStop:
                break
            if not _is_suite(test):
                self._tearDownPreviousClass(test, result)
                self._handleModuleFixture(test, result)
                self._handleClassSetUp(test, result)
                kind = _classof(test)
                result._previousTestClass = kind
                if getattr(kind, "_classSetupFailed", False) or getattr(result, "_moduleSetUpFailed", False):
                    continue
            if not debug:
                test(result)
            else:
                test.debug()
            if self._cleanup:
                self._removeTestAtIndex(index)
        if outermost:
            self._tearDownPreviousClass(None, result)
            self._handleModuleTearDown(result)
            result._testRunEntered = False
        return result

    def debug(self):
        self.run(_DebugResult(), True)

    def _handleClassSetUp(self, test, result):
        kind = _classof(test)
        if kind is getattr(result, "_previousTestClass", None):
            return
        if result._moduleSetUpFailed or _mark(kind, "__unittest_skip__", False):
            return
        failed = False
        try:
            kind._classSetupFailed = False
        except TypeError:
            pass
        function = getattr(kind, "setUpClass", None)
        cleanups = getattr(kind, "doClassCleanups", None)
        if function is None:
            return
        _call_if(result, "_setupStdout")
        try:
            try:
                function()
            except Exception as e:
                if isinstance(result, _DebugResult):
                    raise
                failed = True
                try:
                    kind._classSetupFailed = True
                except TypeError:
                    pass
                self._createClassOrModuleLevelException(result, e, "setUpClass", _class_name(kind))
            if failed and cleanups is not None:
                cleanups()
                for info in kind.tearDown_exceptions:
                    self._createClassOrModuleLevelException(result, info[1], "setUpClass", _class_name(kind), info=info)
        finally:
            _call_if(result, "_restoreStdout")

    def _get_previous_module(self, result):
        kind = getattr(result, "_previousTestClass", None)
        return None if kind is None else kind.__module__

    def _handleModuleFixture(self, test, result):
        module = _classof(test).__module__
        if module == self._get_previous_module(result):
            return
        self._handleModuleTearDown(result)
        result._moduleSetUpFailed = False
        if not _has_module(module):
            return
        function = _of_module(module, "setUpModule")
        if function is None:
            return
        _call_if(result, "_setupStdout")
        try:
            try:
                function()
            except Exception as e:
                if isinstance(result, _DebugResult):
                    raise
                result._moduleSetUpFailed = True
                self._createClassOrModuleLevelException(result, e, "setUpModule", module)
            if result._moduleSetUpFailed:
                try:
                    doModuleCleanups()
                except Exception as e:
                    self._createClassOrModuleLevelException(result, e, "setUpModule", module)
        finally:
            _call_if(result, "_restoreStdout")

    def _createClassOrModuleLevelException(self, result, exc, method_name, parent, info=None):
        self._addClassOrModuleLevelException(result, exc, method_name + " (" + _str(parent) + ")", info)

    def _addClassOrModuleLevelException(self, result, exception, errorName, info=None):
        error = _ErrorHolder(errorName)
        skip = getattr(result, "addSkip", None)
        if skip is not None and isinstance(exception, SkipTest):
            skip(error, _str(exception))
        elif not info:
            result.addError(error, _info(exception))
        else:
            result.addError(error, info)

    def _handleModuleTearDown(self, result):
        module = self._get_previous_module(result)
        if module is None or result._moduleSetUpFailed or not _has_module(module):
            return
        _call_if(result, "_setupStdout")
        try:
            function = _of_module(module, "tearDownModule")
            if function is not None:
                try:
                    function()
                except Exception as e:
                    if isinstance(result, _DebugResult):
                        raise
                    self._createClassOrModuleLevelException(result, e, "tearDownModule", module)
            try:
                doModuleCleanups()
            except Exception as e:
                if isinstance(result, _DebugResult):
                    raise
                self._createClassOrModuleLevelException(result, e, "tearDownModule", module)
        finally:
            _call_if(result, "_restoreStdout")

    def _tearDownPreviousClass(self, test, result):
        kind = getattr(result, "_previousTestClass", None)
        if kind is None or _classof(test) is kind:
            return
        if getattr(kind, "_classSetupFailed", False) or getattr(result, "_moduleSetUpFailed", False):
            return
        if _mark(kind, "__unittest_skip__", False):
            return
        function = getattr(kind, "tearDownClass", None)
        cleanups = getattr(kind, "doClassCleanups", None)
        if function is None and cleanups is None:
            return
        _call_if(result, "_setupStdout")
        try:
            if function is not None:
                try:
                    function()
                except Exception as e:
                    if isinstance(result, _DebugResult):
                        raise
                    self._createClassOrModuleLevelException(result, e, "tearDownClass", _class_name(kind))
            if cleanups is not None:
                cleanups()
                for info in kind.tearDown_exceptions:
                    if isinstance(result, _DebugResult):
                        raise info[1]
                    self._createClassOrModuleLevelException(result, info[1], "tearDownClass", _class_name(kind), info=info)
        finally:
            _call_if(result, "_restoreStdout")
