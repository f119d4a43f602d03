# `unittest`: results of tests, and their reporters.
# Level: methods


class TestResult:
    __module__ = "unittest.result"
    _previousTestClass = None
    _testRunEntered = False
    _moduleSetUpFailed = False

    def __init__(self, stream=None, descriptions=None, verbosity=None):
        self.failfast = False
        self.failures = []
        self.errors = []
        self.testsRun = 0
        self.skipped = []
        self.expectedFailures = []
        self.unexpectedSuccesses = []
        self.shouldStop = False
        self.buffer = False
        self.tb_locals = False
        self._stdout_buffer = None
        self._stderr_buffer = None
        self._original = None
        self._mirrorOutput = False

    def printErrors(self):
        pass

    def startTest(self, test):
        self.testsRun += 1
        self._mirrorOutput = False
        self._setupStdout()

    def _setupStdout(self):
        if self.buffer:
            if self._stderr_buffer is None:
                self._original = (_stdout(), _ut_stderr())
                self._stderr_buffer = _text_file()
                self._stdout_buffer = _text_file()
            _redirect(self._stdout_buffer, self._stderr_buffer)

    def startTestRun(self):
        pass

    def stopTest(self, test):
        self._restoreStdout()
        self._mirrorOutput = False

    def _restoreStdout(self):
        if self.buffer:
            stdout, stderr = self._original
            if self._mirrorOutput:
                output = self._stdout_buffer.getvalue()
                error = self._stderr_buffer.getvalue()
                if output:
                    stdout.write("\nStdout:\n" + output + ("" if output.endswith("\n") else "\n"))
                if error and not _is_unread(stderr):
                    stderr.write("\nStderr:\n" + error + ("" if error.endswith("\n") else "\n"))
            _redirect(stdout, stderr)
            for buffer in (self._stdout_buffer, self._stderr_buffer):
                buffer.seek(0)
                buffer.truncate()

    def stopTestRun(self):
        pass

    def addError(self, test, err):
        if getattr(self, "failfast", False):
            self.stop()
        self.errors.append((test, self._exc_info_to_string(err, test)))
        self._mirrorOutput = True

    def addFailure(self, test, err):
        if getattr(self, "failfast", False):
            self.stop()
        self.failures.append((test, self._exc_info_to_string(err, test)))
        self._mirrorOutput = True

    def addSubTest(self, test, subtest, err):
        if err is not None:
            if getattr(self, "failfast", False):
                self.stop()
            if issubclass(err[0], test.failureException):
                items = self.failures
            else:
                items = self.errors
            items.append((subtest, self._exc_info_to_string(err, test)))
            self._mirrorOutput = True

    def addSuccess(self, test):
        pass

    def addSkip(self, test, reason):
        self.skipped.append((test, reason))

    def addExpectedFailure(self, test, err):
        self.expectedFailures.append((test, self._exc_info_to_string(err, test)))

    def addUnexpectedSuccess(self, test):
        if getattr(self, "failfast", False):
            self.stop()
        self.unexpectedSuccesses.append(test)

    def wasSuccessful(self):
        if _len(self.failures) != 0 or _len(self.errors) != 0:
            return False
        return not hasattr(self, "unexpectedSuccesses") or _len(self.unexpectedSuccesses) == 0

    def stop(self):
        self.shouldStop = True

    def _exc_info_to_string(self, err, test):
        if self.tb_locals:
            _throw("local variables in a traceback")
        test.failureException
        _make_traceback(err[1])
        return _traceback_text(err[1])

    def __repr__(self):
        counts = " run=" + _str(self.testsRun) + " errors=" + _str(_len(self.errors)) + " failures=" + _str(_len(self.failures))
        return "<" + _class_name(_classof(self)) + counts + ">"


class _Stream:
    """Writes to a stream, unless nobody reads it."""

    __module__ = "unittest.runner"

    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        if name == "stream" or name == "__getstate__":
            raise AttributeError(name)
        return getattr(self.stream, name)

    def write(self, text):
        if _is_unread(self.stream):
            return None
        if _is_unknown(text):
            return _write_unknown(self.stream, "the report of tests")
        return self.stream.write(text)

    def flush(self):
        if not _is_unread(self.stream):
            return self.stream.flush()

    def writeln(self, arg=None):
        if _is_unknown(arg) or arg:
            self.write(arg)
        self.write("\n")


