# `argparse`: actions.
# Level: methods


class Action(_AttributeHolder):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, **others):
        _unexpected("Action.__init__", others)
        self.option_strings = option_strings
        self.dest = dest
        self.nargs = nargs
        self.const = const
        self.default = default
        self.type = type
        self.choices = choices
        self.required = required
        self.help = help
        self.metavar = metavar

    def _get_kwargs(self):
        names = ("option_strings", "dest", "nargs", "const", "default", "type", "choices", "required", "help", "metavar")
        return [(name, getattr(self, name)) for name in names]

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


_arg_init = Action.__init__


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None, **others):
        _unexpected("BooleanOptionalAction.__init__", others)
        both = []
        for option_string in option_strings:
            both.append(option_string)
            if option_string.startswith("--"):
                both.append("--no-" + option_string[2:])
        _arg_init(self, both, dest, 0, None, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


def _check_stored(kind, advice, nargs, const):
    if nargs == 0:
        raise ValueError("nargs for " + kind + " actions must be != 0; if " + advice)
    if const is not None and nargs != "?":
        raise ValueError("nargs must be '?' to supply const")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, **others):
        _unexpected("_StoreAction.__init__", others)
        advice = "you have nothing to store, actions such as store true or store const may be more appropriate"
        _check_stored("store", advice, nargs, const)
        _arg_init(self, option_strings, dest, nargs, const, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None,
                 **others):
        _unexpected("_StoreConstAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, const, default, None, None, required, help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None, **others):
        _unexpected("_StoreTrueAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, True, default, None, None, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None, **others):
        _unexpected("_StoreFalseAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, False, default, None, None, required, help)


class _AppendAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None,
                 required=False, help=None, metavar=None, **others):
        _unexpected("_AppendAction.__init__", others)
        advice = "arg strings are not supplying the value to append, the append const action may be more appropriate"
        _check_stored("append", advice, nargs, const)
        _arg_init(self, option_strings, dest, nargs, const, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _copy(getattr(namespace, self.dest, None))
        items.append(values)
        setattr(namespace, self.dest, items)


class _AppendConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None,
                 **others):
        _unexpected("_AppendConstAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, const, default, None, None, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _copy(getattr(namespace, self.dest, None))
        items.append(self.const)
        setattr(namespace, self.dest, items)


class _ExtendAction(_AppendAction):
    def __call__(self, parser, namespace, values, option_string=None):
        items = _copy(getattr(namespace, self.dest, None))
        items.extend(values)
        setattr(namespace, self.dest, items)


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None, **others):
        _unexpected("_CountAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, None, default, None, None, required, help)

    def __call__(self, parser, namespace, values, option_string=None):
        count = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, (0 if count is None else count) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None, **others):
        _unexpected("_HelpAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, None, default, None, None, False, help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit", **others):
        _unexpected("_VersionAction.__init__", others)
        _arg_init(self, option_strings, dest, 0, None, default, None, None, False, help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        version = self.version
        if version is None:
            version = parser.version
        formatter = parser._get_formatter()
        formatter.add_text(version)
        parser._print_message(formatter.format_help(), _standard_output())
        parser.exit()


class _ChoicesPseudoAction(Action):
    """A line of the help for the name of a parser."""

    def __init__(self, name, aliases, help):
        shown = name
        if aliases:
            shown += " (" + ", ".join(aliases) + ")"
        _arg_init(self, [], name, None, None, None, None, None, False, help, shown)


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog=_END, parser_class=_END, dest=SUPPRESS, required=False, help=None,
                 metavar=None, **others):
        _unexpected("_SubParsersAction.__init__", others)
        if prog is _END or parser_class is _END:
            names = "1 required positional argument: 'parser_class'"
            if parser_class is not _END:
                names = "1 required positional argument: 'prog'"
            elif prog is _END:
                names = "2 required positional arguments: 'prog' and 'parser_class'"
            raise TypeError("_SubParsersAction.__init__() missing " + names)
        self._prog_prefix = prog
        self._parser_class = parser_class
        self._name_parser_map = {}
        self._choices_actions = []
        parsers = self._name_parser_map
        _arg_init(self, option_strings, dest, "A...", None, None, None, parsers, required, help, metavar)

    def add_parser(self, name, **kwargs):
        if kwargs.get("prog") is None:
            kwargs["prog"] = _str(self._prog_prefix) + " " + _str(name)
        aliases = kwargs.pop("aliases", ())
        known = self._name_parser_map
        if name in known:
            raise ArgumentError(self, "conflicting subparser: " + _str(name))
        for alias in aliases:
            if alias in known:
                raise ArgumentError(self, "conflicting subparser alias: " + _str(alias))
        if "help" in kwargs:
            self._choices_actions.append(_ChoicesPseudoAction(name, aliases, kwargs.pop("help")))
        parser = self._parser_class(**kwargs)
        known[name] = parser
        for alias in aliases:
            known[alias] = parser
        return parser

    def _get_subactions(self):
        return self._choices_actions

    def __call__(self, parser, namespace, values, option_string=None):
        name = values[0]
        if not _suppressed(self.dest):
            setattr(namespace, self.dest, name)
        if name not in self._name_parser_map:
            choices = ", ".join(self._name_parser_map)
            words = "unknown parser " + _repr(name) + " (choices: " + choices + ")"
            raise ArgumentError(self, words)
        inner, rest = self._name_parser_map[name].parse_known_args(values[1:], None)
        for key, value in [pair for pair in _vars(inner).items()]:
            setattr(namespace, key, value)
        if rest:
            if "_unrecognized_args" not in _vars(namespace):
                object.__setattr__(namespace, "_unrecognized_args", [])
            getattr(namespace, "_unrecognized_args").extend(rest)


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        _throw("argparse.FileType")
