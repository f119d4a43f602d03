# `argparse`: help and usage as text.
# Level: methods

import textwrap


class _FormatterSection:
    """A heading with what stands below it."""

    def __init__(self, formatter, parent, heading=None):
        self.formatter = formatter
        self.parent = parent
        self.heading = heading
        self.items = []

    def format_help(self):
        formatter = self.formatter
        if self.parent is not None:
            formatter._indent()
        text = formatter._join_parts([function(*args) for function, args in self.items])
        if self.parent is not None:
            formatter._dedent()
        if not text:
            return ""
        heading = ""
        if self.heading is not None and not _suppressed(self.heading):
            heading = " " * formatter._current_indent + _str(self.heading) + ":\n"
        return formatter._join_parts(["\n", heading, text, "\n"])


class HelpFormatter:
    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None, **others):
        _unexpected("HelpFormatter.__init__", others)
        if width is None:
            width = _columns() - 2
        self._prog = prog
        self._indent_increment = indent_increment
        self._max_help_position = min(max_help_position, max(width - 20, indent_increment * 2))
        self._width = width
        self._current_indent = 0
        self._level = 0
        self._action_max_length = 0
        self._root_section = _FormatterSection(self, None)
        self._current_section = self._root_section

    _Section = _FormatterSection

    # -- the contents of a help text

    def _indent(self):
        self._current_indent += self._indent_increment
        self._level += 1

    def _dedent(self):
        self._current_indent -= self._indent_increment
        if self._current_indent < 0:
            raise AssertionError("Indent decreased below 0.")
        self._level -= 1

    def _add_item(self, func, args):
        self._current_section.items.append((func, args))

    def start_section(self, heading):
        self._indent()
        section = self._Section(self, self._current_section, heading)
        self._add_item(section.format_help, [])
        self._current_section = section

    def end_section(self):
        self._current_section = self._current_section.parent
        self._dedent()

    def add_text(self, text):
        if text is not None and not _suppressed(text):
            self._add_item(self._format_text, [text])

    def add_usage(self, usage, actions, groups, prefix=None):
        if not _suppressed(usage):
            self._add_item(self._format_usage, (usage, actions, groups, prefix))

    def add_argument(self, action):
        if _suppressed(action.help):
            return
        shown = self._format_action_invocation
        names = [shown(action)]
        for inner in self._iter_indented_subactions(action):
            names.append(shown(inner))
        longest = max([_len(name) for name in names])
        self._action_max_length = max(self._action_max_length, longest + self._current_indent)
        self._add_item(self._format_action, [action])

    def add_arguments(self, actions):
        for action in actions:
            self.add_argument(action)

    def format_help(self):
        text = self._root_section.format_help()
        if text:
            while "\n\n\n" in text:
                text = text.replace("\n\n\n", "\n\n")
            text = text.strip("\n") + "\n"
        return text

    def _join_parts(self, part_strings):
        return "".join([part for part in part_strings if part and not _suppressed(part)])

    # -- usage

    def _format_usage(self, usage, actions, groups, prefix):
        if prefix is None:
            prefix = "usage: "
        if usage is not None:
            usage = usage % {"prog": self._prog}
        elif not actions:
            usage = _str(self._prog)
        else:
            prog = _str(self._prog)
            optionals = [action for action in actions if action.option_strings]
            positionals = [action for action in actions if not action.option_strings]
            whole = self._format_actions_usage(optionals + positionals, groups)
            usage = " ".join([text for text in (prog, whole) if text])
            if _len(prefix) + _len(usage) > self._width - self._current_indent:
                usage = self._wrapped_usage(prog, prefix, optionals, positionals, groups)
        return _str(prefix) + usage + "\n\n"

    def _wrapped_usage(self, prog, prefix, optionals, positionals, groups):
        room = self._width - self._current_indent
        optionals = self._format_actions_usage(optionals, groups)
        positionals = self._format_actions_usage(positionals, groups)
        optionals = _usage_parts(optionals)
        positionals = _usage_parts(positionals)
        if _len(prefix) + _len(prog) <= 0.75 * room:
            indent = " " * (_len(prefix) + _len(prog) + 1)
            if optionals:
                lines = self._usage_lines([prog] + optionals, indent, room, prefix)
                lines.extend(self._usage_lines(positionals, indent, room, None))
            elif positionals:
                lines = self._usage_lines([prog] + positionals, indent, room, prefix)
            else:
                lines = [prog]
        else:
            indent = " " * _len(prefix)
            lines = self._usage_lines(optionals + positionals, indent, room, None)
            if _len(lines) > 1:
                lines = self._usage_lines(optionals, indent, room, None)
                lines.extend(self._usage_lines(positionals, indent, room, None))
            lines = [prog] + lines
        return "\n".join(lines)

    def _usage_lines(self, parts, indent, room, prefix):
        lines = []
        line = []
        size = _len(indent if prefix is None else prefix) - 1
        for part in parts:
            if line and size + 1 + _len(part) > room:
                lines.append(indent + " ".join(line))
                line = []
                size = _len(indent) - 1
            line.append(part)
            size += _len(part) + 1
        if line:
            lines.append(indent + " ".join(line))
        if prefix is not None:
            lines[0] = lines[0][_len(indent) :]
        return lines

    def _format_actions_usage(self, actions, groups):
        grouped = []
        inserts = {}
        for group in groups:
            members = group._group_actions
            if not members:
                _throw("the address of a group of arguments in its text")
            start = _place(members[0], actions)
            if start < 0:
                _missed(members[0])
                continue
            end = start + _len(members)
            if actions[start:end] != members:
                continue
            exposed = 0
            for action in members:
                grouped.append(action)
                if not _suppressed(action.help):
                    exposed += 1
            if not group.required:
                _insert(inserts, start, "[", " [")
                _insert(inserts, end, "]", "]")
            elif exposed > 1:
                _insert(inserts, start, "(", " (")
                _insert(inserts, end, ")", ")")
            for i in range(start + 1, end):
                inserts[i] = "|"
        parts = []
        i = 0
        for action in actions:
            if _suppressed(action.help):
                parts.append(None)
                if inserts.get(i) == "|":
                    inserts.pop(i)
                elif inserts.get(i + 1) == "|":
                    inserts.pop(i + 1)
            elif not action.option_strings:
                part = self._format_args(action, self._get_default_metavar_for_positional(action))
                if _within(action, grouped) and part[0] == "[" and part[-1] == "]":
                    part = part[1:-1]
                parts.append(part)
            else:
                option = action.option_strings[0]
                if action.nargs == 0:
                    part = action.format_usage()
                else:
                    metavar = self._get_default_metavar_for_optional(action)
                    part = _str(option) + " " + _str(self._format_args(action, metavar))
                if not action.required and not _within(action, grouped):
                    part = "[" + _str(part) + "]"
                parts.append(part)
            i += 1
        for i in sorted(inserts, reverse=True):
            parts.insert(i, inserts[i])
        text = " ".join([part for part in parts if part is not None])
        text = text.replace("[ ", "[").replace("( ", "(").replace(" ]", "]").replace(" )", ")")
        return _without_empty(text).strip()

    # -- texts and arguments

    def _format_text(self, text):
        if "%(prog)" in text:
            text = text % {"prog": self._prog}
        width = max(self._width - self._current_indent, 11)
        return self._fill_text(text, width, " " * self._current_indent) + "\n\n"

    def _format_action(self, action):
        position = min(self._action_max_length + 2, self._max_help_position)
        width = max(self._width - position, 11)
        room = position - self._current_indent - 2
        header = self._format_action_invocation(action)
        before = " " * self._current_indent
        first = position
        if not action.help:
            header = before + _str(header) + "\n"
        elif _len(header) <= room:
            header = before + _str(header).ljust(room) + "  "
            first = 0
        else:
            header = before + _str(header) + "\n"
        parts = [header]
        if action.help and action.help.strip():
            text = self._expand_help(action)
            if text:
                lines = self._split_lines(text, width)
                parts.append(" " * first + _str(lines[0]) + "\n")
                for line in lines[1:]:
                    parts.append(" " * position + _str(line) + "\n")
        elif not header.endswith("\n"):
            parts.append("\n")
        for inner in self._iter_indented_subactions(action):
            parts.append(self._format_action(inner))
        return self._join_parts(parts)

    def _format_action_invocation(self, action):
        if not action.option_strings:
            default = self._get_default_metavar_for_positional(action)
            (metavar,) = self._metavar_formatter(action, default)(1)
            return metavar
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        args = self._format_args(action, self._get_default_metavar_for_optional(action))
        return ", ".join([_str(option) + " " + _str(args) for option in action.option_strings])

    def _metavar_formatter(self, action, default_metavar):
        if action.metavar is not None:
            result = action.metavar
        elif action.choices is not None:
            result = "{" + ",".join([_str(choice) for choice in action.choices]) + "}"
        else:
            result = default_metavar

        def format(tuple_size):
            return result if isinstance(result, tuple) else (result,) * tuple_size

        return format

    def _format_args(self, action, default_metavar):
        metavar = self._metavar_formatter(action, default_metavar)
        nargs = action.nargs
        if nargs is None:
            return "%s" % metavar(1)
        if nargs == "?":
            return "[%s]" % metavar(1)
        if nargs == "*":
            names = metavar(1)
            return ("[%s [%s ...]]" if _len(names) == 2 else "[%s ...]") % names
        if nargs == "+":
            return "%s [%s ...]" % metavar(2)
        if nargs == "...":
            return "..."
        if nargs == "A...":
            return "%s ..." % metavar(1)
        if nargs == "==SUPPRESS==":
            return ""
        try:
            fields = ["%s" for i in range(nargs)]
        except TypeError:
            raise ValueError("invalid nargs value") from None
        return " ".join(fields) % metavar(nargs)

    def _expand_help(self, action):
        values = {}
        for name, value in _vars(action).items():
            values[name] = value
        values["prog"] = self._prog
        for name in [name for name in values]:
            value = values[name]
            if _suppressed(value):
                del values[name]
            elif _classof(value) not in (str, int, bool, list, tuple, dict, float):
                values[name] = getattr(value, "__name__", value)
        if values.get("choices") is not None:
            values["choices"] = ", ".join([_str(choice) for choice in values["choices"]])
        text = self._get_help_string(action)
        if "%" not in text:
            return text
        if "%" not in text.replace("%%", "").replace("%(", ""):
            values = {name: values[name] for name in values if "(" + name + ")" in text}
        return text % values

    def _iter_indented_subactions(self, action):
        inner = getattr(action, "_get_subactions", None)
        if inner is not None:
            self._indent()
            for subaction in inner():
                yield subaction
            self._dedent()

    def _split_lines(self, text, width):
        return textwrap.wrap(_squeezed(text), width)

    def _fill_text(self, text, width, indent):
        return textwrap.fill(_squeezed(text), width, initial_indent=indent, subsequent_indent=indent)

    def _get_help_string(self, action):
        return action.help

    def _get_default_metavar_for_optional(self, action):
        return action.dest.upper()

    def _get_default_metavar_for_positional(self, action):
        return action.dest


class RawDescriptionHelpFormatter(HelpFormatter):
    def _fill_text(self, text, width, indent):
        return "".join([indent + line for line in text.splitlines(True)])


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def _split_lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def _get_help_string(self, action):
        text = action.help
        if text is None:
            text = ""
        if "%(default)" not in text and not _suppressed(action.default):
            if action.option_strings or action.nargs in ("?", "*"):
                text += " (default: %(default)s)"
        return text


class MetavarTypeHelpFormatter(HelpFormatter):
    def _get_default_metavar_for_optional(self, action):
        return action.type.__name__

    def _get_default_metavar_for_positional(self, action):
        return action.type.__name__
