# Groups of the machine, which are unknown.
# Level: methods


def getgrgid(id):
    _throw("grp.getgrgid")


def getgrnam(name):
    _throw("grp.getgrnam")


def getgrall():
    _throw("grp.getgrall")
