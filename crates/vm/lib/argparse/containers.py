# `argparse`: containers of arguments.
# Level: methods


def _is_negative(text):
    """Whether a text looks like a negative number."""
    if text[:1] != "-":
        return False
    if text[-1:] == "\n":
        text = text[:-1]
    text = text[1:]
    if text.isdecimal():
        return True
    whole, dot, rest = text.partition(".")
    return dot == "." and rest.isdecimal() and (whole == "" or whole.isdecimal())


def _identity(string):
    return string


def _arg_listed(action):
    """Whether an argument is shown without calls into the program and without mistakes."""
    if _classof(action) not in _ACTIONS or not isinstance(action.option_strings, list):
        return False
    nargs = action.nargs
    if not (nargs is None or _classof(nargs) is int or nargs in ("?", "*", "+", "...", "A...")):
        return False
    if _classof(action.dest) is not str or (action.metavar is not None and _classof(action.metavar) is not str):
        return False
    choices = action.choices
    if choices is None or _classof(action) is _SubParsersAction:
        return True
    return _classof(choices) in (list, tuple, dict, set, frozenset, range, str) and not _own(choices)


_ACTIONS = (
    _StoreAction,
    _StoreTrueAction,
    _StoreFalseAction,
    _StoreConstAction,
    _AppendAction,
    _AppendConstAction,
    _ExtendAction,
    _CountAction,
    _HelpAction,
    _VersionAction,
    _SubParsersAction,
    BooleanOptionalAction,
)

_FORMATTERS = (
    HelpFormatter,
    RawDescriptionHelpFormatter,
    RawTextHelpFormatter,
    ArgumentDefaultsHelpFormatter,
    MetavarTypeHelpFormatter,
)


