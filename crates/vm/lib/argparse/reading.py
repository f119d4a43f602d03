# `argparse`: the arguments of a command line, as the letters that their patterns match: `O` for
# an option, `-` for `--` and `A` for anything else.
# Level: methods


def _pattern(action):
    """What an argument takes: runs of letters (letters, least, most). A run of letters "" is so many `A`, each behind any `-`."""
    nargs = action.nargs
    if nargs is None:
        runs = [("", 1, 1), ("-", 0, -1)]
    elif nargs == "?":
        runs = [("-", 0, -1), ("A", 0, 1), ("-", 0, -1)]
    elif nargs == "*":
        runs = [("A-", 0, -1)]
    elif nargs == "+":
        runs = [("", 1, 1), ("A-", 0, -1)]
    elif nargs == "...":
        runs = [("-AO", 0, -1)]
    elif nargs == "A...":
        runs = [("", 1, 1), ("-AO", 0, -1)]
    elif nargs == "==SUPPRESS==":
        runs = [("-", 0, -1)]
    else:
        count = _len("A" * nargs)
        runs = [("", count, count), ("-", 0, -1)] if count > 0 else [("-", 0, -1)]
    if action.option_strings:
        runs = [("A" if run[0] == "" else run[0].replace("-", ""), run[1], run[2]) for run in runs if run[0] != "-"]
    return runs


def _match(runs, i, letters, at, ends, dead):
    """Whether runs match from a place on, as many letters as possible each; where they end."""
    if i == _len(runs):
        return True
    if (i, at) in dead:
        return False
    among, least, most = runs[i]
    size = _len(letters)
    end = at
    if among == "":
        count = 0
        while count < least:
            while end < size and letters[end] == "-":
                end += 1
            if end == size or letters[end] != "A":
                dead[(i, at)] = True
                return False
            end += 1
            count += 1
        least = end - at
    else:
        while end < size and end - at != most and letters[end] in among:
            end += 1
    while end - at >= least:
        ends[i] = end
        if _match(runs, i + 1, letters, end, ends, dead):
            return True
        end -= 1
    dead[(i, at)] = True
    return False


def _lengths(patterns, letters):
    """How many letters each pattern takes, None if they do not match."""
    runs = []
    for pattern in patterns:
        runs.extend(pattern)
    ends = {}
    if not _match(runs, 0, letters, 0, ends, {}):
        return None
    lengths = []
    at = 0
    i = 0
    for pattern in patterns:
        i += _len(pattern)
        end = ends[i - 1] if pattern else at
        lengths.append(end - at)
        at = end
    return lengths


def _is_made(action):
    """Whether the texts of an argument come from a function, so that equal ones may be others."""
    return action.type is not None and action.type is not str


