# Names of modules that `socket` re-exports.


def _get_exports_list(module):
    if _has_source(module.__name__) and hasattr(module, "__all__"):
        return [*module.__all__]
    return [name for name in dir(module) if name[0] != "_"]
