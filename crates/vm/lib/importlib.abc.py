# Level: methods
# Base classes of the program's finders and loaders.


class Loader:
    __module__ = "importlib.abc"

    def create_module(self, spec):
        return None

    def load_module(self, fullname):
        _throw("Loader.load_module")


class MetaPathFinder:
    __module__ = "importlib.abc"

    def invalidate_caches(self):
        pass


class PathEntryFinder:
    __module__ = "importlib.abc"

    def invalidate_caches(self):
        pass