class _Reading:
    """What one command line gives to a namespace."""

    def __init__(self, parser, args, namespace, preset):
        self.parser = parser
        self.args = args
        self.namespace = namespace
        self.preset = preset
        self.extras = []
        self.seen = []
        self.given = []
        self.groups = [group for group in parser._mutually_exclusive_groups]
        self.options = {}
        letters = []
        i = 0
        while i < _len(args):
            if args[i] == "--":
                letters.append("-" + "A" * (_len(args) - i - 1))
                break
            option = parser._parse_optional(args[i])
            if option is None:
                letters.append("A")
            else:
                self.options[i] = option
                letters.append("O")
            i += 1
        self.letters = "".join(letters)
        self.waiting = parser._get_positional_actions()

    def rivals(self, action):
        """The arguments that exclude one, None if it is in no group."""
        rivals = None
        for group in self.groups:
            members = group._group_actions
            count = 0
            for member in members:
                if member is action:
                    rivals = [] if rivals is None else rivals
                    rivals.extend(members[:count])
                    rivals.extend(members[count + 1 :])
                count += 1
        return rivals

    def is_default(self, action, values, strings):
        """Whether the values are the default itself."""
        default = action.default
        if not strings and not action.option_strings:
            if action.nargs == "?" and (not isinstance(default, str) or action.type is None or action.type is str):
                return True
            if action.nargs == "*" and default is not None:
                return True
        if isinstance(values, str) and isinstance(default, str) and _is_made(action) and values == default:
            _throw("identity of equal values")
        return _same(values, default, action.type is int or action.type is float)

    def take(self, action, strings, option_string=None):
        if not _within(action, self.seen):
            self.seen.append(action)
        values = self.parser._get_values(action, strings)
        rivals = self.rivals(action) if self.groups else None
        if rivals is not None and not self.is_default(action, values, strings):
            self.given.append(action)
            for rival in rivals:
                if _within(rival, self.given):
                    raise ArgumentError(action, "not allowed with argument %s" % _name(rival))
        if _suppressed(values):
            if _is_made(action) and action.nargs != "==SUPPRESS==":
                _throw("identity of equal values")
        else:
            action(self.parser, self.namespace, values, option_string)

    def take_option(self, start):
        parser = self.parser
        action, option, explicit = self.options[start]
        taken = []
        while True:
            if action is None:
                self.extras.append(self.args[start])
                return start + 1
            if explicit is None:
                begin = start + 1
                stop = begin + parser._match_argument(action, self.letters[begin:])
                taken.append((action, self.args[begin:stop], option))
                break
            count = parser._match_argument(action, "A")
            if count == 0 and option[1] not in parser.prefix_chars and explicit != "":
                taken.append((action, [], option))
                option = option[0] + explicit[0]
                if option not in parser._option_string_actions:
                    raise ArgumentError(action, "ignored explicit argument " + _repr(explicit))
                action = parser._option_string_actions[option]
                explicit = explicit[1:] or None
            elif count == 1:
                stop = start + 1
                taken.append((action, [explicit], option))
                break
            else:
                raise ArgumentError(action, "ignored explicit argument " + _repr(explicit))
        for action, strings, option in taken:
            self.take(action, strings, option)
        return stop

    def take_positionals(self, start):
        counts = self.parser._match_arguments_partial(self.waiting, self.letters[start:])
        for action, count in [pair for pair in zip(self.waiting, counts)]:
            strings = self.args[start : start + count]
            start += count
            self.take(action, strings)
        self.waiting = self.waiting[_len(counts) :]
        return start

    def read(self):
        last = max(self.options) if self.options else -1
        at = 0
        while at <= last:
            option = at
            while option not in self.options:
                option += 1
            if at != option:
                end = self.take_positionals(at)
                if end > at:
                    at = end
                    continue
                self.extras.extend(self.args[at:option])
                at = option
            at = self.take_option(at)
        stop = self.take_positionals(at)
        self.extras.extend(self.args[stop:])
        self.finish()
        return self.namespace, self.extras

    def is_untouched(self, action):
        """Whether the namespace still has the very text of a default."""
        default = action.default
        if default is None or not isinstance(default, str) or not hasattr(self.namespace, action.dest):
            return False
        value = getattr(self.namespace, action.dest)
        if _classof(default) is not str or _classof(value) is not str:
            return default is value
        if default != value:
            return False
        if _is_made(action) and default != "":
            if _within(action, self.preset):
                _throw("identity of equal values")
            for other in self.seen:
                if other.dest == action.dest or _classof(other) is _SubParsersAction:
                    _throw("identity of equal values")
        return True

    def finish(self):
        parser = self.parser
        required = []
        for action in parser._actions:
            if not _within(action, self.seen):
                if action.required:
                    required.append(_name(action))
                elif self.is_untouched(action):
                    setattr(self.namespace, action.dest, parser._get_value(action, action.default))
        if required:
            parser.error("the following arguments are required: " + ", ".join(required))
        for group in parser._mutually_exclusive_groups:
            if not group.required:
                continue
            members = group._group_actions
            if not [action for action in members if _within(action, self.given)]:
                names = [_name(action) for action in members if not _suppressed(action.help)]
                parser.error("one of the arguments " + " ".join(names) + " is required")
