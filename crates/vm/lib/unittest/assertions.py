# `unittest`: the assertions of a test case.
# Level: methods


class _Asserts:
    __module__ = "unittest.case"

    failureException = AssertionError
    longMessage = True
    maxDiff = 640
    _diffThreshold = 65536

    def addTypeEqualityFunc(self, typeobj, function):
        for pair in self._type_equality_funcs:
            if pair[0] is typeobj:
                pair[1] = function
                return
        self._type_equality_funcs.append([typeobj, function])

    def skipTest(self, reason):
        raise SkipTest(reason)

    def fail(self, msg=None):
        raise self.failureException(msg)

    def assertFalse(self, expr, msg=None):
        if expr:
            msg = self._formatMessage(msg, _ut_join(_safe_repr(expr), " is not false"))
            raise self.failureException(msg)

    def assertTrue(self, expr, msg=None):
        if not expr:
            msg = self._formatMessage(msg, _ut_join(_safe_repr(expr), " is not true"))
            raise self.failureException(msg)

    def _formatMessage(self, msg, standardMsg):
        if not self.longMessage:
            return msg if not _is_unknown(msg) and msg else standardMsg
        if msg is None:
            return standardMsg
        text = msg if _is_unknown(msg) else _str(msg)
        return _ut_join(standardMsg if _is_unknown(standardMsg) else _str(standardMsg), " : ", text)

    def _truncateMessage(self, message, diff):
        most = self.maxDiff
        if most is None:
            return _ut_join(message, diff)
        if _is_unknown(diff):
            return diff
        if _len(diff) <= most:
            return _ut_join(message, diff)
        return _ut_join(message, "\nDiff is " + _str(_len(diff)) + " characters long. Set self.maxDiff to None to see it.")

    def assertRaises(self, expected_exception, *args, **kwargs):
        return _Raises(expected_exception, self).handle("assertRaises", args, kwargs)

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        return _Raises(expected_exception, self, expected_regex).handle("assertRaisesRegex", args, kwargs)

    def assertWarns(self, expected_warning, *args, **kwargs):
        _throw("warnings in a test")

    def assertWarnsRegex(self, expected_warning, expected_regex, *args, **kwargs):
        _throw("warnings in a test")

    def assertLogs(self, logger=None, level=None):
        return _Logs(self, logger, level, False)

    def assertNoLogs(self, logger=None, level=None):
        return _Logs(self, logger, level, True)

    # -- equality

    def _getAssertEqualityFunc(self, first, second):
        kind = _classof(first)
        if kind is _classof(second):
            for pair in self._type_equality_funcs:
                if pair[0] is kind:
                    function = pair[1]
                    if function is not None:
                        return getattr(self, function) if isinstance(function, str) else function
        return self._baseAssertEqual

    def _baseAssertEqual(self, first, second, msg=None):
        if not first == second:
            first, second = _pair(first, second)
            msg = self._formatMessage(msg, _ut_join(first, " != ", second))
            raise self.failureException(msg)

    def assertEqual(self, first, second, msg=None):
        self._getAssertEqualityFunc(first, second)(first, second, msg=msg)

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            text = _safe_repr(first)
            msg = self._formatMessage(msg, _ut_join(text, " == ", _safe_repr(second)))
            raise self.failureException(msg)

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if first == second:
            return
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        diff = abs(first - second)
        if delta is not None:
            if diff <= delta:
                return
        else:
            if places is None:
                places = 7
            if round(diff, places) == 0:
                return
        text = _almost(first, " != ", second, places, delta)
        msg = self._formatMessage(msg, _ut_join(text, " (", _safe_repr(diff), " difference)"))
        raise self.failureException(msg)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        if delta is not None and places is not None:
            raise TypeError("specify delta or places not both")
        diff = abs(first - second)
        if delta is not None:
            if not (first == second) and diff > delta:
                return
            text = _almost(first, " == ", second, places, delta)
            text = _ut_join(text, " (", _safe_repr(diff), " difference)")
        else:
            if places is None:
                places = 7
            if not (first == second) and round(diff, places) != 0:
                return
            text = _almost(first, " == ", second, places, delta)
        msg = self._formatMessage(msg, text)
        raise self.failureException(msg)

    def assertSequenceEqual(self, seq1, seq2, msg=None, seq_type=None):
        if seq_type is not None:
            name = seq_type.__name__
            if not isinstance(seq1, seq_type):
                raise self.failureException(_ut_join("First sequence is not a " + name + ": ", _safe_repr(seq1)))
            if not isinstance(seq2, seq_type):
                raise self.failureException(_ut_join("Second sequence is not a " + name + ": ", _safe_repr(seq2)))
        else:
            name = "sequence"
        text = None
        try:
            n = len(seq1)
        except (TypeError, NotImplementedError):
            text = "First " + name + " has no length.    Non-sequence?"
        if text is None:
            try:
                m = len(seq2)
            except (TypeError, NotImplementedError):
                text = "Second " + name + " has no length.    Non-sequence?"
        if text is None:
            if seq1 == seq2:
                return
            one, two = _pair(seq1, seq2)
            text, differs = _first_difference(_ut_join(name.capitalize(), "s differ: ", one, " != ", two, "\n"), seq1, seq2, n, m, name)
            if not differs and n == m and seq_type is None and _classof(seq1) is not _classof(seq2):
                return
            if n > m:
                text = _extra(text, "First", "first", seq1, m, n - m, name)
            elif n < m:
                text = _extra(text, "Second", "second", seq2, n, m - n, name)
        text = self._truncateMessage(text, _difference_text(seq1, seq2, self))
        self.fail(self._formatMessage(msg, text))

    def assertListEqual(self, list1, list2, msg=None):
        self.assertSequenceEqual(list1, list2, msg, seq_type=list)

    def assertTupleEqual(self, tuple1, tuple2, msg=None):
        self.assertSequenceEqual(tuple1, tuple2, msg, seq_type=tuple)

    def assertSetEqual(self, set1, set2, msg=None):
        try:
            only1 = set1.difference(set2)
        except TypeError as e:
            self.fail("invalid type when attempting set difference: " + _str(e))
        except AttributeError as e:
            self.fail("first argument does not support set difference: " + _str(e))
        try:
            only2 = set2.difference(set1)
        except TypeError as e:
            self.fail("invalid type when attempting set difference: " + _str(e))
        except AttributeError as e:
            self.fail("second argument does not support set difference: " + _str(e))
        if not (only1 or only2):
            return
        lines = []
        if only1:
            lines.append("Items in the first set but not the second:")
            for item in only1:
                lines.append(_ut_repr(item))
        if only2:
            lines.append("Items in the second set but not the first:")
            for item in only2:
                lines.append(_ut_repr(item))
        self.fail(self._formatMessage(msg, _ut_joined("\n", lines)))

    def assertDictEqual(self, d1, d2, msg=None):
        self.assertIsInstance(d1, dict, "First argument is not a dictionary")
        self.assertIsInstance(d2, dict, "Second argument is not a dictionary")
        if d1 != d2:
            first, second = _pair(d1, d2)
            text = self._truncateMessage(_ut_join(first, " != ", second), _difference_text(d1, d2, self))
            self.fail(self._formatMessage(msg, text))

    def assertDictContainsSubset(self, subset, dictionary, msg=None):
        missing = []
        wrong = []
        for key, value in subset.items():
            if key not in dictionary:
                missing.append(key)
            elif value != dictionary[key]:
                text = _ut_join(_safe_repr(key), ", expected: ")
                text = _ut_join(text, _safe_repr(value), ", actual: ")
                wrong.append(_ut_join(text, _safe_repr(dictionary[key])))
        if not (missing or wrong):
            return
        text = ""
        if missing:
            text = _ut_join("Missing: ", _ut_joined(",", [_safe_repr(key) for key in missing]))
        if wrong:
            text = _ut_join(text, "; " if missing else "", "Mismatched values: ", _ut_joined(",", wrong))
        self.fail(self._formatMessage(msg, text))

    def assertCountEqual(self, first, second, msg=None):
        first = list(first)
        second = list(second)
        own = _own(first) or _own(second)
        differences = None
        try:
            one = _tally(first, own)
            two = _tally(second, own)
        except TypeError:
            differences = _uneven_slowly(first, second)
        if differences is None:
            if _same_tallies(one, two, own):
                return
            differences = _uneven(first, second, own)
        if differences:
            lines = []
            for n, m, x in differences:
                lines.append(_ut_join("First has " + _str(n) + ", Second has " + _str(m) + ":  ", _ut_repr(x)))
            text = self._truncateMessage("Element counts were not equal:\n", _ut_joined("\n", lines))
            self.fail(self._formatMessage(msg, text))

    def assertMultiLineEqual(self, first, second, msg=None):
        self.assertIsInstance(first, str, "First argument is not a string")
        self.assertIsInstance(second, str, "Second argument is not a string")
        if first != second:
            if _len(first) > self._diffThreshold or _len(second) > self._diffThreshold:
                self._baseAssertEqual(first, second, msg)
            a = first.splitlines(keepends=True)
            b = second.splitlines(keepends=True)
            if _len(a) == 1 and first.strip("\r\n") == first:
                a = [first + "\n"]
                b = [second + "\n"]
            one, two = _pair(first, second)
            lines = _difference(a, b, self)
            diff = _unknown_text() if lines is None else "\n" + "".join(lines)
            self.fail(self._formatMessage(msg, self._truncateMessage(_ut_join(one, " != ", two), diff)))

    # -- other relations

    def assertIn(self, member, container, msg=None):
        if member not in container:
            self.fail(self._formatMessage(msg, _relation(member, " not found in ", container)))

    def assertNotIn(self, member, container, msg=None):
        if member in container:
            self.fail(self._formatMessage(msg, _relation(member, " unexpectedly found in ", container)))

    def assertIs(self, expr1, expr2, msg=None):
        if expr1 is not expr2:
            self.fail(self._formatMessage(msg, _relation(expr1, " is not ", expr2)))

    def assertIsNot(self, expr1, expr2, msg=None):
        if expr1 is expr2:
            self.fail(self._formatMessage(msg, _ut_join("unexpectedly identical: ", _safe_repr(expr1))))

    def assertLess(self, a, b, msg=None):
        if not a < b:
            self.fail(self._formatMessage(msg, _relation(a, " not less than ", b)))

    def assertLessEqual(self, a, b, msg=None):
        if not a <= b:
            self.fail(self._formatMessage(msg, _relation(a, " not less than or equal to ", b)))

    def assertGreater(self, a, b, msg=None):
        if not a > b:
            self.fail(self._formatMessage(msg, _relation(a, " not greater than ", b)))

    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b:
            self.fail(self._formatMessage(msg, _relation(a, " not greater than or equal to ", b)))

    def assertIsNone(self, obj, msg=None):
        if obj is not None:
            self.fail(self._formatMessage(msg, _ut_join(_safe_repr(obj), " is not None")))

    def assertIsNotNone(self, obj, msg=None):
        if obj is None:
            self.fail(self._formatMessage(msg, "unexpectedly None"))

    def assertIsInstance(self, obj, cls, msg=None):
        if not isinstance(obj, cls):
            text = _safe_repr(obj)
            self.fail(self._formatMessage(msg, _ut_join(text, " is not an instance of ", _ut_repr(cls))))

    def assertNotIsInstance(self, obj, cls, msg=None):
        if isinstance(obj, cls):
            text = _safe_repr(obj)
            self.fail(self._formatMessage(msg, _ut_join(text, " is an instance of ", _ut_repr(cls))))

    def assertRegex(self, text, expected_regex, msg=None):
        if isinstance(expected_regex, (str, bytes)):
            if not expected_regex:
                raise AssertionError("expected_regex must not be empty.")
            expected_regex = _compile(expected_regex)
        if not _search(expected_regex, text):
            words = "Regex didn't match: " + _repr(expected_regex.pattern) + " not found in " + _repr(text)
            msg = self._formatMessage(msg, words)
            raise self.failureException(msg)

    def assertNotRegex(self, text, unexpected_regex, msg=None):
        if isinstance(unexpected_regex, (str, bytes)):
            unexpected_regex = _compile(unexpected_regex)
        match = _search(unexpected_regex, text)
        if match:
            found = text[match.start() : match.end()]
            words = "Regex matched: " + _repr(found) + " matches " + _repr(unexpected_regex.pattern) + " in " + _repr(text)
            msg = self._formatMessage(msg, words)
            raise self.failureException(msg)


