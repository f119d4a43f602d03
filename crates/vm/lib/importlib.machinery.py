# Level: methods
# Loaders and specs of modules.


class ModuleSpec:
    __module__ = "importlib.machinery"

    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name = name
        self.loader = loader
        self.origin = origin
        self.loader_state = loader_state
        self.submodule_search_locations = [] if is_package else None
        self._uninitialized_submodules = []
        self._set_fileattr = False
        self._cached = None

    @property
    def parent(self):
        if self.submodule_search_locations is None:
            return self.name.rpartition(".")[0]
        return self.name

    @property
    def has_location(self):
        return self._set_fileattr

    @has_location.setter
    def has_location(self, value):
        self._set_fileattr = bool(value)

    @property
    def cached(self):
        _throw("where compiled code of a module is kept")

    def __repr__(self):
        args = ["name=" + _repr(self.name), "loader=" + _repr(self.loader)]
        if self.origin is not None:
            args.append("origin=" + _repr(self.origin))
        if self.submodule_search_locations is not None:
            args.append("submodule_search_locations=" + _repr(self.submodule_search_locations))
        return "ModuleSpec(" + ", ".join(args) + ")"


class SourceFileLoader:
    __module__ = "importlib.machinery"

    def __init__(self, fullname, path):
        self.name = fullname
        self.path = path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _execute_source(module, self.name, self.path)

    def get_filename(self, name=None):
        return self.path

    def get_data(self, path):
        with open(path, "rb") as file:
            return file.read()

    def get_source(self, fullname=None):
        with open(self.path) as file:
            return file.read()

    def is_package(self, fullname=None):
        return self.path.endswith("/__init__.py")

    def get_resource_reader(self, module=None):
        from importlib.readers import FileReader

        return FileReader(self)

    def __getattr__(self, name):
        _throw("SourceFileLoader." + name)


class _OwnLoader:
    # The loader of modules that belong to the machine itself.
    def __getattr__(self, name):
        _throw("a loader's " + name)


class _Elsewhere:
    # A class of which the machine needs only the name.
    def __init__(self, *args, **kwargs):
        _throw("importlib.machinery." + _classof(self).__name__)


class SourcelessFileLoader(_Elsewhere):
    __module__ = "importlib.machinery"


class ExtensionFileLoader(_Elsewhere):
    __module__ = "importlib.machinery"


class FileFinder(_Elsewhere):
    __module__ = "importlib.machinery"


SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = [".pyc"]
EXTENSION_SUFFIXES = [".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so"]


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES
