# `argparse`: the parser.
# Level: methods


def _is_simple(text):
    for c in "[]() \t\n\r\x0b\x0c":
        if c in text:
            return False
    return True


def _usage_is_quiet(parser):
    """Whether the usage is made without calls into the program and without mistakes."""
    kind = _classof(parser)
    base = ArgumentParser
    if kind is not base:
        if kind.print_usage is not base.print_usage or kind.format_usage is not base.format_usage:
            return False
        if kind._print_message is not base._print_message or kind._get_formatter is not base._get_formatter:
            return False
    if parser.formatter_class not in _FORMATTERS or parser.formatter_class is MetavarTypeHelpFormatter:
        return False
    if parser.usage is not None:
        return _classof(parser.usage) is str and "%" not in parser.usage
    for group in parser._mutually_exclusive_groups:
        if not group._group_actions:
            return False
    for action in parser._actions:
        if action.nargs is not None and _classof(action.nargs) is int and action.nargs < 1:
            if action.nargs < 0 or not action.option_strings:
                return False
        if parser._mutually_exclusive_groups and _suppressed(action.help):
            return False
        if not _arg_listed(action) or not _is_simple("".join(action.option_strings)):
            return False
        if action.metavar is not None:
            if action.metavar == "" or not _is_simple(action.metavar):
                return False
        elif action.choices is not None:
            for choice in action.choices:
                if not isinstance(choice, (str, int)) or not _is_simple(_str(choice)):
                    return False
        elif action.dest == "" or not _is_simple(action.dest):
            return False
    return True