class _ActionsContainer:
    def __init__(self, description, prefix_chars, argument_default, conflict_handler, **others):
        _unexpected("_ActionsContainer.__init__", others)
        self.description = description
        self.argument_default = argument_default
        self.prefix_chars = prefix_chars
        self.conflict_handler = conflict_handler
        self._registries = {
            "action": {
                None: _StoreAction,
                "store": _StoreAction,
                "store_const": _StoreConstAction,
                "store_true": _StoreTrueAction,
                "store_false": _StoreFalseAction,
                "append": _AppendAction,
                "append_const": _AppendConstAction,
                "count": _CountAction,
                "help": _HelpAction,
                "version": _VersionAction,
                "parsers": _SubParsersAction,
                "extend": _ExtendAction,
            }
        }
        self._get_handler()
        self._actions = []
        self._option_string_actions = {}
        self._action_groups = []
        self._mutually_exclusive_groups = []
        self._defaults = {}
        self._has_negative_number_optionals = []

    def register(self, registry_name, value, object):
        self._registries.setdefault(registry_name, {})[value] = object

    def _registry_get(self, registry_name, value, default=None):
        return self._registries[registry_name].get(value, default)

    # -- defaults

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest, None)

    # -- arguments

    def add_argument(self, *args, **kwargs):
        chars = self.prefix_chars
        if not args or (_len(args) == 1 and args[0][0] not in chars):
            if args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            if not args and "dest" not in kwargs:
                where = "_ActionsContainer._get_positional_kwargs()"
                raise TypeError(where + " missing 1 required positional argument: 'dest'")
            kwargs = self._get_positional_kwargs(*args, **kwargs)
        else:
            kwargs = self._get_optional_kwargs(*args, **kwargs)
        if "default" not in kwargs:
            dest = kwargs["dest"]
            if dest in self._defaults:
                kwargs["default"] = self._defaults[dest]
            elif self.argument_default is not None:
                kwargs["default"] = self.argument_default
        action_class = self._pop_action_class(kwargs)
        if not callable(action_class):
            raise ValueError('unknown action "' + _str(action_class) + '"')
        action = action_class(**kwargs)
        kind = self._registry_get("type", action.type, action.type)
        if not callable(kind):
            raise ValueError(_repr(kind) + " is not callable")
        if kind is FileType:
            words = "<class 'argparse.FileType'> is a FileType class object, instance of it must be passed"
            raise ValueError(words)
        if hasattr(self, "_get_formatter"):
            self._check_shown(action)
        return self._add_action(action)

    def _check_shown(self, action):
        """Whether the help can show the argument: nothing to do where it surely can."""
        base = ArgumentParser._get_formatter
        if _classof(self)._get_formatter is base and self.formatter_class in _FORMATTERS:
            if _arg_listed(action):
                return
        try:
            self._get_formatter()._format_args(action, None)
        except TypeError:
            raise ValueError("length of metavar tuple does not match nargs")

    def add_argument_group(self, *args, **kwargs):
        group = _ArgumentGroup(self, *args, **kwargs)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        group = _MutuallyExclusiveGroup(self, **kwargs)
        self._mutually_exclusive_groups.append(group)
        return group

    def _add_action(self, action):
        self._check_conflict(action)
        self._actions.append(action)
        action.container = self
        for option_string in action.option_strings:
            self._option_string_actions[option_string] = action
        for option_string in action.option_strings:
            if _is_negative(option_string) and not self._has_negative_number_optionals:
                self._has_negative_number_optionals.append(True)
        return action

    def _remove_action(self, action):
        self._actions.remove(action)

    def _add_container_actions(self, container):
        titles = {}
        for group in self._action_groups:
            if group.title in titles:
                raise ValueError("cannot merge actions - two groups are named " + _repr(group.title))
            titles[group.title] = group
        groups = []
        for group in container._action_groups:
            if group.title not in titles:
                titles[group.title] = self.add_argument_group(
                    title=group.title, description=group.description, conflict_handler=group.conflict_handler
                )
            for action in group._group_actions:
                groups.append((action, titles[group.title]))
        for group in container._mutually_exclusive_groups:
            exclusive = self.add_mutually_exclusive_group(required=group.required)
            for action in group._group_actions:
                groups.append((action, exclusive))
        for action in container._actions:
            place = self
            for member, group in groups:
                if member is action:
                    place = group
            place._add_action(action)

    def _get_positional_kwargs(self, dest, **kwargs):
        if "required" in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        nargs = kwargs.get("nargs")
        if nargs not in ["?", "*"]:
            kwargs["required"] = True
        if nargs == "*" and "default" not in kwargs:
            kwargs["required"] = True
        kwargs["dest"] = dest
        kwargs["option_strings"] = []
        return kwargs

    def _get_optional_kwargs(self, *args, **kwargs):
        chars = self.prefix_chars
        options = []
        long = []
        for option_string in args:
            if option_string[0] not in chars:
                words = "invalid option string " + _repr(option_string) + ": must start with a character "
                raise ValueError(words + _repr(chars))
            options.append(option_string)
            if _len(option_string) > 1 and option_string[1] in chars:
                long.append(option_string)
        dest = kwargs.pop("dest", None)
        if dest is None:
            dest = (long[0] if long else options[0]).lstrip(chars)
            if not dest:
                raise ValueError("dest= is required for options like " + _repr(options[-1]))
            dest = dest.replace("-", "_")
        kwargs["dest"] = dest
        kwargs["option_strings"] = options
        return kwargs

    def _pop_action_class(self, kwargs, default=None):
        action = kwargs.pop("action", default)
        return self._registry_get("action", action, action)

    # -- conflicting options

    def _get_handler(self):
        handler = getattr(self, "_handle_conflict_" + _str(self.conflict_handler), None)
        if handler is None:
            raise ValueError("invalid conflict_resolution value: " + _repr(self.conflict_handler))
        return handler

    def _check_conflict(self, action):
        known = self._option_string_actions
        found = [(option, known[option]) for option in action.option_strings if option in known]
        if found:
            self._get_handler()(action, found)

    def _handle_conflict_error(self, action, conflicting_actions):
        words = "conflicting option string: " if _len(conflicting_actions) == 1 else "conflicting option strings: "
        options = ", ".join([option for option, other in conflicting_actions])
        raise ArgumentError(action, words + options)

    def _handle_conflict_resolve(self, action, conflicting_actions):
        for option_string, other in conflicting_actions:
            other.option_strings.remove(option_string)
            self._option_string_actions.pop(option_string, None)
            if not other.option_strings:
                other.container._remove_action(other)


class _ArgumentGroup(_ActionsContainer):
    def __init__(self, container, title=None, description=None, **kwargs):
        kwargs.setdefault("conflict_handler", container.conflict_handler)
        kwargs.setdefault("prefix_chars", container.prefix_chars)
        kwargs.setdefault("argument_default", container.argument_default)
        _ActionsContainer.__init__(self, description=description, **kwargs)
        self.title = title
        self._group_actions = []
        self._registries = container._registries
        self._actions = container._actions
        self._option_string_actions = container._option_string_actions
        self._defaults = container._defaults
        self._has_negative_number_optionals = container._has_negative_number_optionals
        self._mutually_exclusive_groups = container._mutually_exclusive_groups

    def _add_action(self, action):
        action = _ActionsContainer._add_action(self, action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        _ActionsContainer._remove_action(self, action)
        self._group_actions.remove(action)


class _MutuallyExclusiveGroup(_ArgumentGroup):
    def __init__(self, container, required=False, **others):
        _unexpected("_MutuallyExclusiveGroup.__init__", others)
        _ArgumentGroup.__init__(self, container)
        self.required = required
        self._container = container

    def _add_action(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        action = self._container._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        self._container._remove_action(action)
        self._group_actions.remove(action)