class TextTestResult(TestResult):
    __module__ = "unittest.runner"
    separator1 = "=" * 70
    separator2 = "-" * 70

    def __init__(self, stream, descriptions, verbosity):
        TestResult.__init__(self, stream, descriptions, verbosity)
        self.stream = stream
        self.showAll = verbosity > 1
        self.dots = verbosity == 1
        self.descriptions = descriptions
        self._newline = True

    def getDescription(self, test):
        first = test.shortDescription()
        if self.descriptions and first:
            return "\n".join((_str(test), first))
        return _str(test)

    def startTest(self, test):
        super().startTest(test)
        if self.showAll:
            self.stream.write(self.getDescription(test))
            self.stream.write(" ... ")
            self.stream.flush()
            self._newline = False

    def _write_status(self, test, status):
        subtest = isinstance(test, _SubTest)
        if subtest or self._newline:
            if not self._newline:
                self.stream.writeln()
            if subtest:
                self.stream.write("  ")
            self.stream.write(self.getDescription(test))
            self.stream.write(" ... ")
        self.stream.writeln(status)
        self.stream.flush()
        self._newline = True

    def _ut_status(self, test, words, letter):
        if self.showAll:
            self._write_status(test, words)
        elif self.dots:
            self.stream.write(letter)
            self.stream.flush()

    def _ut_line(self, words, letter):
        if self.showAll:
            self.stream.writeln(words)
            self.stream.flush()
        elif self.dots:
            self.stream.write(letter)
            self.stream.flush()

    def addSubTest(self, test, subtest, err):
        if err is not None:
            if self.showAll or self.dots:
                failed = issubclass(err[0], subtest.failureException)
                self._ut_status(subtest, "FAIL" if failed else "ERROR", "F" if failed else "E")
        super().addSubTest(test, subtest, err)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._ut_status(test, "ok", ".")

    def addError(self, test, err):
        super().addError(test, err)
        self._ut_status(test, "ERROR", "E")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._ut_status(test, "FAIL", "F")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._ut_status(test, _ut_join("skipped ", _ut_repr(reason)) if self.showAll else "", "s")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._ut_line("expected failure", "x")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._ut_line("unexpected success", "u")

    def printErrors(self):
        if self.dots or self.showAll:
            self.stream.writeln()
            self.stream.flush()
        self.printErrorList("ERROR", self.errors)
        self.printErrorList("FAIL", self.failures)
        successes = getattr(self, "unexpectedSuccesses", ())
        if successes:
            self.stream.writeln(self.separator1)
            for test in successes:
                self.stream.writeln("UNEXPECTED SUCCESS: " + _str(self.getDescription(test)))
            self.stream.flush()

    def printErrorList(self, flavour, errors):
        for test, err in errors:
            self.stream.writeln(self.separator1)
            self.stream.writeln(_str(flavour) + ": " + _str(self.getDescription(test)))
            self.stream.writeln(self.separator2)
            self.stream.writeln(err if _is_unknown(err) else _str(err))
            self.stream.flush()


class TextTestRunner:
    __module__ = "unittest.runner"
    resultclass = TextTestResult

    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, resultclass=None, warnings=None, *, tb_locals=False):
        if stream is None:
            stream = _ut_stderr()
        self.stream = _Stream(stream)
        self.descriptions = descriptions
        self.verbosity = verbosity
        self.failfast = failfast
        self.buffer = buffer
        self.tb_locals = tb_locals
        self.warnings = warnings
        if resultclass is not None:
            self.resultclass = resultclass

    def _makeResult(self):
        return self.resultclass(self.stream, self.descriptions, self.verbosity)

    def run(self, test):
        result = self._makeResult()
        result.failfast = self.failfast
        result.buffer = self.buffer
        result.tb_locals = self.tb_locals
        # It reads the clock before and after the run.
        _CLOCK[0] += 1000000
        start = getattr(result, "startTestRun", None)
        if start is not None:
            start()
        try:
            test(result)
        finally:
            stop = getattr(result, "stopTestRun", None)
            if stop is not None:
                stop()
        _CLOCK[0] += 1000000
        result.printErrors()
        if hasattr(result, "separator2"):
            self.stream.writeln(result.separator2)
        result.testsRun
        self.stream.writeln(_Unknown("the time that tests took"))
        self.stream.writeln()
        expected = unexpected = skipped = 0
        try:
            lists = (result.expectedFailures, result.unexpectedSuccesses, result.skipped)
        except AttributeError:
            pass
        else:
            expected, unexpected, skipped = [len(items) for items in lists]
        infos = []
        if not result.wasSuccessful():
            self.stream.write("FAILED")
            failed, errored = len(result.failures), len(result.errors)
            if failed:
                infos.append("failures=" + _str(failed))
            if errored:
                infos.append("errors=" + _str(errored))
        else:
            self.stream.write("OK")
        if skipped:
            infos.append("skipped=" + _str(skipped))
        if expected:
            infos.append("expected failures=" + _str(expected))
        if unexpected:
            infos.append("unexpected successes=" + _str(unexpected))
        if infos:
            self.stream.writeln(" (" + ", ".join(infos) + ")")
        else:
            self.stream.write("\n")
        self.stream.flush()
        return result
_rename(_Stream, "_WritelnDecorator")


def registerResult(result):
    pass


def removeResult(result):
    _throw("results that are registered")


def installHandler():
    pass


def removeHandler(method=None):
    return method