class ArgumentParser(_AttributeHolder, _ActionsContainer):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=[],
                 formatter_class=HelpFormatter, prefix_chars="-", fromfile_prefix_chars=None,
                 argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
                 exit_on_error=True, **others):
        _unexpected("ArgumentParser.__init__", others)
        _ActionsContainer.__init__(self, description, prefix_chars, argument_default, conflict_handler)
        if prog is None:
            prog = _argv()[0]
            prog = prog[prog.rfind("/") + 1 :]
        self.prog = prog
        self.usage = usage
        self.epilog = epilog
        self.formatter_class = formatter_class
        self.fromfile_prefix_chars = fromfile_prefix_chars
        self.add_help = add_help
        self.allow_abbrev = allow_abbrev
        self.exit_on_error = exit_on_error
        self._positionals = self.add_argument_group("positional arguments")
        self._optionals = self.add_argument_group("options")
        self._subparsers = None
        self.register("type", None, _identity)
        dash = "-" if "-" in prefix_chars else prefix_chars[0]
        if self.add_help:
            words = "show this help message and exit"
            self.add_argument(dash + "h", dash * 2 + "help", action="help", default=SUPPRESS, help=words)
        for parent in parents:
            self._add_container_actions(parent)
            defaults = getattr(parent, "_defaults", None)
            if defaults is not None:
                self._defaults.update(defaults)

    def _get_kwargs(self):
        names = ("prog", "usage", "description", "formatter_class", "conflict_handler", "add_help")
        return [(name, getattr(self, name)) for name in names]

    # -- arguments

    def add_subparsers(self, **kwargs):
        if self._subparsers is not None:
            self.error("cannot have multiple subparser arguments")
        kwargs.setdefault("parser_class", _classof(self))
        if "title" in kwargs or "description" in kwargs:
            title = kwargs.pop("title", "subcommands")
            self._subparsers = self.add_argument_group(title, kwargs.pop("description", None))
        else:
            self._subparsers = self._positionals
        if kwargs.get("prog") is None:
            formatter = self._get_formatter()
            formatter.add_usage(self.usage, self._get_positional_actions(), self._mutually_exclusive_groups, "")
            kwargs["prog"] = formatter.format_help().strip()
        action_class = self._pop_action_class(kwargs, "parsers")
        action = action_class(option_strings=[], **kwargs)
        self._subparsers._add_action(action)
        return action

    def _add_action(self, action):
        if action.option_strings:
            self._optionals._add_action(action)
        else:
            self._positionals._add_action(action)
        return action

    def _get_optional_actions(self):
        return [action for action in self._actions if action.option_strings]

    def _get_positional_actions(self):
        return [action for action in self._actions if not action.option_strings]

    # -- command lines

    def parse_args(self, args=None, namespace=None):
        namespace, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error("unrecognized arguments: " + " ".join(rest))
        return namespace

    def parse_known_args(self, args=None, namespace=None):
        if args is None:
            args = _argv()[1:]
        else:
            args = list(args)
        if namespace is None:
            namespace = Namespace()
        preset = []
        ours = {}
        for action in self._actions:
            if not _suppressed(action.dest):
                if hasattr(namespace, action.dest):
                    default = action.default
                    if action.dest not in ours or (isinstance(default, str) and ours[action.dest] == default):
                        preset.append(action)
                elif not _suppressed(action.default):
                    setattr(namespace, action.dest, action.default)
                    if isinstance(action.default, str):
                        ours[action.dest] = action.default
        for dest in self._defaults:
            if not hasattr(namespace, dest):
                setattr(namespace, dest, self._defaults[dest])
        self._preset = preset
        if self.exit_on_error:
            try:
                namespace, args = self._parse_known_args(args, namespace)
            except ArgumentError as error:
                self.error(_str(error))
        else:
            namespace, args = self._parse_known_args(args, namespace)
        if hasattr(namespace, "_unrecognized_args"):
            args.extend(getattr(namespace, "_unrecognized_args"))
            delattr(namespace, "_unrecognized_args")
        return namespace, args

    def _parse_known_args(self, arg_strings, namespace):
        if self.fromfile_prefix_chars is not None:
            for string in arg_strings:
                if string and string[0] in self.fromfile_prefix_chars:
                    _throw("arguments from a file")
        return _Reading(self, arg_strings, namespace, self._preset).read()

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    def _match_argument(self, action, arg_strings_pattern):
        lengths = _lengths([_pattern(action)], arg_strings_pattern)
        if lengths is not None:
            return lengths[0]
        nargs = action.nargs
        if nargs is None:
            words = "expected one argument"
        elif nargs == "?":
            words = "expected at most one argument"
        elif nargs == "+":
            words = "expected at least one argument"
        else:
            words = "expected " + _str(nargs) + (" argument" if nargs == 1 else " arguments")
        raise ArgumentError(action, words)

    def _match_arguments_partial(self, actions, arg_strings_pattern):
        patterns = [_pattern(action) for action in actions]
        while patterns:
            lengths = _lengths(patterns, arg_strings_pattern)
            if lengths is not None:
                return lengths
            patterns.pop()
        return []

    def _parse_optional(self, arg_string):
        if not arg_string or arg_string[0] not in self.prefix_chars:
            return None
        known = self._option_string_actions
        if arg_string in known:
            return known[arg_string], arg_string, None
        if _len(arg_string) == 1:
            return None
        if "=" in arg_string:
            option, explicit = arg_string.split("=", 1)
            if option in known:
                return known[option], option, explicit
        found = self._get_option_tuples(arg_string)
        if _len(found) == 1:
            return found[0]
        if found:
            options = ", ".join([option for action, option, explicit in found])
            self.error("ambiguous option: " + arg_string + " could match " + options)
        if _is_negative(arg_string) and not self._has_negative_number_optionals:
            return None
        if " " in arg_string:
            return None
        return None, arg_string, None

    def _get_option_tuples(self, option_string):
        chars = self.prefix_chars
        known = self._option_string_actions
        if option_string[0] not in chars:
            self.error("unexpected option string: " + option_string)
            return []
        if option_string[1] in chars:
            if not self.allow_abbrev:
                return []
            begin = option_string
            explicit = None
            if "=" in option_string:
                begin, explicit = option_string.split("=", 1)
            return [(known[option], option, explicit) for option in known if option.startswith(begin)]
        found = []
        short = option_string[:2]
        for option in known:
            if option == short:
                found.append((known[option], option, option_string[2:]))
            elif option.startswith(option_string):
                found.append((known[option], option, None))
        return found

    def parse_intermixed_args(self, args=None, namespace=None):
        namespace, rest = self.parse_known_intermixed_args(args, namespace)
        if rest:
            self.error("unrecognized arguments: " + " ".join(rest))
        return namespace

    def parse_known_intermixed_args(self, args=None, namespace=None):
        positionals = self._get_positional_actions()
        for action in positionals:
            if action.nargs in ["A...", "..."]:
                raise TypeError("parse_intermixed_args: positional arg with nargs=" + _str(action.nargs))
        groups = self._mutually_exclusive_groups
        for group in groups:
            for action in group._group_actions:
                if _within(action, positionals):
                    raise TypeError("parse_intermixed_args: positional in mutuallyExclusiveGroup")
        usage = self.usage
        try:
            try:
                if self.usage is None:
                    self.usage = self.format_usage()[7:]
                for action in positionals:
                    action.save_nargs = action.nargs
                    action.nargs = SUPPRESS
                    action.save_default = action.default
                    action.default = SUPPRESS
                namespace, rest = self.parse_known_args(args, namespace)
                for action in positionals:
                    if hasattr(namespace, action.dest) and getattr(namespace, action.dest) == []:
                        delattr(namespace, action.dest)
            finally:
                for action in positionals:
                    action.nargs = action.save_nargs
                    action.default = action.save_default
            optionals = self._get_optional_actions()
            try:
                for action in optionals:
                    action.save_required = action.required
                    action.required = False
                for group in groups:
                    group.save_required = group.required
                    group.required = False
                namespace, rest = self.parse_known_args(rest, namespace)
            finally:
                for action in optionals:
                    action.required = action.save_required
                for group in groups:
                    group.required = group.save_required
        finally:
            self.usage = usage
        return namespace, rest

    # -- values

    def _get_values(self, action, arg_strings):
        nargs = action.nargs
        if nargs not in ["A...", "..."] and "--" in arg_strings:
            arg_strings.remove("--")
        if not arg_strings and nargs == "?":
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._get_value(action, value)
                self._check_value(action, value)
        elif not arg_strings and nargs == "*" and not action.option_strings:
            value = arg_strings if action.default is None else action.default
            self._check_value(action, value)
        elif _len(arg_strings) == 1 and (nargs is None or nargs == "?"):
            value = self._get_value(action, arg_strings[0])
            self._check_value(action, value)
        elif nargs == "==SUPPRESS==":
            value = SUPPRESS
        else:
            value = [self._get_value(action, string) for string in arg_strings]
            if nargs == "A...":
                self._check_value(action, value[0])
            elif nargs != "...":
                for item in value:
                    self._check_value(action, item)
        return value

    def _get_value(self, action, arg_string):
        kind = self._registry_get("type", action.type, action.type)
        if not callable(kind):
            raise ArgumentError(action, _repr(kind) + " is not callable")
        try:
            return kind(arg_string)
        except ArgumentTypeError as error:
            raise ArgumentError(action, _str(error))
        except (TypeError, ValueError):
            words = "invalid " + _str(_arg_type_name(action.type)) + " value: " + _repr(arg_string)
            raise ArgumentError(action, words)

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            choices = ", ".join([_repr(choice) for choice in action.choices])
            words = "invalid choice: " + _repr(value) + " (choose from " + choices + ")"
            raise ArgumentError(action, words)

    # -- help

    def format_usage(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def _get_formatter(self):
        return self.formatter_class(prog=self.prog)

    def print_usage(self, file=None):
        if file is None:
            file = _standard_output()
        self._print_message(self.format_usage(), file)

    def print_help(self, file=None):
        if file is None:
            file = _standard_output()
        self._print_message(self.format_help(), file)

    def _print_message(self, message, file=None):
        if message:
            file = file or _arg_standard_error()
            try:
                file.write(message)
            except (AttributeError, OSError):
                pass

    # -- exits

    def exit(self, status=0, message=None):
        if message:
            self._print_message(message, _arg_standard_error())
        raise SystemExit(status)

    def error(self, message):
        file = _arg_standard_error()
        if not (_is_unread(file) and _usage_is_quiet(self)):
            self.print_usage(file)
        self.exit(2, _str(self.prog) + ": error: " + _str(message) + "\n")