def _relation(first, words, second):
    first = _safe_repr(first)
    return _ut_join(first, words, _safe_repr(second))


def _almost(first, sign, second, places, delta):
    text = _relation(first, sign, second)
    if delta is None:
        return _ut_join(text, " within ", _repr(places), " places")
    return _ut_join(text, " within ", _safe_repr(delta), " delta")


def _first_difference(text, seq1, seq2, n, m, name):
    """Adds the first elements that differ; whether there are some, or elements that cannot be had."""
    i = 0
    while i < n and i < m:
        try:
            one = seq1[i]
        except (TypeError, IndexError, NotImplementedError):
            return _ut_join(text, "\nUnable to index element " + _str(i) + " of first " + name + "\n"), True
        try:
            two = seq2[i]
        except (TypeError, IndexError, NotImplementedError):
            return _ut_join(text, "\nUnable to index element " + _str(i) + " of second " + name + "\n"), True
        if one != two:
            one, two = _pair(one, two)
            return _ut_join(text, "\nFirst differing element " + _str(i) + ":\n", one, "\n", two, "\n"), True
        i += 1
    return text, False


def _extra(text, first, which, seq, at, more, name):
    text = _ut_join(text, "\n" + first + " " + name + " contains " + _str(more) + " additional elements.\n")
    try:
        return _ut_join(text, "First extra element " + _str(at) + ":\n", _safe_repr(seq[at]), "\n")
    except (TypeError, IndexError, NotImplementedError):
        return _ut_join(text, "Unable to index element " + _str(at) + " of " + which + " " + name + "\n")


def _old_name(function):
    def old(*args, **kwargs):
        return function(*args, **kwargs)

    return old


_OLD_NAMES = (
    ("assertEqual", ("failUnlessEqual", "assertEquals")),
    ("assertNotEqual", ("failIfEqual", "assertNotEquals")),
    ("assertAlmostEqual", ("failUnlessAlmostEqual", "assertAlmostEquals")),
    ("assertNotAlmostEqual", ("failIfAlmostEqual", "assertNotAlmostEquals")),
    ("assertTrue", ("failUnless", "assert_")),
    ("assertRaises", ("failUnlessRaises",)),
    ("assertFalse", ("failIf",)),
    ("assertRaisesRegex", ("assertRaisesRegexp",)),
    ("assertRegex", ("assertRegexpMatches",)),
    ("assertNotRegex", ("assertNotRegexpMatches",)),
)
for _name, _names in _OLD_NAMES:
    for _old in _names:
        setattr(_Asserts, _old, _old_name(getattr(_Asserts, _name)))
