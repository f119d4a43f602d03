# The `__dict__` of a library module, for single names.


class _ModuleNames:
    def __init__(self, module):
        _set_own(self, "_module", module)

    def __getitem__(self, name):
        found = getattr(self._module, name, _END)
        if found is _END:
            raise KeyError(name)
        return found

    def __contains__(self, name):
        return getattr(self._module, name, _END) is not _END

    def get(self, name, default=None):
        return getattr(self._module, name, default)

    def __getattr__(self, name):
        _throw("the names of a module")
